"""Prints doc/arms.md: which arm of each `A if C else B` of four descriptions a run takes, and a kernel that takes it.

    arms_page.py DESCRIPTION FOLDER ...

FOLDER has the logs of print_arms.sh, CPU-RUN.log. What a description says is read from pmu/cpu/ anew, by no code of
the image.
"""
import glob
import json
import os
import re
import sys

NOT_ASKED = "not asked: only an arm that is not taken needs it"
RUNS = {"one": "", "smt": " beside itself", "packages": " on two packages"}


def formulas(cpu):
    """The formulas with a condition, by name: those of the file that it is like, and what the file states anew."""
    found = {}
    for line in open(f"pmu/cpu/{cpu}.def", encoding="ascii"):
        words = re.sub(r"(^|\s)#(\s.*|$)", "", line).split()
        if words[:1] == ["like"]:
            found = formulas(words[1])
        elif words[:1] == ["without"]:
            for name in words[1:]:
                found.pop(name, None)
        elif words and words[0] in ("let", "node") and "=" in words:
            text = " ".join(words[words.index("=") + 1 :])
            found.pop(words[1], None)
            if " if " in text:
                found[words[1]] = re.sub(r" (above|below) [0-9.]+( or \S+)?( & parent)?$", "", text)
    return found


def conditions(text):
    """The conditions of a formula in the order in which they are asked: C before A, A before B."""
    words = text.split()
    while words and words[0] == "(" and closing(words, 0) == len(words) - 1:
        words = words[1:-1]
    at = next((i for i, word in enumerate(words) if word == "if" and depth(words, i) == 0), None)
    if at is None:
        inner = []
        i = 0
        while i < len(words):
            if words[i].endswith("("):
                end = closing(words, i)
                inner += conditions(" ".join(words[i + 1 : end]))
                i = end
            i += 1
        return inner
    nested = 0
    for end in range(at + 1, len(words)):
        if depth(words, end) == 0 and words[end] == "if":
            nested += 1
        if depth(words, end) == 0 and words[end] == "else":
            if nested == 0:
                break
            nested -= 1
    asked = " ".join(words[at + 1 : end])
    return conditions(asked) + [asked] + conditions(" ".join(words[:at])) + conditions(" ".join(words[end + 1 :]))


def depth(words, at):
    return sum(word.count("(") - word.count(")") for word in words[:at])


def closing(words, at):
    """The word that closes the parenthesis that the word at `at` opens."""
    return next(i for i in range(at + 1, len(words)) if depth(words, i + 1) == depth(words, at))


def taken(folder, cpu):
    """(name, number of the condition, arm): the kernels that take it, the first run first."""
    seen = {}
    for run, where in RUNS.items():
        for path in sorted(glob.glob(os.path.join(folder, f"{cpu}-{run}.log"))):
            for line in open(path, encoding="ascii", errors="replace"):
                if not line.startswith('{"type":"topdown"'):
                    continue
                record = json.loads(line)
                for name, arms in record.get("arms", {}).items():
                    for number, arm in enumerate(arms.split()):
                        kernels = seen.setdefault((name, number, arm), [])
                        kernel = f"`{record['kernel']}`{where}"
                        if not record["kernel"].startswith("cal.") and kernel not in kernels:
                            kernels.append(kernel)
    return seen


def shown(kernels):
    return ", ".join(kernels[:2]) + (f" and {len(kernels) - 2} more" if len(kernels) > 2 else "")


def parameters(cpu):
    """The parameters of a description and of what it is like."""
    found = {}
    for line in open(f"pmu/cpu/{cpu}.def", encoding="ascii"):
        words = line.split()
        if words[:1] == ["like"]:
            found = parameters(words[1])
        elif words[:1] == ["parameter"]:
            found[words[1]] = words[2]
    return found


def why_not(condition, text, stated):
    """Why no run takes the arm of a condition of the formula."""
    if "#PERF_METRICS_MSR" in condition:
        return "where the core has no PERF_METRICS, and in `methods` with `both = yes`"
    if "#PMM_App_Direct" in text and condition != "#Memory == 1":
        return "none: see `#PMM_App_Direct`"
    name = condition.split()[0]
    if name in stated:
        return f"none: the description's `{name}` is {stated[name]}"
    return "none"


def main():
    folder = sys.argv[1]
    for cpu in sys.argv[2:]:
        seen = taken(folder, cpu)
        stated = parameters(cpu)
        print(f"\n## {cpu}\n\n| node or part | condition | `if` | `else` |\n|---|---|---|---|")
        for name, text in formulas(cpu).items():
            asked = any(key[0] == name for key in seen)
            for number, condition in enumerate(conditions(text)):
                arms = [shown(seen.get((name, number, arm), [])) for arm in ("if", "else")]
                if not asked:
                    arms = [NOT_ASKED, NOT_ASKED]
                arms = [arm or why_not(condition, text, stated) for arm in arms]
                print(f"| `{name}` | `{condition}` | {arms[0]} | {arms[1]} |")


main()
