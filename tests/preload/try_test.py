#!/usr/bin/python3
"""`streamtrace try` on the stand-in for the GPU: try_test.py STREAMTRACE TRY_APP FAKE_CUDA LUCK_APP

Which fixes are made or refused, what is said of runs that fail, and that the user's program behaves as if it had been
run once. Of times nothing is asked: machines that run tests are busy. Exit status: 0 all is well, 1 something is not.
"""
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import schemas

STREAMTRACE, APP = map(os.path.abspath, sys.argv[1:3])
STEPS = 30  # of the program
LONG_STEPS = 1000  # likewise
STATUS = 7  # of the program
HANG_S = 10  # a run that takes longer hangs, at least
OUTPUT = f"did {STEPS} steps\n"
OF_TIMES = {"saves", "costs", "no-difference", "control-differs"}
failures = 0


def check(is_right, what):
    global failures
    if not is_right:
        failures += 1
        print("FAILED:", str(what)[:3000])


def run(*arguments, **options):
    return subprocess.run([STREAMTRACE, "try", "--no-measure", *arguments], capture_output=True, text=True, **options)


def try_json(*arguments, status=STATUS, shown=1, output=OUTPUT, **options):
    """What is printed as JSON; the program's output goes to standard error then, once."""
    done = run("--format=json", *arguments, **options)
    check(done.returncode == status, f"{arguments}: status {done.returncode}, {done.stderr}")
    check(done.stderr.count(output) == shown, f"{arguments}: {done.stderr}")
    value = json.loads(done.stdout)
    for wrong in schemas.errors(value, SCHEMA):
        check(False, f"{arguments}: {wrong}")
    check(value["status"] == status, value)
    return value


def try_until_made(runs, how, **expected):
    """A recording on a busy machine may have other findings, none of which can be tried: then once more."""
    for _ in range(30):
        value = try_json("--apply=all", f"--runs={runs}", APP, how, **expected)
        made = [one for one in value["findings"] if one["fix"]]
        if made:
            break
    return value, made


def check_made(how, findings, fix, first_uses=0, results=2, runs=11):
    """The fix is made at each call of the one site but the first uses, and results are the same. Which finding it is for depends on the
    machine's times. runs: three that check, the control, and blocks of four, of which a saving needs three."""
    value, made = try_until_made(runs, how)
    check(made and all(one["fix"] == fix and one["id"] in findings for one in made), value)
    found = made[0]
    check(value["verdict"] in (OF_TIMES if runs == 19 else ["too-few-pairs"]) and value["obstacle"] is None, value)
    check(value["runs"] == runs and value["control_ns"]["pairs"] == 2 + (runs - 7) // 4, value)
    check([found["call_sites"], found["reason"]] == [1, None], value)
    check(value["calls"]["seen"] == value["calls"]["changed"] + first_uses == STEPS, value)
    check(value["results"] == {"same": results, "not_compared": 0, "varying": 0, "count_varies": False, "different": None}, value)
    check(0 <= value["predicted_ns"]["low"] <= value["predicted_ns"]["estimate"] <= value["predicted_ns"]["high"], value)
    check(0 < value["medians"]["untouched_ns"] < value["medians"]["untouched_program_ns"], value)
    return value


def check_fixes():
    value = check_made("free", ("free-sync", "alloc-in-loop"), "held-free", runs=19)
    check(value["takes"]["device_bytes"] > 0, "no block was held")
    taken = check_made("copy", ("pageable-copy", "pageable-blocking"), "pinned-ring")["takes"]
    check(taken["pinned_bytes"] > 0 and taken["set_up_ns"] > 0, taken)
    taken = check_made("again", ("pageable-copy", "pageable-blocking"), "pinned-source", first_uses=2)["takes"]
    check(taken["pinned_bytes"] > 0 and taken["set_up_ns"] > 0, taken)
    check_made("result", ("pageable-copy", "pageable-blocking"), "pinned-result", first_uses=2, results=STEPS + 2)
    check_made("sync", ("sync-in-loop",), "dropped-wait")


def check_managed():
    """Kernels find managed memory on the device."""
    value = try_json("--apply=managed-fault", "--runs=11", APP, "managed")
    found = value["findings"][0]
    check([found["fix"], found["call_sites"], found["reason"]] == ["prefetch", 1, None], value)
    check(value["calls"] == {"seen": STEPS, "changed": STEPS, "unchanged_because": None}, value)
    check(value["takes"]["device_bytes"] == value["takes"]["pinned_bytes"] == 0, value)
    check(value["results"]["same"] == 2 and value["predicted_ns"]["estimate"] > 0, value)


def check_turns():
    """A program with many steps is run once, with and without the fixes in turn, and not in blocks of runs."""
    value, made = try_until_made(19, "long", output=f"did {LONG_STEPS} steps\n")
    check([one["fix"] for one in made] == ["held-free"], value)
    turns = value["turns"] or {"count": 0, "calls": 0, "warm_up_calls": 0}
    calls = turns["calls"] + turns["warm_up_calls"]
    check(turns["count"] == 24 and calls == LONG_STEPS // 24 and turns["warm_up_calls"] == calls // 5, value)
    check(value["verdict"] in OF_TIMES and value["obstacle"] is None and value["runs"] == 5, value)
    check(value["control_ns"]["pairs"] == 7 and (value["tried_ns"] or {"pairs": 10})["pairs"] == 10, value)
    check(value["calls"]["seen"] == value["calls"]["changed"] == LONG_STEPS, value)
    check(value["results"] == {"same": 2, "not_compared": 0, "varying": 0, "count_varies": False, "different": None}, value)
    # Turns at the pace of the device or of the host.
    check(200e6 < value["medians"]["fixed_ns"] and 300e6 < value["medians"]["untouched_ns"], value)


def check_luck():
    """Programs that rely on a wait: no fix is made that takes it away."""
    for case, reason in (("free", "only (the wait in )?cudaFree at .*luck_app.c"),
                         ("source", "only cudaMemcpy at .*luck_app.c.* waits until cudaMemcpyAsync at .*luck_app.c.* has read its"),
                         ("pinned", ""), ("flag", ""), ("thread", ""), ("function", "")):
        value = try_json("--apply=all", "--runs=7", sys.argv[4], case, shown=0)
        check(value["verdict"] == "refused" and not any(one["fix"] for one in value["findings"]), f"{case}: {value}")
        reasons = [one["reason"] for one in value["findings"]]
        check(not reasons or re.search(reason, " ".join(filter(None, reasons))), f"{case}: {value}")
    # A cudaMemcpy() from memory that is pinned in place waits as before.
    value = try_json("--apply=all", "--runs=7", sys.argv[4], "place", shown=0)
    check("pinned-source" in [one["fix"] for one in value["findings"]] and value["verdict"] == "too-few-pairs", value)


def check_refused():
    value = try_json("--apply=all", APP, "read")
    check(value["verdict"] == "refused" and value["runs"] == 0 and value["predicted_ns"] is None, value)
    reasons = {one["id"]: one["reason"] for one in value["findings"]}
    frees = [reason for reason in reasons.values() if re.search(r"only cudaFree at .*try_app.c:\d+ waits for the "
                                                                r"results of cudaMemcpyAsync", reason)]
    check(frees, reasons)
    check(reasons["host-wait-in-loop"] == "its fix cannot be made in a running program", reasons)


def check_nothing():
    """A program that the report has nothing to say of."""
    for _ in range(30):  # on a busy machine it may
        value = try_json("--apply=all", APP, "nothing")
        if not value["findings"]:
            break
    check(value["verdict"] == "refused" and value["obstacle"].startswith("no fix can be tried: the report "), value)


def check_watched():
    """The recording has seen that the host reads the results behind another wait."""
    value, made = try_until_made(3, "late")
    check("held-free" in [one["fix"] for one in made], value)
    check(value["calls"]["changed"] == STEPS and value["results"]["different"] is None, value)


def check_failing():
    """With the fixes the program crashes, ends otherwise, has other results or does not end."""
    for with_fixes, verdict, obstacle in (("crash", "failed", "status 134, the untouched program with 7"),
                                          ("exit", "failed", "status 3, the untouched program with 7"),
                                          ("hang", "failed", "did not end, and was killed"),
                                          ("result", "results-differ", "copy 1 to the host brings other bytes")):
        value = try_json("--apply=free-sync", "--runs=3", APP, "free", with_fixes)
        check(value["verdict"] == verdict and obstacle in value["obstacle"], f"{with_fixes}: {value}")
        check(value["tried_ns"] is None and value["predicted_range"] is None, value)


def check_text(folder):
    """The program's output comes first, and what is said of a trial that ends early."""
    kept = os.path.join(folder, "kept.db")
    done = run("--apply=free-sync", "--runs=3", "-o", kept, APP, "free")
    check(done.returncode == STATUS and done.stdout.startswith(OUTPUT), done)
    text = " ".join(done.stdout.split())
    check("held-free, 1 call site" in text and "predicted saves" in text, text)
    check("undecided: 0 pairs of runs, 6 are needed: --time and --runs allow more" in text, text)
    check(f"wrote {kept}" in done.stderr and os.path.exists(kept), done.stderr)
    check_kept(kept, "undecided: 0 pairs of runs, 6 are needed")
    return kept


def check_kept(trace, outcome):
    """What came out stands in the trace, and in its reports beside the finding."""
    def report(*arguments):
        return subprocess.run([STREAMTRACE, "report", "--no-measure", *arguments, trace], capture_output=True,
                              text=True).stdout

    check(f"tried as held-free: {outcome}" in " ".join(report().split()), report())
    tried = {one["id"]: one["tried"] for one in json.loads(report("--format=json"))["findings"]}
    check(tried["free-sync"] and tried["free-sync"][0]["outcome"].startswith(outcome), tried)
    check(tried["free-sync"][0]["other_fixes"] == 0, tried)
    check([one for one in tried if tried[one]] == ["free-sync"], tried)


def check_fixed_run(folder):
    """A run with the fixes is recorded beside a recording that is kept, and replaces no file that is not a trace."""
    folder = os.path.join(folder, "fixed")
    os.mkdir(folder)
    try_fixed_run(*(os.path.join(folder, name) for name in ("run.db", "run.tried.db")))
    shutil.rmtree(folder)


def try_fixed_run(kept, tried):
    with open(tried, "w", encoding="utf-8") as file:
        file.write("mine")
    for is_free in (False, True):
        done = run("--apply=free-sync", "-o", kept, APP, "free")
        if not re.search("tried +(saves|costs|no difference)", done.stdout):
            print("the machine is too busy for a verdict: no run with the fixes is recorded")
            return
        if is_free:
            break
        with open(tried, encoding="utf-8") as file:
            check(file.read() == "mine" and "run.tried.db: cannot be created" in done.stderr, done.stderr)
        os.remove(tried)
    frees = []
    for trace in (kept, tried):
        table = trace + ".csv"
        subprocess.run([STREAMTRACE, "export", "--format=csv", "-o", table, trace], check=True, capture_output=True)
        with open(table, encoding="utf-8") as file:
            frees.append(file.read().count(',"cudaFree",'))
        os.remove(table)
    check(frees[0] >= STEPS > frees[1], frees)
    lines = subprocess.run([STREAMTRACE, "report", "--no-measure", "--all", tried], capture_output=True, text=True).stdout
    check("try_app.c" in lines and "calls.def" not in lines, lines)
    done = run("--apply=free-sync", "--runs=3", "-o", kept, APP, "free")
    check("run.tried.db is of a run before" in done.stderr, done.stderr)


def check_recording(trace):
    """Of a recording: the first run's output is shown."""
    value = try_json("--apply=1", "--runs=2", "--trace", trace, APP, "free")
    check(value["verdict"] == "too-few-pairs" and value["runs"] == 2, value)
    check(value["findings"][0]["number"] == 1, value)
    value = try_json("--apply=free-sync", "--trace", trace, APP, "none", status=2, shown=0)
    check(value["verdict"] == "not-seen" and "nvcc -cudart shared" in value["obstacle"], value)
    value = try_json("--apply=free-sync", "--trace", trace, "--runs=2", APP, "copy")
    check(value["verdict"] == "too-few-pairs", value)
    value = try_json("--apply=free-sync", "--trace", trace, "--runs=3", APP, "copy")
    check(value["verdict"] == "not-applied" and "built again" in value["obstacle"], value)
    check_kept(trace, f"no saving is claimed: {value['obstacle']}")


def check_rebuilt(folder):
    """A recording of a program that was built again since."""
    program, kept = (os.path.join(folder, name) for name in ("program", "rebuilt.db"))
    shutil.copy(APP, program)
    run("--apply=free-sync", "--runs=1", "-o", kept, program, "free")
    with open(program, "r+b") as file:
        content = bytearray(file.read())
        content[content.index(b"GNU\0", content.index(b"\x03\0\0\0GNU\0")) + 4] ^= 1  # in its build id
        file.seek(0)
        file.write(content)
    value = try_json("--apply=free-sync", "--trace", kept, program, "free", status=0, shown=0)
    check(value["findings"][0]["reason"] == f"{program} was built again since the trace", value)
    os.remove(program)
    os.remove(kept)


def check_input(trace):
    """Each run reads the same file; without one it reads nothing."""
    of_trace = ("--apply=free-sync", "--runs=3", "--trace", trace, APP, "free", "input")
    with tempfile.TemporaryFile("w+") as words:
        words.write("hello\n")
        words.seek(0)
        value = try_json(*of_trace, stdin=words)
    check(value["verdict"] == "too-few-pairs", value)
    value = try_json(*of_trace, input="hello\n")
    check(value["verdict"] == "unsteady" and "status 7 and 9" in value["obstacle"], value)


def check_interrupted():
    """A signal while the program is recorded ends the command, too."""
    with subprocess.Popen([STREAMTRACE, "try", "--no-measure", "--apply=free-sync", APP, "free", "pause"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as command:
        check(command.stdout.readline() == OUTPUT, "no output")
        command.send_signal(signal.SIGINT)
        output, errors = command.communicate()
    check(command.returncode == 130 and not output and "no fix is tried" in errors, f"{output} {errors}")


def wait_until(is_so):
    until = time.monotonic() + 20
    while not is_so() and time.monotonic() < until:
        time.sleep(0.005)
    return is_so()


def check_recording_is_removed(folder):
    """It is gone while the program is tried, and whenever a signal comes."""
    def is_there():
        return any(name.startswith("streamtrace.") for name in os.listdir(folder))

    command = [STREAMTRACE, "try", "--no-measure", "--apply=free-sync", APP, "free", "hang"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as trial:
        check(wait_until(is_there) and wait_until(lambda: not is_there()), "the recording was not made or not removed")
        trial.terminate()
    check(trial.returncode in (-signal.SIGTERM, 128 + signal.SIGTERM), trial.returncode)
    for delay_s in (0, 0.02, 0.05, 0.1, 0.2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as trial:
            trial.stdout.readline()
            time.sleep(delay_s)
            trial.terminate()
            trial.stdout.read()
        check(not is_there(), f"left {delay_s} s after the program's output")


def check_stop(folder):
    """A stop stops a silent run, too, and its time is not the run's."""
    def is_there():
        return any(name.startswith("streamtrace.") for name in os.listdir(folder))

    def children():
        with open(f"/proc/{trial.pid}/task/{trial.pid}/children", encoding="utf-8") as file:
            return file.read().split()

    command = [STREAMTRACE, "try", "--no-measure", "--apply=free-sync", "--runs=5", APP, "free"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          preexec_fn=os.setpgrp) as trial:
        check(wait_until(is_there) and wait_until(lambda: not is_there()) and wait_until(children), "no run")
        trial.send_signal(signal.SIGTSTP)
        os.waitpid(trial.pid, os.WUNTRACED)
        time.sleep(HANG_S + 1)
        trial.send_signal(signal.SIGCONT)
        output = trial.stdout.read()
    check(trial.returncode == STATUS and "undecided" in output, output)


def check_mask():
    """The program gets signals in each run."""
    value = try_json("--apply=free-sync", "--runs=2", APP, "free", "mask")
    check(value["verdict"] == "too-few-pairs", value)


def is_alive(process):
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def check_left_behind(folder, trace):
    """What the run whose output is shown leaves stays; what others leave would run beside later ones."""
    path = os.path.join(folder, "children")
    value = try_json("--apply=free-sync", "--runs=4", "--trace", trace, APP, "free", "child", path)
    check(value["runs"] == 4, value)
    with open(path, encoding="utf-8") as file:
        shown, *silent = map(int, file)
    os.remove(path)
    check(len(silent) == 3 and wait_until(lambda: not any(map(is_alive, silent))), silent)
    check(is_alive(shown), "what the shown run left behind")
    os.kill(shown, signal.SIGKILL)


def check_terminal(trace):
    """A program that sets its terminal does not stop in a silent run."""
    ours, theirs = os.openpty()

    def take_terminal():
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    try_json("--apply=free-sync", "--runs=3", "--trace", trace, APP, "free", "terminal", stdin=theirs,
             start_new_session=True, preexec_fn=take_terminal, timeout=60)
    os.close(theirs)
    os.close(ours)


def check_errors(trace):
    for arguments, status, errors in ((("true",), 2, "try needs --apply and a program"),
                                      (("--apply=1",), 2, "try needs a program"),
                                      (("--apply=99", "--trace", trace, APP, "free"), 2, "has no finding '99'"),
                                      (("--apply=99", APP, "free"), 2, "recording has no finding '99'"),
                                      (("--apply=1", "--trace", APP, APP, "free"), 3, "try_app"),
                                      (("--apply=1", "/no/such/program"), 127, "No such file"),
                                      (("--apply=1", "--trace", trace, "/no/such/program"), 127, "No such file"),
                                      (("--apply=1", APP, "none"), 2, "no trace was written")):
        done = run(*arguments)
        check(done.returncode == status and errors in done.stderr and done.stdout in ("", OUTPUT), f"{arguments}: {done}")
        check("trace.db" not in done.stderr, f"{arguments}: {done}")


def check_words_of_program(trace):
    """What the program is given asks for nothing, and its status stands for nothing else."""
    done = run("--apply=free-sync", "--trace", trace, APP, "none", "--format=json")
    check(done.returncode == 2 and "no saving is claimed" in done.stdout and '{"' not in done.stdout, done)


SCHEMA = json.loads(run("--json-schema").stdout)
for undescribed in schemas.undescribed(SCHEMA):
    check(False, f"no description of {undescribed}")
with tempfile.TemporaryDirectory() as own:
    os.environ.update(XDG_CACHE_HOME=own, LD_LIBRARY_PATH=sys.argv[3], TMPDIR=own)
    check_fixes()
    check_managed()
    check_turns()
    check_luck()
    check_refused()
    check_nothing()
    check_watched()
    check_failing()
    recording = check_text(own)
    check_recording(recording)
    check_fixed_run(own)
    check_rebuilt(own)
    check_input(recording)
    check_interrupted()
    check_recording_is_removed(own)
    check_stop(own)
    check_mask()
    check_left_behind(own, recording)
    check_terminal(recording)
    check_errors(recording)
    check_words_of_program(recording)
    check(sorted(os.listdir(own)) in (["kept.db"], ["kept.db", "streamtrace"]), os.listdir(own))
sys.exit(1 if failures else 0)
