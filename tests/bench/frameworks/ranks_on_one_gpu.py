#!/usr/bin/env python3
"""Two ranks of PyTorch's DistributedDataParallel on one GPU, one of them slow, with repaired twins.

    ranks_on_one_gpu.py BUILD [BACKEND...]

BACKEND: nccl, gloo (default: both). NCCL takes two ranks on one GPU if they say that they are on different hosts
(NCCL_HOSTID); it then goes through sockets, and the kernels of the two take the device in turn, several ms each.
Each fault and its twin run ROUNDS times in turn, untraced; then the fault runs once under LD_PRELOAD, in a
window, and `streamtrace report` of both traces says what the job saves. Prints Markdown: the medians of the
slower rank, and what the report says of the findings of the twin's fixes on the faulty rank. Good: as in score.py.
A fault that cannot run is a row that says so. KEEP=FOLDER in the environment keeps the traces and the reports.
"""
import collections
import concurrent.futures
import ctypes
import json
import os
import pathlib
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

STEPS, WIDTH, ROUNDS, LIMIT_S = 20, 512, 3, 60
# By fault: the rank that has it, the rows of a batch, and the findings whose fixes the twin has.
FAULTS = {
    "batches": (1, 32768, ["pageable-copy", "sync-in-loop"]),
    "checkpoint": (0, 8192, ["pageable-copy", "sync-in-loop"]),
    "numpy": (1, 4096, ["host-bound"]),
    "item": (1, 8192, ["readback-in-loop"]),
}
NETWORK = {"GLOO_SOCKET_IFNAME": "lo", "NCCL_SOCKET_IFNAME": "lo", "NCCL_IB_DISABLE": "1", "NCCL_NVLS_ENABLE": "0",
           "NCCL_MNNVL_ENABLE": "0", "MASTER_ADDR": "127.0.0.1", "WORLD_SIZE": "2", "LOCAL_RANK": "0"}


def augment(seed):
    import numpy
    import torch
    noise = numpy.random.default_rng(seed).standard_normal((FAULTS["numpy"][1], WIDTH), dtype=numpy.float32)
    return torch.from_numpy(numpy.clip(noise, -2, 2))


def augmented(threads):
    """In this thread, or three batches ahead in others."""
    if not threads:
        yield from map(augment, range(STEPS))
        return
    ahead = collections.deque(threads.submit(augment, seed) for seed in range(3))
    for seed in range(STEPS):
        if seed + 3 < STEPS:
            ahead.append(threads.submit(augment, seed + 3))
        yield ahead.popleft().result()


def make_loop(fault, rank, is_fixed):
    """The training of one rank."""
    import torch
    from torch import nn

    is_faulty = rank == FAULTS[fault][0] and not is_fixed
    layers = [m for _ in range(4) for m in (nn.Linear(WIDTH, WIDTH), nn.ReLU())]
    model = nn.parallel.DistributedDataParallel(nn.Sequential(*layers).cuda(), device_ids=[0])
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    hosts = [torch.randn(FAULTS[fault][1], WIDTH) for _ in range(4)]
    is_pinned = not (fault == "batches" and is_faulty)
    if is_pinned:
        hosts = [host.pin_memory() for host in hosts]
    threads = concurrent.futures.ThreadPoolExecutor(3) if is_fixed else None
    frozen = torch.randn(64 << 20, device="cuda") if fault == "checkpoint" and rank == 0 else None
    kept = torch.empty(64 << 20, pin_memory=True) if frozen is not None and is_fixed else None

    def batches():
        if fault == "numpy" and rank == 1:
            return augmented(threads)
        return (hosts[step % 4] for step in range(STEPS))

    def save():
        return frozen.cpu() if is_faulty else kept.copy_(frozen, non_blocking=True)

    def loop():
        total, saved = 0.0, None
        for step, batch in enumerate(batches()):
            loss = model(batch.to("cuda", non_blocking=is_pinned)).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            if fault == "item" and rank == 1:
                total += loss.item() if is_faulty else loss.detach()
            if frozen is not None and step % 5 == 4:
                saved = save()
        torch.cuda.synchronize()
        return float(total), saved

    return loop


def together(loop):
    """The seconds of a loop that both ranks begin at a time."""
    import torch
    torch.distributed.barrier()
    torch.cuda.synchronize()
    start = time.perf_counter()
    loop()
    return time.perf_counter() - start


def work(mode, backend, faults):
    """One rank: `time` prints {FAULT: [[broken_s, fixed_s], ...]}, `trace` the seconds of the window."""
    import torch
    signal.alarm(LIMIT_S)  # a rank whose other one failed waits for ever
    torch.cuda.set_device(0)
    torch.distributed.init_process_group(backend)
    rank = torch.distributed.get_rank()
    for fault in faults:
        signal.alarm(LIMIT_S)
        loops = [make_loop(fault, rank, is_fixed) for is_fixed in ((False, True) if mode == "time" else (False,))]
        for loop in loops * 2:
            together(loop)
        if mode == "time":
            print(json.dumps({fault: [[together(loop) for loop in loops] for _ in range(ROUNDS)]}), flush=True)
            continue
        tracer = ctypes.CDLL(None)
        torch.distributed.barrier()
        torch.cuda.synchronize()
        tracer.streamtrace_start()
        loops[0]()
        tracer.streamtrace_stop()
    torch.distributed.destroy_process_group()


def run(mode, backend, faults, log, environment=None):
    """Both ranks' objects, merged by rank: [rank 0's, rank 1's]."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
    ranks = [subprocess.Popen(
        [sys.executable, __file__, "work", mode, backend, *faults], stdout=subprocess.PIPE, stderr=log, text=True,
        start_new_session=True, env={**os.environ, **NETWORK, "MASTER_PORT": port, "RANK": str(rank),
                                     "NCCL_HOSTID": f"rank{rank}", **(environment or {})}) for rank in (0, 1)]
    answers = []
    try:
        for process in ranks:
            lines = process.communicate(timeout=LIMIT_S * (1 + len(faults)))[0].splitlines()
            answers.append({key: value for line in lines if line.startswith("{")
                            for key, value in json.loads(line).items()})
    except subprocess.TimeoutExpired:
        answers = [{}, {}]
    for process in ranks:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return answers


def report_of(build, folder, *options):
    return subprocess.run([build / "bin/streamtrace", "report", *options, folder], capture_output=True, text=True,
                          timeout=180, check=True).stdout


def row_of(build, fault, answers, folder):
    from score import GOOD_HIGH, GOOD_LOW, range_of, with_range
    faulty, _, fixes = FAULTS[fault]
    rounds = [[max(times) for times in zip(*pair)] for pair in zip(*(answer[fault] for answer in answers))]
    broken_ns, fixed_ns = ([seconds * 1e9 for seconds in times] for times in zip(*rounds))
    saved = statistics.median(broken_ns) - statistics.median(fixed_ns)
    report = json.loads(report_of(build, folder, "--format", "json", "--all"))
    processes, job = report["processes"], report["job"]
    found = [finding for finding in report["findings"] if finding["id"] in fixes
             and any(processes[i]["rank"] == faulty for i in finding["processes"])]
    low, estimate, high = (sum(finding["saved_ns"][end] for finding in found) for end in ("low", "estimate", "high"))
    interval, informs = range_of(low, high)
    ratio = estimate / saved if saved > 0 else 0
    is_good = GOOD_LOW <= ratio <= GOOD_HIGH or (informs and low <= saved <= high)
    first = max(found, key=lambda finding: finding["saved_ns"]["estimate"], default=None)
    return [with_range(broken_ns), with_range(fixed_ns), f"{saved / 1e6:.1f}", f"{estimate / 1e6:.1f}", interval,
            f"{ratio:.2f}", "yes" if is_good else "no", f"{job['wall_ns'] / 1e6:.1f}",
            f"{job['lost_ns']['estimate'] / 1e6:.1f}",
            f"{job['method']}, {job['collectives']['complete']} of {job['collectives']['seen']}",
            f"{first['id']} {first['where']}" if first else "-"]


def main():
    if sys.argv[1] == "work":
        return work(sys.argv[2], sys.argv[3], sys.argv[4:])
    build = pathlib.Path(sys.argv[1]).resolve()
    head = ["ranks", "broken, ms", "fixed, ms", "saved, ms", "predicted, ms", "range, ms", "predicted / saved", "good",
            "traced, ms", "all findings, ms", "method, collectives", "largest of these findings"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head), flush=True)
    with tempfile.TemporaryDirectory() as kept:
        kept = pathlib.Path(os.environ.get("KEEP", kept)).resolve()
        kept.mkdir(parents=True, exist_ok=True)
        with open(kept / "ranks.log", "w") as log:
            for backend in sys.argv[2:] or ["nccl", "gloo"]:
                answers = run("time", backend, list(FAULTS), log)
                for fault in FAULTS:
                    if not all(fault in answer for answer in answers):
                        print(f"| {backend} {fault} | does not run: see ranks.log |", flush=True)
                        continue
                    folder = kept / f"{backend}.{fault}"
                    folder.mkdir(exist_ok=True)
                    run("trace", backend, [fault], log, {
                        "LD_PRELOAD": str(build / "lib/libstrace.so"), "STREAMTRACE_START": "paused",
                        "STREAMTRACE_OUTPUT": f"{folder}/%R.%p.db"})
                    try:
                        cells = row_of(build, fault, answers, folder)
                        (kept / f"{backend}.{fault}.txt").write_text(report_of(build, folder))
                    except Exception as error:  # the other faults go on
                        cells = [f"{type(error).__name__}: {getattr(error, 'stderr', None) or error}"[:200].strip()]
                    print(f"| {backend} {fault} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
