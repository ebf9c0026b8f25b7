"""A row of the table of profilers: what is in a trace that was made beside another profiler.

    row.py NAME TRACE LAUNCHES [shut-out]

The trace must say of CUPTI that it was on, and then hold at least that many kernels, each with its
call; or that another profiler was active, and then as many launches at least. `shut-out`: it must be
the second. Exit status 1 when it does not.
"""
import sqlite3
import sys


def main(arguments):
    name, path, launches = arguments[0], arguments[1], int(arguments[2])
    trace = sqlite3.connect(path)

    def value(sql):
        return trace.execute(sql).fetchone()[0]

    cupti = value("SELECT value FROM metadata WHERE key = 'cupti'")
    calls = value("SELECT count(*) FROM calls")
    launched = value("SELECT count(*) FROM named_calls WHERE class = 'launch'")
    kernels = value("SELECT count(*) FROM operations WHERE kind = 1")
    operations = value("SELECT count(*) FROM operations")
    matched = value("SELECT coalesce(sum(matched), 0) FROM matched_operations")
    if cupti == "on":
        is_right = arguments[3:] == [] and kernels >= launches and matched == operations
    else:
        is_right = "another profiler" in cupti and launched >= launches
    verdict = "ok" if is_right else "WRONG"
    print(f"| {name} | {calls} | {launched} | {kernels} | {matched}/{operations} | {cupti} | {verdict} |")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
