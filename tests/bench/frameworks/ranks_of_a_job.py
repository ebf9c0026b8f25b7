#!/usr/bin/env python3
"""Jobs of PyTorch whose ranks wait for a slow one: whether reports name rank, line and cause, and what the job saves.

    ranks_of_a_job.py BUILD [FAULT...]

A rank a GPU, or two ranks on one GPU where there is one. NCCL takes two ranks on a GPU if they say that they are on
different hosts (NCCL_HOSTID); it then goes through sockets, and the kernels of the two take the GPU in turn, several
ms each. In each of ROUNDS rounds a loop of ranks_loops.py and its twin run untraced, in one process a rank for all
faults, and then the loop runs in a window under LD_PRELOAD, in processes of its own, which have been made ready before
the first round. Prints Markdown: medians of the slowest rank, and of what the job's reports say of the findings of
the cause on the faulty rank. Good: as in score.py; rank and line are those of the first finding.
A fault that fails, or takes longer than LIMIT_S, is a row that says so.

Environment: GPUS (those that there are), BACKEND (nccl, gloo), ROUNDS (5), TRACES of each fault (as many), BUDGET in
seconds (240), for which there are fewer traces, and rounds end early. KEEP=FOLDER keeps traces, reports and times.
REPORT=0 makes no reports: ranks_table.py makes them later, on another machine, too, with the numbers of the GPUs that
were measured.
"""
import contextlib
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from ranks_process import FAULTS, LIMIT_S, START_S, Line
from ranks_table import print_table, streamtrace

HERE = pathlib.Path(__file__).resolve().parent
ROUND_S = 4  # what a round takes of BUDGET, with the start of its traced processes: for how many traces there is time
NETWORK = {"GLOO_SOCKET_IFNAME": "lo", "NCCL_SOCKET_IFNAME": "lo", "NCCL_IB_DISABLE": "1", "NCCL_NVLS_ENABLE": "0",
           "NCCL_MNNVL_ENABLE": "0", "MASTER_ADDR": "127.0.0.1", "OMP_NUM_THREADS": "1"}  # the last as torchrun has it


class Failure(Exception):
    pass


def gpus_here():
    return int(os.environ.get("GPUS", 0)) or len(list(pathlib.Path("/dev").glob("nvidia[0-9]*"))) or 1


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Processes:
    """The processes of all ranks for one set of faults."""

    def __init__(self, ranks):
        self.lines, self.pids = [None] * ranks, [None] * ranks

    def hear(self, end_s):
        """What all ranks answer. Failure: one fails or does not answer; then all have been killed."""
        answers = {}
        try:
            if None in self.lines:
                raise Failure("does not start")
            while len(answers) < len(self.lines):
                for rank in self.ranks_that_answer(end_s, answers):
                    answer = self.lines[rank].hear(end_s)
                    if answer is None or "error" in answer:
                        raise Failure(f"rank {rank}: {answer['error'] if answer else 'has ended'}")
                    answers[rank] = answer
        except (OSError, Failure) as failure:
            self.kill()
            raise Failure(str(failure)) from failure
        return [answers[rank] for rank in sorted(answers)]

    def ranks_that_answer(self, end_s, answers):
        """Those of the others that have said something, which may have come with their last answer."""
        waiting = {line.connection: rank for rank, line in enumerate(self.lines) if rank not in answers}
        found = [rank for rank in waiting.values() if b"\n" in self.lines[rank].rest]
        found = found or [waiting[connection] for connection in
                          select.select(waiting, [], [], max(0, end_s - time.monotonic()))[0]]
        if not found:
            raise Failure("no answer in time")
        return found

    def ask(self, end_s, **request):
        for line in self.lines:
            with contextlib.suppress(OSError):  # it has ended: so says hear()
                line.say(**request)
        return self.hear(end_s)

    def let_end(self):
        """Each ends by itself, which writes its trace."""
        for line in self.lines:
            with contextlib.suppress(OSError):
                line.connection.shutdown(socket.SHUT_WR)

    def wait(self, end_s):
        """Until all have ended."""
        while any(os.path.exists(f"/proc/{pid}") for pid in self.pids):
            if time.monotonic() > end_s:
                self.kill()
                return
            time.sleep(0.05)

    def kill(self):
        for pid in self.pids:
            with contextlib.suppress(ProcessLookupError):
                if pid:
                    os.kill(pid, signal.SIGKILL)


class Job:
    """The processes that fork, one a rank; with a folder for traces under the tracer."""

    def __init__(self, ranks, gpus, log, build=None, folder=None):
        self.server = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.sets, self.lines, environment = [], [None] * ranks, {}
        if folder:
            environment = {"LD_PRELOAD": str(build / "lib/libstrace.so"), "STREAMTRACE_START": "paused",
                           "STREAMTRACE_OUTPUT": str(folder / "%R.%p.db")}
        port = str(free_port())
        self.processes = [subprocess.Popen(
            [sys.executable, HERE / "ranks_process.py", str(self.server.getsockname()[1])], stdout=log, stderr=log,
            start_new_session=True,
            env={**os.environ, **NETWORK, "MASTER_PORT": port, "WORLD_SIZE": str(ranks), "RANK": str(rank),
                 "LOCAL_RANK": str(rank % gpus), "BACKEND": os.environ.get("BACKEND", "nccl"), **environment,
                 **({"NCCL_HOSTID": f"rank{rank}"} if gpus < ranks else {})}) for rank in range(ranks)]

    def accept(self, end_s):
        """Takes the next connection."""
        self.server.settimeout(max(0.01, end_s - time.monotonic()))
        line = Line(self.server.accept()[0])
        hello = line.hear(end_s)
        if hello and "id" in hello:
            started = self.sets[hello["id"]]
            started.lines[hello["rank"]], started.pids[hello["rank"]] = line, hello["pid"]
        elif hello:
            self.lines[hello["rank"]] = line

    def wait(self):
        """Until all can fork, or one has failed."""
        end_s = time.monotonic() + START_S
        while None in self.lines and time.monotonic() < end_s and not self.has_ended():
            with contextlib.suppress(OSError):
                self.accept(time.monotonic() + 1)

    def has_ended(self):
        return any(process.poll() is not None for process in self.processes)

    def begin(self, traced_fault=None):
        """Forks, and does not wait until what is forked is ready: hear() does."""
        started = Processes(len(self.lines))
        self.sets.append(started)
        port, end_s = free_port(), time.monotonic() + LIMIT_S
        with contextlib.suppress(OSError, AttributeError):  # so hear() says
            for line in self.lines:
                line.say(id=len(self.sets) - 1, port=port, trace=traced_fault)
            while None in started.lines:
                self.accept(end_s)
        return started

    def stop(self):
        """Kills what is left of all."""
        for line in filter(None, self.lines):
            line.connection.close()
        for process in self.processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(2)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.server.close()


def say(text):
    print(text, file=sys.stderr, flush=True)


class Recorder:
    """Runs one fault after the other. What is known so far is in KEPT/times.json."""

    def __init__(self, untraced, traced, kept, results):
        self.untraced, self.traced, self.kept, self.results = untraced, traced, kept, results
        self.timed = None  # the processes that run all faults untraced
        self.ending = []  # (fault, name of the trace, its processes, seconds), which write their traces

    def note(self, fault, **row):
        self.results["faults"][fault].update(row)
        (self.kept / "times.json").write_text(json.dumps(self.results))

    def run(self, fault, rounds, traces, stop_s):
        """In rounds until then, the first in any case."""
        start_s, sets, times, failed = time.monotonic(), [], [], []
        try:
            sets = [self.traced.begin(fault) for _ in range(traces)]
            self.make(fault)
            sets = self.those_ready(sets, failed)
            self.take_traces()  # of the fault before: what ends takes some of the GPU's time
            while not times or (len(times) < rounds and time.monotonic() < stop_s):
                answers = self.timed.ask(time.monotonic() + LIMIT_S, do="time")
                times.append([max(seconds) for seconds in zip(*(answer["seconds"] for answer in answers))])
                if sets:
                    self.trace(fault, sets.pop(0), failed)
            self.note(fault, times=times)
        except Failure as failure:
            self.timed = None
            self.note(fault, error=str(failure))
        for processes in sets:
            processes.kill()
        if failed:
            self.note(fault, untraced=failed[0])
        say(f"{fault}: {len(times)} rounds, {sum(fault == ending[0] for ending in self.ending)} of {traces} traces, "
            f"{time.monotonic() - start_s:.1f} s {' '.join(failed)}")

    def make(self, fault):
        if self.timed is None:
            self.timed = self.untraced.begin()
            self.timed.hear(time.monotonic() + START_S)
        self.timed.ask(time.monotonic() + LIMIT_S, do="make", fault=fault)

    @staticmethod
    def those_ready(sets, failed):
        """Appends why the others are not."""
        end_s, ready = time.monotonic() + START_S, []
        for processes in sets:
            try:
                processes.hear(end_s)
                ready.append(processes)
            except Failure as failure:
                failed.append(str(failure))
        return ready

    def trace(self, fault, processes, failed):
        """Runs the loop in a window, and lets the processes end later, which writes the trace."""
        name = f"{fault}.{sum(fault == ending[0] for ending in self.ending)}"
        try:
            answers = processes.ask(time.monotonic() + LIMIT_S, do="trace")
            self.ending.append((fault, name, processes, max(answer["traced_s"] for answer in answers)))
        except Failure as failure:
            failed.append(str(failure))

    def let_end(self):
        for _, _, processes, _ in self.ending:
            processes.let_end()

    def take_traces(self):
        """Those of all processes that end, when they have ended."""
        end_s, taken = time.monotonic() + LIMIT_S, {}
        for fault, name, processes, seconds in self.ending:
            processes.wait(end_s)
            (self.kept / name).mkdir(exist_ok=True)
            try:
                for rank, pid in enumerate(processes.pids):
                    (self.kept / f"rank.{rank}.{pid}.db").rename(self.kept / name / f"rank.{rank}.db")
                taken.setdefault(fault, {})[name] = seconds
            except OSError as error:
                self.note(fault, untraced=f"no trace: {error}")
        for fault, traces in taken.items():
            self.note(fault, traces=traces)
        self.ending = []


def record(build, faults, kept, log):
    """Runs all."""
    start_s, budget_s = time.monotonic(), float(os.environ.get("BUDGET", "240"))
    rounds = int(os.environ.get("ROUNDS", "5"))
    traces, gpus = int(os.environ.get("TRACES", rounds)), gpus_here()
    ranks = max(2, gpus)
    results = {"ranks": ranks, "gpus": gpus, "faults": {fault: {} for fault in faults}}
    shutil.copy(HERE / "ranks_loops.py", kept)  # the traces name its lines
    untraced, traced = Job(ranks, gpus, log), Job(ranks, gpus, log, build, kept)
    recorder = Recorder(untraced, traced, kept, results)
    try:
        for job in (untraced, traced):  # what the one imports would disturb the other
            job.wait()
        say(f"started after {time.monotonic() - start_s:.1f} s")
        for left, fault in zip(range(len(faults), 0, -1), faults):
            now_s = time.monotonic()
            share_s = max(0, start_s + budget_s - now_s) / left
            recorder.run(fault, rounds, max(1, min(traces, int(share_s / ROUND_S))), now_s + share_s)
            recorder.let_end()
        recorder.take_traces()
    finally:
        untraced.stop()
        traced.stop()
    say(f"recorded after {time.monotonic() - start_s:.1f} s")
    numbers(build, kept, results, start_s + budget_s)
    say(f"done after {time.monotonic() - start_s:.1f} s")


def numbers(build, kept, results, end_s):
    """Measures what a report wants to know of each GPU, where there is time; reports elsewhere find it in the cache."""
    for fault in ("pageable_batches", "checkpoint"):
        for name in list(results["faults"].get(fault, {}).get("traces", {}))[:1]:
            for trace in sorted((kept / name).glob("rank.*.db")):
                try:
                    streamtrace(build, kept, "report", trace, timeout=max(5, end_s - time.monotonic()))
                except (OSError, subprocess.SubprocessError) as failure:
                    say(f"{trace}: {failure}")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as kept:
        kept = pathlib.Path(os.environ.get("KEEP", kept)).resolve()
        kept.mkdir(parents=True, exist_ok=True)
        with open(kept / "ranks.log", "w") as log:
            record(build, sys.argv[2:] or list(FAULTS), kept, log)
        if os.environ.get("REPORT") != "0":
            print_table(build, kept)


if __name__ == "__main__":
    main()
