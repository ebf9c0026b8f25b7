#!/bin/bash
# When the host first uses what copies brought, on a GPU: every kind of memory, with a shared and a static
# cudart; the program's output and status as untraced; what it costs; and PyTorch's .cpu(), where there is
# one. Prints a short table. Exit status 77: skipped.
# Usage: first_use.sh BUILD
set -euo pipefail
# shellcheck source=tests/gpu/common.sh
. "$(dirname "$0")/common.sh"
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)

if ! has_gpu; then
	echo "skipped: no GPU"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
watched=("$build/bin/streamtrace" run --first-use --no-measure -o "$scratch/trace.db" --)
traced=("$build/bin/streamtrace" run --no-measure -o "$scratch/plain.db" --)
status=0

for program in first_use first_use_static; do
	echo "== $program"
	"$build/bin/tests/$program" >"$scratch/untraced"
	rm -f "$scratch/trace.db"
	"${watched[@]}" "$build/bin/tests/$program" >"$scratch/watched" || status=1
	cmp "$scratch/untraced" "$scratch/watched" || status=1
	python3 "$here/first_use.py" "$scratch/watched" "$scratch/trace.db" || status=1
done

echo "== us for a copy, its wait and a read: untraced, traced, watched"
for mode in untraced traced watched; do
	case $mode in
	untraced) prefix=() ;;
	traced) prefix=("${traced[@]}") ;;
	watched) prefix=("${watched[@]}") ;;
	esac
	rm -f "$scratch/plain.db" "$scratch/trace.db"
	"${prefix[@]}" "$build/bin/tests/first_use" cost 2>/dev/null | tr '\n' ' '
	echo "$mode"
done

echo "== the sample sync_in_loop, its trace picking the copies of the second run"
rm -f "$scratch/plain.db" "$scratch/trace.db"
"${traced[@]}" "$build/bin/samples/sync_in_loop" >"$scratch/untraced" 2>/dev/null
"$build/bin/streamtrace" run --first-use="$scratch/plain.db" --no-measure -o "$scratch/trace.db" -- \
	"$build/bin/samples/sync_in_loop" >"$scratch/watched"
"$build/bin/streamtrace" report "$scratch/trace.db" | grep -E -A12 'can be won back|^1\.|^Waits|first use' || status=1

if python3 -c 'import torch' 2>/dev/null; then
	echo "== PyTorch"
	rm -f "$scratch/trace.db"
	"${watched[@]}" python3 -c 'if True:
		import torch
		x = torch.ones(1 << 22, device="cuda")
		total = 0.0
		for i in range(10):
			y = (x * i).cpu()
			total += y.sum().item()
			z = torch.empty(1 << 22, pin_memory=True).copy_(x, non_blocking=True)
			torch.cuda.synchronize()
			total += z[i].item()
		print(total)' || status=1
	python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT kind, count(*), min(watched_bytes),"
      " max(watched_bytes) FROM first_uses GROUP BY kind").fetchall())' "$scratch/trace.db"
	"$build/bin/streamtrace" report "$scratch/trace.db" | grep -A12 '^Waits' || true
fi
exit $status
