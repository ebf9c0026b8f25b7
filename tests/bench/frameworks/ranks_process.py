"""The processes of one rank, for ranks_of_a_job.py, and the faults that it runs.

    ranks_process.py PORT

They talk with the driver over PORT, a JSON object a line. The first process forks one for each {"id", "port",
"trace"}: "trace" is the fault that it runs in a window, or null where it times faults. That one says {"is_ready"}
when all ranks have met, and then answers:

    {"do": "trace"}                the loop in a window: {"traced_s"}
    {"do": "make", "fault"}        makes the loop and its twin, and warms them up: {"is_ready"}
    {"do": "time"}                 both in turn: {"seconds"}

Each runs until the driver closes its side. {"error"}: it ends.
"""
import ctypes
import gc
import json
import os
import pathlib
import signal
import socket
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
LIMIT_S = 40
START_S = 60  # to the first collective: an import of PyTorch from a cold disk takes half of it
WARM_UPS = 1  # a loop is many steps
OTHER, FIRST, ALL = "other", "first", "all"  # ranks at fault: the one in the middle; rank 0, of two; all
# By fault: the ranks at fault, the ids of findings that name the cause, and texts of the lines where it is found.
# None: nothing is to be found.
FAULTS = {
    "pageable_batches": (OTHER, ["pageable-copy"], ["batch = hosts["]),
    "checkpoint": (FIRST, ["pageable-copy", "page-faults"], ["value.cpu() for name", "saved = save()"]),
    "numpy_work": (OTHER, ["host-work"], ["noise = numpy", "torch.from_numpy(numpy.clip(", "yield from (augment(",
                                          "for batch in batches("]),
    "reduced_item": (ALL, ["readback-in-loop"], ["total += loss.item()"]),
    "one_worker": (OTHER, ["loader-empty"], ["for scans in loader:"]),
    "collect_each": (OTHER, ["garbage-collection"], ["gc.collect()"]),
    "late_prefetch": (ALL, ["issue-order", "serial-stream", "sync-in-loop"], [
        "loss = model(batch)", "loss.backward()", "step(data)"]),
    "logged_norms": (ALL, ["readback-in-loop"], ["norms.append(norm.item()"]),
    "resident": None,
}


def faulty_ranks(fault, ranks):
    which = FAULTS[fault][0]
    if which == ALL:
        return list(range(ranks))
    return [0 if which == FIRST and ranks == 2 else ranks // 2]


class Line:
    """A connection with the driver, or with a rank."""

    def __init__(self, connection):
        self.connection, self.rest = connection, b""

    def say(self, **message):
        self.connection.sendall(json.dumps(message).encode() + b"\n")

    def hear(self, end_s=None):
        """None: the other side has ended. TimeoutError where nothing comes before that time."""
        while b"\n" not in self.rest:
            self.connection.settimeout(None if end_s is None else max(0.01, end_s - time.monotonic()))
            got = self.connection.recv(65536)
            if not got:
                return None
            self.rest += got
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)


def begin(port):
    """The process that forks those that answer."""
    import torch._dynamo  # what a first optimizer imports, in seconds
    import ranks_loops  # once for all forks
    line = Line(socket.create_connection(("127.0.0.1", port)))
    line.say(rank=int(os.environ["RANK"]))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for request in iter(line.hear, None):
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            line.connection.close()
            answer(ranks_loops, port, request)
            return


def answer(loops, port, request):
    line = Line(socket.create_connection(("127.0.0.1", port)))
    line.say(rank=int(os.environ["RANK"]), id=request["id"], pid=os.getpid())
    try:
        os.environ["MASTER_PORT"] = str(request["port"])
        signal.alarm(START_S)
        serve(loops, line, request["trace"])
    except Exception as failure:  # the other ranks wait for this one: the driver ends them
        line.say(error=f"{type(failure).__name__}: {failure}"[:300])
        raise


def serve(loops, line, traced_fault):
    import torch
    import torch.distributed as dist
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group(os.environ["BACKEND"])
    pair = loops_of(loops, traced_fault, True) if traced_fault else []
    dist.all_reduce(torch.ones(1, device="cuda"))
    torch.cuda.synchronize()
    line.say(is_ready=True)
    while signal.alarm(0) >= 0 and (request := line.hear()):
        signal.alarm(LIMIT_S)
        if request["do"] == "trace":
            line.say(traced_s=traced(pair[0]))
        elif request["do"] == "make":
            pair.clear()
            gc.collect()  # modules refer to each other in circles
            torch.cuda.empty_cache()
            pair = loops_of(loops, request["fault"], False)
            warm(pair)
            line.say(is_ready=True)
        else:
            line.say(seconds=[together(loop) for loop in pair])
    pair.clear()
    dist.destroy_process_group()


def loops_of(loops, fault, is_traced):
    """The broken loop, and its twin where there is one."""
    import torch.distributed as dist
    make, has_twin = getattr(loops, fault), FAULTS[fault] is not None and not is_traced
    is_faulty = FAULTS[fault] is not None and dist.get_rank() in faulty_ranks(fault, dist.get_world_size())
    return [make(is_faulty and not is_fixed, is_faulty) for is_fixed in ((False, True) if has_twin else (False,))]


def together(loop):
    """The seconds of a loop that all ranks begin at a time."""
    import torch
    torch.distributed.barrier()
    torch.cuda.synchronize()
    start = time.perf_counter()
    loop()
    return time.perf_counter() - start


def warm(loops):
    for loop in loops * WARM_UPS:
        together(loop)


def traced(loop):
    """The seconds of a loop in a window."""
    import torch
    warm([loop])
    tracer = ctypes.CDLL(None)
    torch.distributed.barrier()
    torch.cuda.synchronize()
    tracer.streamtrace_start()
    start = time.perf_counter()
    loop()
    seconds = time.perf_counter() - start
    tracer.streamtrace_stop()
    torch.cuda.empty_cache()  # it stays while others run
    return seconds


if __name__ == "__main__":
    begin(int(sys.argv[1]))
