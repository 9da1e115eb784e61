"""Records for two validators: those of logs, and each kind of them changed in many ways.

    schema_agree.py SCHEMA CASES VERDICTS LOG...

Writes the records to CASES, one a line, and what python3-jsonschema says of each to VERDICTS.
"""
import copy
import json
import sys

from jsonschema import Draft202012Validator

OTHERS = [None, True, -1, 1.5, 1e12, "0x1f", [], {}]
RECORDS_OF_A_FORM = 2  # of which the first is changed
FORMS_OF_A_MEMBER = 2  # in so many of the forms of a kind that have it a member is changed


def form(record):
    """Records with the same members are alike; a few of each form are enough to change."""
    return (record.get("type"), tuple(record))


def places(value, path=()):
    """Paths of all members, and of the first two members or entries of what is inside them."""
    if isinstance(value, dict):
        entries = list(value.items())
    elif isinstance(value, list):
        entries = list(enumerate(value))
    else:
        return
    if len(path) > 0:
        entries = entries[:2]
    for key, member in entries:
        yield path + (key,)
        yield from places(member, path + (key,))


def changed(record, seen):
    """The record with each member taken away, replaced and beside an unknown one. `seen`: in how many forms each was."""
    for path in places(record):
        name = (record.get("type"), *path)
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > FORMS_OF_A_MEMBER:
            continue
        for other in OTHERS:
            copied = copy.deepcopy(record)
            parent = copied
            for key in path[:-1]:
                parent = parent[key]
            parent[path[-1]] = other
            yield copied
        copied = copy.deepcopy(record)
        parent = copied
        for key in path[:-1]:
            parent = parent[key]
        removed = parent.pop(path[-1])
        yield copied
        if isinstance(parent, dict):
            copied = copy.deepcopy(copied)
            parent = copied
            for key in path[:-1]:
                parent = parent[key]
            parent["surprise"] = removed
            yield copied


def records_of(files):
    for name in files:
        with open(name, encoding="ascii") as lines:
            for line in lines:
                if line.startswith("{"):
                    yield json.loads(line)


def main():
    schema_name, cases_name, verdicts_name, *logs = sys.argv[1:]
    with open(schema_name, encoding="ascii") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    seen, members = {}, {}
    with open(cases_name, "w", encoding="ascii") as cases, open(verdicts_name, "w", encoding="ascii") as verdicts:
        for record in records_of(logs):
            seen[form(record)] = seen.get(form(record), 0) + 1
            if seen[form(record)] > RECORDS_OF_A_FORM:
                continue
            for case in [record] if seen[form(record)] > 1 else [record, *changed(record, members)]:
                cases.write(json.dumps(case) + "\n")
                verdicts.write("valid\n" if validator.is_valid(case) else "invalid\n")


main()
