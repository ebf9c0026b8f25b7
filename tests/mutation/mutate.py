#!/usr/bin/python3
"""How many small faults the tests notice: mutate.py [--seed N] [--count N] [--nice N] [ROOM] [CMAKE'S OPTIONS]

Plants COUNT faults, one at a time, into the C files of the rooms (or of ROOM: "preload", "analyzer/gate"), of each
room as many as its lines are, and runs the tests that fit until one fails: those of the file, of its room, then all
of the library or of the analyzer, quick ones first. Prints each with its file, line, before and after, and at last
the numbers of each room. What equivalent.txt lists with a reason is not run. All of it happens in a copy of the
tree, build-mutation/. Exit status: 0; 1: there is nothing to plant into.
"""
import argparse
import collections
import concurrent.futures
import fcntl
import filecmp
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

import rules

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TREE, BUILD = ROOT / "build-mutation", ROOT / "build-mutation/build"
# Of each side CTest's labels, and what is built for them.
OF_BOTH = ["analyzer/all", "preload/all", "tests/cli/all", "tests/fake_cuda/all", "tests/preload/all"]
SIDES = {"analyzer": ("unit|detectors|recordings|cli|calibrate",
                      OF_BOTH + [f"tests/{name}/all" for name in ("unit", "detectors", "recordings", "fuzz")]),
         "preload": ("fake|calibrate", OF_BOTH)}
LEFT_OUT = re.compile(r"bench|install|cli-manual|cli-mpi")  # they build or count something else
SLACK_S, TIMES = 30, 10  # a test may take so many times as long as without a fault
LIMIT_S = 60  # of the tests for other rooms those that take as long together without a fault, quick ones first


def copy_tree():
    """As it is now; files that are the same keep their times."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True,
                            stdout=subprocess.PIPE, text=True).stdout.split("\0")
    names = {name for name in listed if name and (ROOT / name).is_file()}
    for side in (*SIDES, "tests", "facts"):
        for path in (TREE / side).rglob("*"):
            if path.is_file() and str(path.relative_to(TREE)) not in names:
                path.unlink()
    for name in names:
        if not (TREE / name).is_file() or not filecmp.cmp(ROOT / name, TREE / name, shallow=False):
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, TREE / name)


def run(command, seconds, folder=BUILD, environment=()):
    """The exit status; None: it took longer. What it started ends with it."""
    def begin():
        pathlib.Path("/proc/self/oom_score_adj").write_text("1000")  # what takes all memory ends first
        os.nice(options.nice)
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)
        if os.path.exists("/proc/self/autogroup"):  # a session of its own has a priority of its own
            pathlib.Path("/proc/self/autogroup").write_text(str(options.nice))

    process = subprocess.Popen(command, cwd=folder, env=dict(os.environ, **dict(environment)), stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=begin)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


class Test:
    def __init__(self, entry):
        values = {value["name"]: value["value"] for value in entry["properties"]}
        self.name, self.command, self.labels = entry["name"], entry["command"], "|".join(values["LABELS"])
        self.folder, self.seconds = values["WORKING_DIRECTORY"], 0
        self.environment = [text.split("=", 1) for text in values.get("ENVIRONMENT", ())]
        self.good = (0, values.get("SKIP_RETURN_CODE", 0))
        self.program = os.path.relpath(self.command[0], BUILD)
        source = list(TREE.glob(f"tests/*/{pathlib.Path(self.command[0]).name}.c"))
        self.text = source[0].read_text() if source else ""
        # Whether it runs no other program.
        self.is_linked = "_PATH" not in self.text and self.labels in ("unit", "detectors", "fake")

    def passes(self):
        begin, limit = time.monotonic(), SLACK_S + TIMES * self.seconds if self.seconds else 1800
        status = run(self.command, limit, self.folder, self.environment)
        self.seconds = self.seconds or time.monotonic() - begin
        return status in self.good

    def distance(self, path):
        """0: of the file, 1: of its room, 2: of the rest."""
        room, stem = path.relative_to(TREE).parent.as_posix().partition("/")[2], path.stem
        if f'"{room}/{stem}.h"' in self.text or stem in self.name or f".{stem.replace('_', '-')}." in self.name:
            return 0
        is_of_room = (f'"{room}/' in self.text or f"{room.upper()}_PATH" in self.text
                      or self.name.startswith(f"preload_{room}"))
        return 1 if is_of_room else 2


def failures(tests):
    """Names of those that fail, one after the other; as many at once as there are processors."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [(test, pool.submit(test.passes)) for test in tests]
        try:
            yield from (test.name for test, result in results if not result.result())
        finally:
            pool.shutdown(cancel_futures=True)


def build(targets):
    """Of these what there is: without the CUDA Toolkit there is no library."""
    return run(["ninja", *(name for name in targets if name[:4] == "bin/" or (BUILD / name).parent.is_dir())], 3600) == 0


def fitting(tests, path):
    """Those of the file and its room, and of the rest as many as there is time for."""
    seconds = 0
    for test in sorted(tests, key=lambda test: (test.distance(path), test.seconds)):
        seconds += test.seconds if test.distance(path) == 2 else 0
        if seconds <= LIMIT_S:
            yield test


def judge(path, number, mutant, tests):
    side, text = path.relative_to(TREE).parts[0], path.read_text()
    lines = text.splitlines(keepends=True)
    lines[number] = mutant + "\n"
    try:
        path.write_text("".join(lines))
        every = list(fitting(tests[side], path))
        near = [test for test in every if test.is_linked and test.distance(path) < 2]
        for targets, some in (({test.program for test in near}, near),
                              (SIDES[side][1], [test for test in every if test not in near])):
            if some and not build(targets):
                return "not built"
            for name in failures(some):
                return f"killed by {name}"
        return "SURVIVED"
    finally:
        path.write_text(text)


def configure(cmake_options):
    copy_tree()
    # What does not fit together is no fault that a test is for.
    flags = "-DCMAKE_C_FLAGS=-Werror=incompatible-pointer-types -Werror=int-conversion"
    subprocess.run(["cmake", "-S", TREE, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                    "-DSTREAMTRACE_SAMPLES=OFF", flags, *cmake_options], check=True, stdout=subprocess.DEVNULL)
    paths = {pathlib.Path(entry["file"]) for entry in json.loads((BUILD / "compile_commands.json").read_text())}
    return sorted(path for path in paths if re.match(f"({'|'.join(SIDES)})/", str(path.relative_to(TREE)))
                  and str(path.relative_to(TREE)).startswith(options.room))


def find_tests(sides):
    """Of each side those that pass without a fault."""
    if not all([build(SIDES[side][1]) for side in sides]):
        sys.exit("mutate: the tree does not build")
    listed = subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], check=True, stdout=subprocess.PIPE)
    every = [Test(entry) for entry in json.loads(listed.stdout)["tests"]
             if "command" in entry and not LEFT_OUT.search(entry["name"])]
    every = [test for test in every if any(re.search(SIDES[side][0], test.labels) for side in sides)]
    failing = set(failures(every))
    for name in sorted(failing):
        print(f"left out, for it fails without a fault: {name}", flush=True)
    return {side: [test for test in every if re.search(SIDES[side][0], test.labels) and test.name not in failing]
            for side in sides}


def main(cmake_options):
    random.seed(options.seed)
    TREE.mkdir(exist_ok=True)
    fcntl.flock(os.open(TREE / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC), fcntl.LOCK_EX)
    files = configure(cmake_options)
    files or sys.exit(f"mutate: no C file in {options.room}")
    known, results = rules.read_equivalent(), collections.defaultdict(collections.Counter)
    tests = find_tests(sorted({path.relative_to(TREE).parts[0] for path in files}))
    for room, path, number, mutant in rules.choose(files, TREE, options.count):
        name, before = str(path.relative_to(TREE)), path.read_text().splitlines()[number].strip()
        reason = known.get((name, before, mutant.strip()))
        result = f"equivalent: {reason}" if reason else judge(path, number, mutant, tests)
        results[room][re.sub("( by|:).*", "", result)] += 1
        print(f"{result}\n    {name}:{number + 1}\n    - {before}\n    + {mutant.strip()}", flush=True)
    for room, counts in [*sorted(results.items()), ("all", sum(results.values(), collections.Counter()))]:
        print(f"{room:20} " + ", ".join(f"{count} {result}" for result, count in sorted(counts.items())))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    for option, default in (("--seed", 1), ("--count", 60), ("--nice", 19)):
        parser.add_argument(option, type=int, default=default)
    parser.add_argument("room", nargs="?", default="")
    options, rest = parser.parse_known_args()
    main(rest)
