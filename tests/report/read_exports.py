"""What the readers of others make of `slotlog export`.

    read_exports.py junit FILE          junitparser: outcome, name and reason of each case, in their order
    read_exports.py openmetrics FILE    prometheus_client: core, kernel, node and value of each share, sorted; and the
                                        names of all families

The fields of a line are separated by tabs. Exit status 3: the reader is not installed.
"""
import sys


def junit(name):
    from junitparser import JUnitXml

    for suite in JUnitXml.fromfile(name):
        cases = list(suite)
        outcomes = [case.result[0] if case.result else None for case in cases]
        kinds = [type(outcome).__name__ for outcome in outcomes]
        stated = (suite.tests, suite.failures, suite.skipped, suite.errors)
        counted = (len(cases), kinds.count("Failure"), kinds.count("Skipped"), kinds.count("Error"))
        if stated != counted:
            sys.exit(f"the suite states {stated}, and has {counted}")
        for case, kind, outcome in zip(cases, kinds, outcomes):
            reason = outcome.message if kind == "Skipped" else ""
            print("passed" if outcome is None else kind.lower(), case.name, reason, sep="\t")


def openmetrics(name):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families

    with open(name, encoding="ascii") as file:
        families = list(text_string_to_metric_families(file.read()))
    shares = [
        (sample.labels["core"], sample.labels["kernel"], sample.labels["node"], f"{sample.value:.4f}")
        for family in families
        for sample in family.samples
        if family.name == "slotscope_node_slots" and "dose" not in sample.labels
    ]
    for share in sorted(shares):
        print(*share, sep="\t")
    print("families", *sorted(family.name for family in families), sep="\t")


try:
    {"junit": junit, "openmetrics": openmetrics}[sys.argv[1]](sys.argv[2])
except ModuleNotFoundError as missing:
    print(f"{missing.name} is not installed")
    sys.exit(3)
