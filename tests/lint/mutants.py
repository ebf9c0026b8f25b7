#!/usr/bin/python3
"""How many small faults the tests notice: mutants.py BUILD COUNT [SEED] [FOLDER...]

Plants COUNT faults, one at a time, into the C files of the folders (analyzer and preload without any), builds,
and runs the tests with CTest's label that tells: unit, detectors, recordings and cli for analyzer/, fake for preload/. Prints
a line a mutant, and how many were killed in each room. What takes long is run only where all else passed. The
tree must have no changes; it is as before in the end. Nothing but a person runs this: it takes minutes.
"""
import os
import random
import re
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LABELS = {"analyzer": "unit|detectors|recordings|cli", "preload": "fake"}
SLOW = "unit-fuzz|unit-load|cli-gate|cli-export|full_rate|full-rate|kill"

# What a line may be changed into: a comparison that takes its bound along, a condition turned, a sum that is a
# difference, a number beside its own, a return value.
RULES = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "),
    (r" == ", " != "), (r" != ", " == "), (r" && ", " || "), (r" \|\| ", " && "),
    (r" \+ ", " - "), (r" - ", " + "), (r"return true;", "return false;"), (r"return false;", "return true;"),
    (r"\bif \((?!!)(\w+)\)", r"if (!\1)"), (r"\+= ", "-= "), (r"\bcontinue;", "break;"),
]


def places(folders):
    """Each (file, line number, new line)."""
    for folder in folders:
        for path, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in sorted(names):
                if not name.endswith(".c"):
                    continue
                file = os.path.join(path, name)
                for number, line in enumerate(open(file, encoding="utf-8")):
                    if line.startswith(("#", " *", "/*", "\t *", "\t/*")) or '"' in line:
                        continue
                    for pattern, text in RULES:
                        for match in re.finditer(pattern, line):
                            yield file, number, line[: match.start()] + match.expand(text) + line[match.end() :]


def run(command, seconds):
    """The exit status; None: it took longer."""
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def judge(build, file):
    if run(["ninja", "-C", build, "-j2"], 900) != 0:
        return "not built"
    labels = LABELS[os.path.relpath(file, ROOT).split(os.sep)[0]]
    for chosen in (["-E", SLOW], ["-R", SLOW]):
        tests = ["ctest", "--test-dir", build, "-j2", "-L", labels, "--stop-on-failure", *chosen]
        if run(tests, 900) != 0:
            return "killed"
    return "SURVIVED"


def tell(results):
    """A line for each room with the numbers of its mutants."""
    for room in sorted(results):
        print(f"{room:20} " + ", ".join(f"{number} {result}" for result, number in sorted(results[room].items())))


def main():
    build, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    chosen = random.sample(sorted(places(sys.argv[4:] or list(LABELS))), count)
    results = {}
    for file, number, mutant in chosen:
        original = open(file, encoding="utf-8").read()
        lines = original.splitlines(keepends=True)
        lines[number] = mutant
        try:
            open(file, "w", encoding="utf-8").write("".join(lines))
            result = judge(build, file)
        finally:
            open(file, "w", encoding="utf-8").write(original)
        room = results.setdefault(os.path.relpath(os.path.dirname(file), ROOT), {})
        room[result] = room.get(result, 0) + 1
        print(f"{result:9} {os.path.relpath(file, ROOT)}:{number + 1}: {mutant.strip()}", flush=True)
    run(["ninja", "-C", build, "-j2"], 900)
    tell(results)


if __name__ == "__main__":
    main()
