"""Operations of the device in a trace beside those in Nsight Systems' export of the same program.

    count_operations.py TRACE EXPORT     Markdown cells: kernels, copies, sets (ours/nsys), matched

Exit status 1 when a number differs, when there is no operation at all, or when an operation of ours
has not exactly one call.
"""
import sqlite3
import sys

KINDS = {"KERNEL": 1, "MEMCPY": 2, "MEMSET": 3}


def number(database, sql, *arguments):
    return database.execute(sql, arguments).fetchone()[0]


def count_theirs(export, name):
    """A table of theirs is not there where it would be empty."""
    table = f"CUPTI_ACTIVITY_KIND_{name}"
    if not number(export, "SELECT count(*) FROM sqlite_master WHERE name = ?", table):
        return 0
    return number(export, f"SELECT count(*) FROM {table}")


def main(arguments):
    trace, export = (sqlite3.connect(path) for path in arguments)
    cells = []
    is_right = True
    for name, kind in KINDS.items():
        ours = number(trace, "SELECT count(*) FROM operations WHERE kind = ?", kind)
        theirs = count_theirs(export, name)
        is_right &= ours == theirs
        cells.append(f"{ours}/{theirs}{'' if ours == theirs else ' !'}")
    operations = number(trace, "SELECT count(*) FROM operations")
    matched = number(trace, "SELECT coalesce(sum(matched), 0) FROM matched_operations")
    # matched_operations takes the first call of several.
    several = number(
        trace,
        """SELECT count(*) FROM operations WHERE correlation_id IN
           (SELECT correlation_id FROM call_correlations GROUP BY 1 HAVING count(*) > 1)""",
    )
    is_matched = operations > 0 and matched == operations and several == 0
    cells.append(f"{matched}/{operations}{'' if is_matched else ' !'}")
    print(" | ".join(cells))
    for kind, count, detail in trace.execute("SELECT kind, count, detail FROM losses"):
        print(f"lost {kind} {count} {detail or ''}", file=sys.stderr)
    if several:
        print(f"{several} operations with more than one call", file=sys.stderr)
    return 0 if is_right and is_matched else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
