"""first_use.py STEPS TRACE: compares how the watches in TRACE ended with what STEPS, the output of
first_use, says. Prints a line a step; exit status 1 where one differs."""
import sqlite3
import sys

steps, trace = sys.argv[1:]
database = sqlite3.connect(trace)
state = database.execute("SELECT value FROM metadata WHERE key = 'first_use'").fetchone()
rows = database.execute("SELECT u.kind, u.watched_bytes, u.touch_ns - u.wait_ns, c.name FROM first_uses u"
                        " LEFT JOIN call_correlations k USING (correlation_id)"
                        " LEFT JOIN named_calls c ON c.id = k.call_id"
                        " ORDER BY coalesce(u.wait_ns, u.touch_ns)").fetchall()
print("first_use:", *(state or ["missing"]), "|", database.execute(
    "SELECT group_concat(kind || ' ' || count, ', ') FROM losses").fetchone()[0] or "no losses")
failed = state != ("on",)
for line in open(steps):
    words = line.split()
    if not words or words[0] != "step":
        continue
    for expected in words[2:]:
        row = rows.pop(0) if rows else (None, None, None, None)
        ok = str(row[0]) in expected.split("|")
        failed |= not ok
        after = "" if row[2] is None else f"{row[2] / 1e3:.1f} us"
        print(f"{words[1]:<16} kind {row[0]} of {expected:<4} {row[1]} bytes {after:>12} {row[3]}"
              f" {'ok' if ok else 'DIFFERS'}")
if rows:
    print("more than expected:", rows)
sys.exit(failed or bool(rows))
