#!/usr/bin/python3
"""Whether samples/README.md says of each sample what its source and docs/measurements/accuracy.md say

Usage: table_test.py ROOT"""
import re
import sys


def rows(text, heading):
    """The cells of the first table below the heading, by the names of their columns."""
    lines = text[text.index(heading + "\n"):].split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    names = cells(lines[first])
    for line in lines[first + 2:]:
        if not line.startswith("|"):
            return
        yield dict(zip(names, cells(line)))


def cells(line):
    return [cell.strip() for cell in line.strip("|\n").split("|")]


def broken_lines(source):
    """Those behind a comment with PITFALL, and the findings that it names."""
    found = {}
    for number, line in enumerate(source.split("\n"), 1):
        if match := re.search(r"/\* PITFALL: (\S+)", line):
            found[number + 1] = match[1]
    return found


def is_number(text):
    return re.fullmatch(r"[\d.]+", text) is not None


def main(root):
    def read(name):
        with open(f"{root}/{name}") as file:
            return file.read()

    wrong = []
    measured = {row["sample"]: (row["saved"], row["predicted"])
                for row in rows(read("docs/measurements/accuracy.md"), "## Samples")}
    readme, listed = read("samples/README.md"), set()
    for heading, folder in ("# Samples", "samples/"), ("## Two GPUs", "samples/"):
        for row in rows(readme, heading):
            name, source = re.match(r"\[(\w+)\]\(([\w/]+\.cu)\)", row["sample"]).groups()
            listed.add(name)
            lines = broken_lines(read(folder + source))
            told = [int(number) for number in re.findall(r"\d+", row["broken line"].split(":")[0])]
            if told != list(lines):
                wrong.append(f"{name}: broken lines {told}, the source has {list(lines)}")
            for finding in set(lines.values()):
                if f"`{finding}`" not in row["finding"]:
                    wrong.append(f"{name}: the finding {finding} is not named")
            saves = (row["saves, ms"], row["predicted, ms"])
            if not all(map(is_number, saves)) or saves != measured.get(name):
                wrong.append(f"{name}: saves {saves}, docs/measurements/accuracy.md has {measured.get(name)}")
    samples = re.search(r"set\(STREAMTRACE_SAMPLES([^)]*)\)", read("samples/list.cmake"))[1].split()
    wrong += [f"{name}: no row" for name in samples if name not in listed]
    print("\n".join(wrong) or f"{len(listed)} samples: nothing wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
