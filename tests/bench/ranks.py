#!/usr/bin/python3
"""Traces of a job of many ranks, as `streamtrace run -o FOLDER/` leaves them.

    ranks.py FOLDER RANKS [--steps N] [--host-ranks N] [--straggler RANK] [--late-ms MS] [--even-clocks]

Each step of a rank copies a batch to the device, runs a kernel of 10 ms, all-reduces over all ranks, and
reads the loss back. All-reduces begin on the wire when the last rank has come, and end on all ranks 0.4 ms
later and up to 8 us after each other. The straggler copies its batch from pageable memory, which takes
it MS longer. Each host's clock has an offset and a drift of its own, below 12 s and 30 ppm, which
FOLDER/planted.json tells, with the straggler; --even-clocks: none. The same arguments give the same traces.
"""
import argparse
import json
import os
import random
import shutil
import sqlite3

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BEGIN_NS = 1_790_000_000_000_000_000
KERNEL_NS, COPY_NS, TRANSFER_NS, JITTER_NS = 10_000_000, 100_000, 400_000, 8_000
GAP_NS, HOST_NS = 5_000, 50_000
STREAM, HANDLE, THREAD, DEVICE_BUFFER, HOST_BUFFER = 13, 1300, 100, 0x7F0000000000, 0x550000000000
BATCH_BYTES = 4_000_000
COPY_LINE, KERNEL_LINE, REDUCE_LINE, LOSS_LINE = 20, 21, 22, 23

STATIC = f"""
INSERT INTO metadata VALUES ('program', 'train'), ('command_line', './train'), ('cupti', 'on'),
  ('end', 'exit'), ('working_directory', '/job'), ('clock', 'CLOCK_REALTIME'), ('event_waits', 'calls'),
  ('events', 'all'), ('log', 'read'), ('run', 'slurm:7.0'), ('traced_by', 'ranks.py'),
  ('pinned_h2d_bytes_per_s', '40000000000'), ('pinned_h2d_latency_ns', '5000'),
  ('pinned_d2h_bytes_per_s', '40000000000'), ('pinned_d2h_latency_ns', '5000');
INSERT INTO devices (id, name, copy_engines, multiprocessors) VALUES (0, 'NVIDIA H200', 3, 132);
INSERT INTO contexts VALUES (1, 0, 7);
INSERT INTO strings VALUES (1, '_Z4workPf'), (2, '_Z40ncclDevKernel_AllReduce_Sum_f32_RING_LL4args');
INSERT INTO streams (context_id, id, flag, priority, handle) VALUES (1, 7, 3, 0, NULL),
  (1, {STREAM}, 2, 0, {HANDLE});
INSERT INTO threads VALUES ({THREAD}, 'train');
INSERT INTO functions (id, name, class) VALUES (1, 'cudaMemcpyAsync', 'copy'),
  (2, 'cudaLaunchKernel', 'launch'), (3, 'cudaStreamSynchronize', 'stream-sync');
INSERT INTO modules VALUES (1, '/job/train', NULL);
INSERT INTO frames (site_id, depth, module_id, offset, function, file, line)
  SELECT value, 0, 1, value, '_Z5trainv', '/job/train.cu', value FROM json_each('[20,21,22,23,24]');
INSERT INTO call_sites SELECT site_id, 1 FROM frames;
"""

CALL = ("INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path,"
        " per_thread_stream, site_id, correlation_id, stream_handle, dst, src, size_bytes, copy_kind)"
        f" VALUES (?, {THREAD}, ?, ?, ?, 0, 0, 0, ?, ?, {HANDLE}, ?, ?, ?, ?)")
OPERATION = ("INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id,"
             " correlation_id, name_id, copy_kind, src_kind, dst_kind, is_async, size_bytes)"
             f" VALUES (?, ?, ?, 0, 1, {STREAM}, ?, ?, ?, ?, ?, ?, ?)")
COLLECTIVE = ("INSERT INTO collectives (id, communicator_id, sequence, operation, size_bytes, datatype,"
              " stream_handle, thread_id, start_ns, end_ns, site_id)"
              f" VALUES (?, 1, ?, 1, 4000000, 7, {HANDLE}, {THREAD}, ?, ?, {REDUCE_LINE})")


class Clock:
    """What a host's clock shows, by the true time since the run began."""

    def __init__(self, randoms, is_even):
        self.offset_ns = 0 if is_even else randoms.randrange(-12_000_000_000, 12_000_000_000)
        self.drift = 0 if is_even else randoms.uniform(-30e-6, 30e-6)

    def __call__(self, ns):
        return BEGIN_NS + self.offset_ns + round(ns * (1 + self.drift))


class Rank:
    """The host's time, and the rows that are made."""

    def __init__(self, clock):
        self.clock, self.host_ns = clock, 0
        self.calls, self.operations, self.collectives = [], [], []

    def call(self, function, line, until_ns, addresses=(None, None, None, None)):
        number = len(self.calls) + 1
        self.calls.append((number, function, self.clock(self.host_ns), self.clock(until_ns), line,
                           number, *addresses))
        self.host_ns = until_ns
        return number

    def kernel(self, correlation, name, start_ns, end_ns):
        self.operations.append((1, self.clock(start_ns), self.clock(end_ns), correlation, name,
                                None, None, None, None, None))

    def copy(self, correlation, start_ns, end_ns, kinds, size):
        self.operations.append((2, self.clock(start_ns), self.clock(end_ns), correlation, None,
                                *kinds, 1, size))


def enter_step(rank, randoms, late_ns):
    """Up to the all-reduce's launch; when its kernel begins."""
    begin_ns = rank.host_ns
    addresses = (DEVICE_BUFFER, HOST_BUFFER, BATCH_BYTES, 1)
    if late_ns:
        end_ns = begin_ns + GAP_NS + COPY_NS + late_ns
        number = rank.call(1, COPY_LINE, end_ns + GAP_NS, addresses)
        rank.copy(number, begin_ns + GAP_NS, end_ns, (1, 1, 3), BATCH_BYTES)
    else:
        end_ns = begin_ns + 2 * GAP_NS + COPY_NS
        number = rank.call(1, COPY_LINE, begin_ns + GAP_NS, addresses)
        rank.copy(number, begin_ns + 2 * GAP_NS, end_ns, (1, 2, 3), BATCH_BYTES)
    number = rank.call(2, KERNEL_LINE, rank.host_ns + GAP_NS)
    start_ns = max(end_ns, rank.host_ns) + GAP_NS
    end_ns = start_ns + round(KERNEL_NS * randoms.uniform(0.99, 1.01))
    rank.kernel(number, 1, start_ns, end_ns)
    return end_ns + GAP_NS


def leave_step(rank, step, arrived_ns, end_ns):
    """The all-reduce, and the loss."""
    begin_ns = rank.host_ns
    number = rank.call(2, REDUCE_LINE, begin_ns + GAP_NS)
    rank.kernel(number, 2, arrived_ns, end_ns)
    rank.collectives.append((step + 1, step, rank.clock(begin_ns), rank.clock(rank.host_ns)))
    copied_ns = end_ns + GAP_NS + 2_000
    number = rank.call(1, LOSS_LINE, rank.host_ns + GAP_NS, (HOST_BUFFER + 2 * BATCH_BYTES,
                                                             DEVICE_BUFFER + 2 * BATCH_BYTES, 4, 2))
    rank.copy(number, end_ns + GAP_NS, copied_ns, (2, 3, 2), 4)
    rank.call(3, LOSS_LINE + 1, copied_ns + 2 * GAP_NS)
    rank.host_ns += HOST_NS


def simulate(options, randoms, clocks):
    ranks = [Rank(clocks[i // options.host_ranks]) for i in range(options.ranks)]
    for step in range(options.steps):
        arrived = [enter_step(rank, randoms,
                              round(options.late_ms * 1e6) if i == options.straggler else 0)
                   for i, rank in enumerate(ranks)]
        end_ns = max(arrived) + TRANSFER_NS
        for rank, arrived_ns in zip(ranks, arrived):
            leave_step(rank, step, arrived_ns, end_ns + randoms.randrange(JITTER_NS))
    return ranks


def make_template(path):
    database = sqlite3.connect(path)
    with open(os.path.join(ROOT, "preload", "schema.sql"), encoding="utf-8") as schema:
        database.executescript(schema.read())
    database.executescript(STATIC)
    database.close()


def write(options, template, number, rank):
    host = number // options.host_ranks
    process = 10_000 + number % options.host_ranks
    path = os.path.join(options.folder, f"rank.{number}.train.{process}.db")
    shutil.copyfile(template, path)
    database = sqlite3.connect(path, isolation_level=None)
    database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
    database.executemany("INSERT INTO metadata VALUES (?, ?)", [
        ("rank", str(number)), ("ranks", str(options.ranks)),
        ("local_rank", str(number % options.host_ranks)), ("host", f"node{host:04}"),
        ("boot_id", f"boot-{host:04}"), ("process_id", str(process)),
        ("start_ns", str(rank.calls[0][2])), ("end_ns", str(rank.calls[-1][3]))])
    database.execute("INSERT INTO communicators VALUES (1, '00c0ffee00c0ffee', ?, ?, 0, NULL, NULL)",
                     (number, options.ranks))
    database.executemany(CALL, rank.calls)
    database.executemany(OPERATION, rank.operations)
    database.executemany(COLLECTIVE, rank.collectives)
    database.execute("COMMIT")
    database.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("ranks", type=int)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--host-ranks", type=int, default=8)
    parser.add_argument("--straggler", type=int, default=1)
    parser.add_argument("--late-ms", type=float, default=4)
    parser.add_argument("--even-clocks", action="store_true")
    options = parser.parse_args()
    randoms = random.Random(1)
    clocks = [Clock(randoms, options.even_clocks)
              for _ in range((options.ranks - 1) // options.host_ranks + 1)]
    os.makedirs(options.folder, exist_ok=True)
    template = os.path.join(options.folder, "template")
    make_template(template)
    for number, rank in enumerate(simulate(options, randoms, clocks)):
        write(options, template, number, rank)
    os.remove(template)
    with open(os.path.join(options.folder, "planted.json"), "w", encoding="utf-8") as planted:
        json.dump({"straggler": options.straggler, "late_ms": options.late_ms,
                   "hosts": [{"offset_ns": clock.offset_ns, "drift": clock.drift}
                             for clock in clocks]}, planted)


if __name__ == "__main__":
    main()
