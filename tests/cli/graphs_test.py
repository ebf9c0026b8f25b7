#!/usr/bin/python3
"""Replays of programs that launch a graph with branches: graphs_test.py STREAMTRACE SOURCE_DIR

Makes programs at random, from fixed seeds: two threads launch kernels and a graph, whose nodes wait for each other by its
edges, in the launch's stream and in streams of their own. What holds each operation is simulated; with its edges in the
trace or without, a replay without fixes must be the run.
"""
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

STREAMTRACE, SOURCE = sys.argv[1:]
PROGRAMS = 60
LAG_NS = 1000  # from the end of what held an operation to its start
LEGACY, BLOCKING, NON_BLOCKING, OTHER = 7, 13, 23, 24  # of tests/support/prelude.sql
MOST_ERROR = 0.002  # of the run


def read(*parts):
    with open(os.path.join(SOURCE, *parts), encoding="utf-8") as file:
        return file.read()


class Program:
    def __init__(self, database, seed):
        self.database = database
        self.random = random.Random(seed)
        self.stream = self.random.choice([LEGACY, BLOCKING, NON_BLOCKING])
        self.host_ns = 1_000_000_000
        self.calls = 0
        self.other_thread_ns = 0  # the end of its last call
        self.ends = {}  # streams to the end of what was enqueued there
        branches = [self.stream] + [50 + i for i in range(self.random.randint(1, 4))]
        count = self.random.randint(2, 14)
        self.before = [self.random.sample(range(node), min(node, self.random.randint(0, 3))) for node in range(count)]
        self.streams = [self.random.choice(branches) for _ in range(count)]

    def write_graph(self):
        for node in range(len(self.before)):
            self.insert("graph_nodes", id=100 + node, graph_id=1, kind=0)
            self.insert("graph_nodes", id=300 + node, source_id=100 + node, graph_id=2, kind=0)
        if self.random.random() < 0.8:
            for node, before in enumerate(self.before):
                for other in before:
                    self.insert("graph_edges", from_id=100 + other, to_id=100 + node, kind=0, from_port=0)

    def insert(self, table, **values):
        self.database.execute(
            f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", list(values.values()))

    def call(self, function, stream, line, start_ns, end_ns, thread=100):
        self.calls += 1
        self.insert("calls", id=self.calls, thread_id=thread, function_id=function, start_ns=start_ns, end_ns=end_ns, result=0,
                    api_path=0, per_thread_stream=0, site_id=line, correlation_id=self.calls,
                    stream_handle=0 if stream == LEGACY else stream * 100)
        self.host_ns = end_ns

    def operation(self, stream, start_ns, end_ns, node=None):
        self.insert("operations", kind=1, start_ns=start_ns, end_ns=end_ns, device_id=0, context_id=1, stream_id=stream,
                    correlation_id=self.calls, graph_node_id=node, name_id=1)

    def launch_kernel(self):
        """By another thread, too, whose call may have begun before those of this one."""
        stream = self.stream if self.random.random() < 0.6 else OTHER
        start_ns, thread = self.host_ns, 100
        if self.random.random() < 0.4:
            start_ns, thread = max(self.other_thread_ns + 10, start_ns - self.random.randint(0, 40_000)), 101
            self.other_thread_ns = self.host_ns + 2000
        begins_ns = max(self.host_ns + 3000, self.ends.get(stream, 0) + LAG_NS)
        self.call(2, stream, 31, start_ns, self.host_ns + 2000, thread)
        self.ends[stream] = begins_ns + self.random.randint(10_000, 5_000_000)
        self.operation(stream, begins_ns, self.ends[stream])

    def launch_graph(self):
        first_ns = max(self.host_ns + 5000, self.ends.get(self.stream, 0) + LAG_NS)
        ends, last = [], {}
        self.call(14, self.stream, 40, self.host_ns, self.host_ns + 4000)
        for node, (stream, before) in enumerate(zip(self.streams, self.before)):
            held_ns = [ends[other] for other in before] + [last.get(stream, 0)]
            start_ns = max(first_ns, max(held_ns) + LAG_NS)
            ends.append(start_ns + self.random.randint(5000, 3_000_000))
            last[stream] = ends[-1]
            self.operation(stream, start_ns, ends[-1], 300 + node)
        self.ends[self.stream] = max(ends)

    def wait(self):
        self.call(4, self.stream, 50, self.host_ns, max(self.host_ns, self.ends.get(self.stream, 0)) + 2000)

    def run(self):
        self.write_graph()
        for _ in range(self.random.randint(2, 12)):
            self.host_ns += self.random.choice([self.random.randint(2100, 12_000), self.random.randint(2100, 2_000_000)])
            self.random.choices([self.launch_kernel, self.launch_graph, self.wait], [35, 45, 20])[0]()
        self.call(3, LEGACY, 60, self.host_ns + 2100, max([self.host_ns, *self.ends.values()]) + 5000)


def error_of(seed, folder):
    trace = os.path.join(folder, f"{seed}.db")
    with sqlite3.connect(trace) as database:
        database.execute("PRAGMA synchronous = OFF")
        database.executescript(read("preload", "schema.sql"))
        database.executescript(read("tests", "support", "prelude.sql"))
        Program(database, seed).run()
    done = subprocess.run([STREAMTRACE, "report", "--no-measure", "--format=json", trace], capture_output=True, text=True)
    if not done.stdout:
        return f"status {done.returncode}, {done.stderr}"
    check = json.loads(done.stdout)["self_check"]
    if check and abs(check["replayed_ns"] - check["measured_ns"]) > MOST_ERROR * check["measured_ns"]:
        return f"replayed in {check['replayed_ns']} instead of {check['measured_ns']} ns"
    return None


def main():
    with tempfile.TemporaryDirectory() as folder:
        errors = {seed: error_of(seed, folder) for seed in range(PROGRAMS)}
    for seed, error in errors.items():
        if error:
            print(f"graphs: seed {seed}: {error}")
    return 1 if any(errors.values()) else 0


sys.exit(main())
