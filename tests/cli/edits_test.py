#!/usr/bin/python3
"""report --edit on the recordings: edits_test.py STREAMTRACE SOURCE_DIR SQL [NVCC]

Each diff applies, by patch and by git, and makes of the sample's source what is written here; the edited sample
compiles where there is NVCC. SQL: the command-line program of SQLite.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

STREAMTRACE, SOURCE, SQL = sys.argv[1:4]
NVCC = sys.argv[4] if len(sys.argv) > 4 else None
RECORDINGS = os.path.join(SOURCE, "samples", "recordings")
# The samples whose fix is mechanical: lines that the edit removes and adds, without their indentation.
EDITS = {
    "blocking_copy": (["CHECK(cudaMemcpy(out, slot->out, bytes, cudaMemcpyDeviceToHost));"],
                      ["CHECK(cudaMemcpyAsync(out, slot->out, bytes, cudaMemcpyDeviceToHost, stream));"]),
    "default_stream": (["mix_elements<<<grid, block>>>(slot->out, slot->in, count, rounds);"],
                       ["mix_elements<<<grid, block, 0, stream>>>(slot->out, slot->in, count, rounds);"]),
    "free_sync": (["CHECK(cudaMalloc(&result, bytes));", "CHECK(cudaFree(result));"],
                  ["CHECK(cudaMallocAsync(&result, bytes, stream));", "CHECK(cudaFreeAsync(result, stream));"]),
    "memset_sync": (["CHECK(cudaMemset(group->tallies, 0, TALLIES * sizeof(uint32_t)));"],
                    ["CHECK(cudaMemsetAsync(group->tallies, 0, TALLIES * sizeof(uint32_t), group->stream));"]),
    "shared_stream": (["cudaStream_t stream = p->is_fixed ? cudaStreamPerThread : cudaStreamLegacy;"],
                      ["cudaStream_t stream = p->is_fixed ? cudaStreamPerThread : cudaStreamPerThread;"]),
    "sleep_poll": (["while (cudaEventQuery(is_there) == cudaErrorNotReady)", "/* PITFALL: host-wait-in-loop */",
                    "std::this_thread::sleep_for(std::chrono::milliseconds(SLEEP_MS));"],
                   ["cudaEventSynchronize(is_there);"]),
    "sync_in_loop": (["if (!p->is_fixed)", "/* PITFALL: sync-in-loop */", "CHECK(cudaStreamSynchronize(stream));"], []),
}
failures = 0


def check(condition, text):
    global failures
    if not condition:
        print(f"edits: {text}")
        failures += 1


def report(*arguments, folder=SOURCE, status=0):
    done = subprocess.run([STREAMTRACE, "report", "--no-measure", *arguments], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "LC_ALL": "C.UTF-8"})
    check(done.returncode == status, f"{arguments}: status {done.returncode}: {done.stderr}")
    return done.stdout


def edits(trace, **options):
    return [finding["edit"] for finding in json.loads(report("--edit", "--format=json", trace, **options))["findings"]]


def copy_sources(folder):
    for name in ["samples", "kernels"]:
        shutil.copytree(os.path.join(SOURCE, name), os.path.join(folder, name), ignore=shutil.ignore_patterns("recordings"))


def check_applies(name, edit, folder):
    """By both tools, to the same text."""
    file = os.path.join("samples", name + ".cu")
    check(edit["folder"] == folder and edit["why_not"] is None and edit["relies_on"], f"{name}: {edit}")
    before = open(os.path.join(folder, file)).read()
    after = []
    for command in (["git", "apply", "-"], ["patch", "-p1", "-s"]):
        done = subprocess.run(command, input=edit["diff"], text=True, cwd=folder, capture_output=True)
        check(done.returncode == 0, f"{name}: {command}: {done.stderr}{done.stdout}")
        after.append(open(os.path.join(folder, file)).read())
        with open(os.path.join(folder, file), "w") as out:
            out.write(before)
    check(after[0] == after[1] != before, f"{name}: git and patch make two texts, or nothing")
    removed, added = EDITS[name]
    lines = [re.sub(r"^[-+]\s*", "", line) for line in edit["diff"].split("\n")]
    marks = [line[:1] for line in edit["diff"].split("\n")]
    check([l for l, m in zip(lines[2:], marks[2:]) if m == "-"] == removed, f"{name}: {edit['diff']}")
    check([l for l, m in zip(lines[2:], marks[2:]) if m == "+"] == added, f"{name}: {edit['diff']}")
    return after[0]


def check_compiles(name, text, folder):
    file = os.path.join(folder, "samples", name + ".edit.cu")
    with open(file, "w") as out:
        out.write(text)
    done = subprocess.run([NVCC, "-std=c++17", "-I", folder, "-Xcompiler=-fsyntax-only", "-c", "-o", "/dev/null", file],
                          capture_output=True, text=True)
    check(done.returncode == 0, f"{name}: does not compile: {done.stderr}")


def check_samples(folder):
    copy_sources(folder)
    made = set()
    for name in sorted(os.listdir(RECORDINGS)):
        sample = name.split(".")[0]
        for edit in edits(os.path.join(RECORDINGS, name), folder=folder):
            check((edit["diff"] is None) == (edit["why_not"] is not None), f"{name}: {edit}")
            check((edit["diff"] is None) == (edit["proof"] is None), f"{name}: {edit['proof']}")
            if not edit["diff"]:
                continue
            check(name == sample + ".db" and sample in EDITS, f"{name}: an edit that is not expected: {edit['diff']}")
            made.add(sample)
            text = check_applies(sample, edit, folder)
            if NVCC:
                check_compiles(sample, text, folder)
    check(made == set(EDITS), f"edits of {made}")


def check_text(folder):
    """The text has the diff as it is, or why there is none; patch takes the report itself."""
    trace = os.path.join(RECORDINGS, "sync_in_loop.db")
    text = report("--edit", trace, folder=folder)
    diff = edits(trace, folder=folder)[0]["diff"]
    check(diff in text and f"edit: patch -p1 in {folder}" in " ".join(text.split()), f"no edit in {text}")
    done = subprocess.run(["patch", "-p1", "-s", "--dry-run"], input=text, text=True, cwd=folder, capture_output=True)
    check(done.returncode == 0, f"patch does not take the report: {done.stdout}")
    check("edit:" not in report(trace, folder=folder), "an edit without --edit")
    text = " ".join(report("--edit", os.path.join(RECORDINGS, "wide_sync.db"), folder=folder).split())
    check("edit: none: which stream or event the host needs depends on what it reads next." in text, f"no reason in {text}")
    for arguments in [["--format=csv"], ["--format=html"], ["--host"]]:
        report("--edit", *arguments, trace, folder=folder, status=2)


def check_changed(folder):
    """No edit of a line that is another one now, or of a file that is missing, a pipe or no text."""
    trace = os.path.join(RECORDINGS, "blocking_copy.db")
    file = os.path.join(folder, "samples", "blocking_copy.cu")
    text = open(file).read()
    for what, other in [("moved", "\n\n\n\n\n\n" + text), ("short", "\n"), ("no text", text + "\x1b"), ("not UTF-8", None)]:
        with open(file, "wb") as out:
            out.write(other.encode() if other else text.encode() + b"\xff")
        check(edits(trace, folder=folder)[0]["diff"] is None, f"an edit of a file that is {what}")
    os.remove(file)
    check(edits(trace, folder=folder)[0]["why_not"] == "the source is not on this machine", "a file that is missing")
    os.mkfifo(file)
    check(edits(trace, folder=folder)[0]["diff"] is None, "an edit of a pipe")
    os.remove(file)
    with open(file, "w") as out:
        out.write(text)
    # The same line, in a file that is not the one that was compiled.
    copy = os.path.join(folder, "hashed.db")
    shutil.copy(trace, copy)
    subprocess.run([SQL, copy, """CREATE TABLE IF NOT EXISTS source_files (file TEXT PRIMARY KEY, hash INTEGER NOT NULL);
        INSERT INTO source_files VALUES ('samples/blocking_copy.cu', 1)"""], check=True)
    check("changed" in (edits(copy, folder=folder)[0]["why_not"] or ""), "an edit of a file with another hash")
    source = json.loads(report("--source", "--format=json", copy, folder=folder))["findings"][0]["source"]
    check(source["has_changed"] is True, "a file with another hash has not changed")
    value = 14695981039346656037
    for byte in text.encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    subprocess.run([SQL, copy, f"UPDATE source_files SET hash = {value - 2**64 if value >= 2**63 else value}"], check=True)
    check(edits(copy, folder=folder)[0]["diff"], "no edit of the file with that hash")
    source = json.loads(report("--source", "--format=json", copy, folder=folder))["findings"][0]["source"]
    check(source["has_changed"] is False, "the file with that hash has changed")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        check_samples(folder)
        check_text(folder)
        check_changed(folder)
    return 1 if failures else 0


sys.exit(main())
