"""One row of the table of API paths: what a program says it issued, and what its trace recorded.

    row.py API_PATH STDOUT TRACE    a Markdown row; exit status 1 when anything differs
    row.py --head                   the table's head

Cells: issued/recorded. A wrong count ends in an exclamation mark. A dash: the trace has no table
for it.
"""
import sqlite3
import sys

# Which of functions.class a column counts.
CLASSES = {
    "launch": ("launch", "graph-launch"),
    "copy": ("copy",),
    "set": ("set",),
    "event": ("event-create", "event-destroy", "event-record"),
    "query": ("event-query", "stream-query"),
    "wait": ("event-sync", "stream-sync", "device-sync", "stream-wait-event"),
    "alloc": ("alloc", "host-alloc"),
    "free": ("free", "host-free"),
    "host-function": ("host-function",),
}

# Column: the table or view to count in, and how. Managed memory moves in parts of at most 2 MiB, the
# size and alignment of each buffer: a buffer is counted once a part of it has moved to the device
# (CUPTI's kind 1).
TABLES = {
    "host-run": ("host_functions", "SELECT count(*) FROM host_functions"),
    "graph-node": (
        "node_calls",
        "SELECT count(*) FROM operations WHERE graph_node_id IN (SELECT id FROM node_calls)",
    ),
    "managed": (
        "managed_memory",
        "SELECT count(DISTINCT address >> 21) FROM managed_memory WHERE kind = 1",
    ),
    "pool": ("memory_pools", "SELECT count(*) FROM memory_pools"),
}

OPERATIONS = {"device-kernel": 1, "device-copy": 2, "device-set": 3}

# The driver makes a pool of its own at the first stream-ordered allocation: there may be more.
AT_LEAST = {"pool"}

COLUMNS = [*CLASSES, *TABLES, *OPERATIONS]


def read_made(path):
    with open(path, encoding="utf-8") as lines:
        words = [line.split() for line in lines]
    return {word[1]: int(word[2]) for word in words if word and word[0] == "made"}


def number(trace, sql, arguments=()):
    return trace.execute(sql, arguments).fetchone()[0]


def count_seen(trace, column):
    """None where the trace has no table for it."""
    if column in CLASSES:
        marks = ",".join("?" * len(CLASSES[column]))
        return number(
            trace,
            "SELECT count(*) FROM calls c JOIN functions f ON f.id = c.function_id"
            f" WHERE f.class IN ({marks})",
            CLASSES[column],
        )
    if column in OPERATIONS:
        return number(
            trace, "SELECT count(*) FROM operations WHERE kind = ?", (OPERATIONS[column],)
        )
    table, sql = TABLES[column]
    if not number(trace, "SELECT count(*) FROM sqlite_master WHERE name = ?", (table,)):
        return None
    return number(trace, sql)


def count_matched_once(trace):
    return number(
        trace,
        """SELECT count(*) FROM operations o
           WHERE (SELECT count(*) FROM call_correlations k
                  WHERE k.correlation_id = o.correlation_id) = 1""",
    )


def make_cell(api_path, column, made, seen):
    """Its text, and whether it is as it should be."""
    if seen is None:
        return "-", True
    is_right = seen >= made if column in AT_LEAST else seen == made
    return f"{made}/{seen}{'' if is_right else ' !'}", is_right


def print_row(cells):
    print("| " + " | ".join(cells) + " |")


def main(arguments):
    if arguments == ["--head"]:
        head = ["API path", *COLUMNS, "matched once"]
        print_row(head)
        print("|" + "---|" * len(head))
        return 0
    api_path, stdout, path = arguments
    made = read_made(stdout)
    trace = sqlite3.connect(path)
    cells = [make_cell(api_path, name, made[name], count_seen(trace, name)) for name in COLUMNS]
    operations = number(trace, "SELECT count(*) FROM operations")
    once = count_matched_once(trace)
    is_once = once == operations
    texts = [text for text, _ in cells]
    print_row([api_path, *texts, f"{operations}/{once}{'' if is_once else ' !'}"])
    for kind, count, detail in trace.execute("SELECT kind, count, detail FROM losses"):
        print(f"{api_path}: lost {kind} {count} {detail or ''}", file=sys.stderr)
    for reason, in trace.execute(
        "SELECT value FROM metadata WHERE key = 'managed_memory' AND value <> 'on'"
    ):
        print(f"{api_path}: managed memory: {reason}", file=sys.stderr)
    return 0 if is_once and all(right for _, right in cells) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
