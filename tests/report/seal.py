"""Gives every line of a log the CRC of what the line is now: a log can be made by anyone.

    seal.py <LOG >SEALED

Lines are bytes, and need not be those of a log.
"""
import re
import sys
import zlib

RECORD = re.compile(rb'(\{.*),"crc":"[0-9a-f]{8}"\}\r?', re.DOTALL)
VERDICT = re.compile(rb"(not )?ok [0-9]+ - ")
VERDICT_CRC = re.compile(rb"(# crc of verdicts [0-9]+ to [0-9]+: )[0-9a-f]{8}\r?")


def seal(lines):
    """The lines, without their ends, with the CRCs that a log of them has."""
    verdicts = 0
    for line in lines:
        if VERDICT.match(line):
            verdicts = zlib.crc32(line.rstrip(b"\r") + b"\n", verdicts)
        if record := RECORD.fullmatch(line):
            line = record[1] + b',"crc":"%08x"}' % zlib.crc32(record[1])
        if crc := VERDICT_CRC.fullmatch(line):
            line = crc[1] + b"%08x" % verdicts
            verdicts = 0
        yield line


if __name__ == "__main__":
    for sealed in seal(sys.stdin.buffer.read().split(b"\n")[:-1]):
        sys.stdout.buffer.write(sealed + b"\n")
