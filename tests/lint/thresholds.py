#!/usr/bin/python3
"""Whether the numbers that decide are rows of analyzer/base/thresholds.def: thresholds.py [ROOT]

Prints a line for each #define of a number in the rooms below, for each row that nothing uses or whose source is of no kind,
and for each page or heading of docs/measurements/ that a source names and that is not there; and if too many rows are
"judgement". Exit status: 0 none, 1 some.
"""
import pathlib
import re
import sys

ROOMS = ("model", "replay", "detectors", "races", "findings")
INTERFACES = {"HAVE_DECL_BASENAME"}  # what a header of others asks for
KINDS = ("measured", "document", "recordings", "test", "derived", "limit", "judgement")
MOST_JUDGEMENTS = 2
ROW = re.compile(r'^THRESHOLD\(\w+, (\w+), [^"]*"[^"]*",\s*(?:"[^"]*"\s*)+,\s*((?:"[^"]*"\s*)+)\)', re.M)


def check_defines(analyzer):
    for room in ROOMS:
        for path in sorted((analyzer / room).rglob("*.c")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = re.match(r"\s*#\s*define\s+(\w+)\s+\(*-?\.?\d", line)
                if found and found[1] not in INTERFACES:
                    yield f"{path.relative_to(analyzer.parent)}:{number}: {found[1]}: a number that decides is a row of " \
                          "thresholds.def, another one an enum"


def check_source(root, name, source):
    kind, _, words = source.partition(": ")
    if kind not in KINDS or not words:
        yield f"{name}: a source is one of {', '.join(KINDS)}, and what it says"
    page = re.match(r"(\S+\.md), ([^:;]+)", words)
    if kind == "measured" and page:
        path = root / "docs/measurements" / page[1]
        if not path.exists() or f"\n## {page[2]}\n" not in path.read_text():
            yield f"{name}: docs/measurements/{page[1]} has no '{page[2]}'"


def check_rows(root):
    analyzer = root / "analyzer"
    text = (analyzer / "base/thresholds.def").read_text()
    rows = [(name, "".join(re.findall(r'"([^"]*)"', source))) for name, source in ROW.findall(text)]
    used = "".join(path.read_text() for room in ROOMS for path in (analyzer / room).rglob("*.[ch]"))
    if len(rows) != len(re.findall(r"^THRESHOLD\(", text, re.M)):
        yield "thresholds.def: a row is not understood"
    for name, source in rows:
        if not re.search(rf"\b{name}\b", used):
            yield f"{name}: nothing uses it"
        yield from check_source(root, name, source)
    judged = [name for name, source in rows if source.startswith("judgement")]
    if len(judged) > MOST_JUDGEMENTS:
        yield f"{len(judged)} numbers are judgement: {' '.join(judged)}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    wrong = list(check_defines(root / "analyzer")) + list(check_rows(root))
    print("\n".join(wrong + [f"thresholds: {len(wrong) or 'nothing'} wrong"]))
    sys.exit(bool(wrong))


main()
