"""Opens everything that slotlog makes of logs that are damaged or made up with the reader it is made for.

    open_exports.py damaged SLOTLOG LOG SEED COUNT    copies of LOG, damaged at random: what is handed on was in LOG
    open_exports.py hostile SLOTLOG LOG SEED COUNT    copies with texts that mean harm, and the CRCs of what they are

A line for each fault; exit status 1 when there is one, 3 where a reader is not installed. SLOTLOG stands in a folder
of its own with a folder `echarts`, whose files may be empty.
"""
import csv
import html.parser
import io
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # beside the sources
from seal import seal

COMMANDS = {
    "csv": ["export", "-f", "csv"],
    "toplev-csv": ["export", "-f", "toplev-csv"],
    "perf-json": ["export", "-f", "perf-json"],
    "openmetrics": ["export", "-f", "openmetrics"],
    "junit": ["export", "-f", "junit"],
    "show": ["show"],
    "verify": ["verify"],
    "compare": ["compare"],
    "report": ["report"],
    "merge": ["merge"],
}
ENDS_AT_ONCE_S = 20


# ---- readers: each returns what was handed on, as texts that can be looked up in those of another log ----


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


CORE_COLUMNS = 4  # brand, signature, microcode, core type


def rows_of(made):
    rows = list(csv.reader(io.StringIO(made, newline=""), strict=True))
    for row in rows:
        if len(row) != len(rows[0]):
            raise ValueError(f"{len(row)} fields in {row}, and {len(rows[0])} columns")
        for field in row:
            if field.lstrip(" ")[:1] in tuple("=+-@\t\r") and not is_number(field):
                raise ValueError(f"a spreadsheet works out {field!r}")
    return {"\t".join(row) for row in rows}


def without_core(row):
    """The row where the core's record, of which the last columns are, is not believed."""
    return "\t".join(row.split("\t")[:-CORE_COLUMNS] + [""] * CORE_COLUMNS)


def perf_json(made):
    lines = [json.loads(line) for line in made.splitlines()]
    for line in lines:
        if line["counter-value"] != "<not counted>":
            float(line["counter-value"])
    return {json.dumps(line) for line in lines}


def openmetrics(made):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families

    families = list(text_string_to_metric_families(made))
    return {str(s) for family in families for s in family.samples if s.labels}


def junit(made):
    from junitparser import JUnitXml

    cases = []
    for suite in JUnitXml.fromstring(made.encode()):
        cases += [(case.name, [(type(r).__name__, r.message) for r in case.result]) for case in suite]
        if suite.tests != len(cases):
            raise ValueError(f"the suite states {suite.tests} cases, and has {len(cases)}")
    return {str(case) for case in cases[:-2]}  # the last two are the log's own


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.data, self.inside = [], "", False

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.inside = ("id", "data") in attrs

    def handle_data(self, data):
        if self.inside:
            self.data += data

    def handle_endtag(self, tag):
        self.inside = False


def report(made):
    page = Page()
    page.feed(made)
    json.loads(page.data)
    return {"tags: " + " ".join(page.tags)}


def merge(name):
    database = sqlite3.connect(name)
    if database.execute("PRAGMA integrity_check").fetchone() != ("ok",):
        raise ValueError("SQLite says that the file is damaged")
    rows = [row for table in ("core", "number", "verdict", "record")
            for row in database.execute(f"SELECT * FROM {table}")]
    rows_of_run = database.execute("SELECT board, bios, rig, detail, end_reason FROM run").fetchall()
    for row in rows + rows_of_run:
        for value in row:
            plain(value if isinstance(value, str) else "")
    for (text,) in database.execute("SELECT json FROM record"):
        json.loads(text)
    database.close()
    return {str(row) for row in rows}


def plain(made):
    line = made.replace("\n", "")
    if not line.isascii() or not line.isprintable():
        raise ValueError(f"not printable: {made[:2000]!r}")
    return set()


READERS = {"csv": rows_of, "toplev-csv": rows_of, "perf-json": perf_json, "openmetrics": openmetrics, "junit": junit,
           "show": plain, "verify": plain, "compare": plain, "report": report}


class Opener:
    """Runs every command over a log and opens what comes."""

    def __init__(self, program, original, folder):
        self.program, self.original, self.folder = program, original, folder
        self.runs, self.faults = 0, 0

    def fault(self, command, log, why):
        self.faults += 1
        kept = f"{self.folder}/fault-{self.faults}.log"
        with open(log, "rb") as source, open(kept, "wb") as target:
            target.write(source.read())
        print(f"{command} of {kept}: {why}")

    def read(self, command, log):
        files = [self.original, log] if command == "compare" else [log]
        database = f"{self.folder}/merged.sqlite"
        if os.path.exists(database):
            os.remove(database)  # of a log in which something was found
        more = ["-o", database] if command == "merge" else []
        ended = subprocess.run([self.program, *COMMANDS[command], *files, *more], capture_output=True,
                               timeout=ENDS_AT_ONCE_S, check=False)
        plain(ended.stderr.decode("ascii"))
        if ended.returncode not in (0, 1, 2):
            raise ValueError(f"status {ended.returncode}")
        if ended.returncode == 2 and (command not in ("compare", "verify") and ended.stdout or os.path.exists(database)):
            raise ValueError("refused, and something was written")
        if ended.returncode == 2:
            return set()
        if command != "merge":
            return READERS[command](ended.stdout.decode("utf-8" if command == "report" else "ascii"))
        return merge(database)

    def open_all(self, log, known):
        """`known`: by command what may be handed on; None: anything that opens."""
        for command in COMMANDS:
            self.runs += 1
            try:
                handed_on = self.read(command, log)
                if known and handed_on - known[command]:
                    self.fault(command, log, f"hands on what was never written: {min(handed_on - known[command])}")
            except ModuleNotFoundError as missing:
                print(f"{missing.name} is not installed")
                sys.exit(3)
            except Exception as why:
                self.fault(command, log, f"{type(why).__name__}: {why}")


# ---- logs ----


def damaged(rng, text):
    """A copy that a line or a stick damaged at one to four places."""
    text = bytearray(text)
    for _ in range(rng.randint(1, 4)):
        at, length = rng.randrange(len(text)), rng.randint(1, 40)
        how = rng.randrange(8)
        if how == 0:
            del text[at:at + length]
        elif how == 1:
            text[at:at] = text[at:at + length]
        elif how == 2:
            text[at:at + length] = rng.randbytes(length)
        elif how == 3 and rng.randrange(4) == 0:
            del text[at + 1:]
        else:
            text[at] ^= 1 << rng.randrange(8)
    return bytes(text)


HOSTILE = [
    "=HYPERLINK(\"http://example.com\",\"a\")", "+1+1", "-2+3", "@SUM(A1)", "  =1+1", "\t=1+1", "a,b;c\td", "\"quoted\" 'text'",
    "</script><script>alert(1)</script>", "<!--", "]]>", "&amp;&lt;&#0;", "<testcase/>", "\x1b[2J\x1b]0;title\x07", "\x9b2J", "\r\nok 1 - no",
    "a\nb", "\x00", "a\x01\x08\x0b\x0c\x1f\x7fb", "\u202etxt.exe", "\ufeff", "\ufffe\uffff", "\u2028\u2029", "\U0001f600",
    "caf\xe9", "\\", "\\\"", "{}", "# EOF", "' OR 1=1; DROP TABLE run; --", "%s%n%1000000s", "", "a" * 3000, "a" * 70000,
    "\udc80\udcff", "\udcc0\udc80", "\udced\udca0\udc80", "__proto__", "true", "nan", "1e999",
]


def places(value, path=()):
    """Where texts are in a record: each member whose value is one, and each name; of a list the first two values."""
    if isinstance(value, str):
        yield path, False
    elif isinstance(value, dict):
        for name in value:
            yield path + (name,), True
            yield from places(value[name], path + (name,))
    elif isinstance(value, list):
        for i in range(min(len(value), 2)):
            yield from places(value[i], path + (i,))


def planted(record, path, is_name, text):
    """The record with the text at a place of it: as a name, or as a value."""
    if len(path) > 1:
        changed = record.copy()
        changed[path[0]] = planted(record[path[0]], path[1:], is_name, text)
        return changed
    if is_name:
        return {text if name == path[0] else name: value for name, value in record.items()}
    changed = record.copy()
    changed[path[0]] = text
    return changed


def encoded(text):
    return text.encode("utf-8", "surrogateescape")


def hostile_record(rng, line):
    record = json.loads(line)
    found = [place for place in places(record) if place[0][0] not in ("type", "crc", "log_version")]
    if not found:
        return line
    path, is_name = rng.choice(found)
    record = planted(record, path, is_name, rng.choice(HOSTILE))
    record["crc"] = record.pop("crc")
    return encoded(json.dumps(record, ensure_ascii=rng.randrange(2) == 0, separators=(",", ":")))


def hostile_line(rng, line):
    if line.startswith(b"{"):
        return hostile_record(rng, line)
    if b"ok " in line[:7] and rng.randrange(4) == 0:
        begin, _, claim = line.partition(b" - ")
        text = encoded(rng.choice(HOSTILE))
        return begin + b" - " + rng.choice([text, claim + text, text + b" " + claim, claim + b" # SKIP " + text])
    return line


def hostile(rng, text):
    """A log that is made up: a text that means harm in every second record, and in some verdicts."""
    lines = [hostile_line(rng, line) if rng.randrange(2) else line for line in text.split(b"\n")[:-1]]
    if rng.randrange(8) == 0:
        lines.insert(rng.randrange(len(lines)), rng.choice([b"\0" * 100, b"x" * 1000000, "ok 1 - a\r\n".encode("utf-16")]))
    return b"".join(line + b"\n" for line in seal(lines))


def main(kind, program, original, seed, count):
    rng = random.Random(int(seed))
    with open(original, "rb") as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.environ.get("KEEP", scratch)
        opener = Opener(program, original, folder)
        known = {command: opener.read(command, original) for command in COMMANDS} if kind == "damaged" else None
        if known:
            known["csv"] |= {without_core(row) for row in known["csv"]}
        for _ in range(int(count)):
            log = f"{folder}/made.log"
            with open(log, "wb") as file:
                file.write({"damaged": damaged, "hostile": hostile}[kind](rng, text))
            opener.open_all(log, known)
    print(f"{count} logs, {opener.runs} runs of slotlog, {opener.faults} faults")
    return opener.faults > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
