#!/bin/bash
# streamtrace-mpi says what streamtrace says, byte for byte, with any number of processes:
# mpi_test.sh STREAMTRACE STREAMTRACE_MPI MPIRUN RANKS_PY
set -euo pipefail

streamtrace=$1 streamtrace_mpi=$2 mpirun=$3 ranks=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 HOME=$scratch
# Once a process has ended with a status, nothing is waited for a second: all are through MPI_Finalize().
export OMPI_MCA_odls_base_sigkill_timeout=0

fail() {
	echo "$*"
	exit 1
}

# run_mpi PROCESSES ARGUMENT...
run_mpi() {
	local processes=$1
	shift
	"$mpirun" --oversubscribe -n "$processes" "$streamtrace_mpi" "$@"
}

# check_same PROCESSES ARGUMENT...: the report and the exit status.
check_same() {
	local processes=$1 expected=0 status=0
	shift
	"$streamtrace" report "$@" >expected 2>/dev/null || expected=$?
	run_mpi "$processes" "$@" >found 2>/dev/null || status=$?
	cmp expected found || fail "$processes processes: another report of $*"
	[ "$expected" = "$status" ] || fail "$processes processes: status $status, not $expected, of $*"
}

"$ranks" job 20 --steps 12
check_same 7 job
grep -q "^Straggler: rank 1 " found || fail "no straggler is found"
tr -s '\n ' ' ' <found | grep -q "node0001: clock [^:]* by the ends of 12 collectives" ||
	fail "the clocks are not compared"
rm job/rank.7.*                       # missing
echo damaged >job/rank.20.train.1.db  # unreadable
truncate -s 40000 job/rank.9.*
sqlite3 job/rank.3.* "UPDATE metadata SET value = 'slurm:6.0' WHERE key = 'run';
  UPDATE metadata SET value = 'earlier' WHERE key = 'traced_by';
  UPDATE metadata SET value = value - 1000000000000 WHERE key IN ('start_ns', 'end_ns')"
for processes in 1 2 7 64; do
	check_same "$processes" job
done
for left_out in "rank 7: " "rank.20.train.1.db: is not a trace" "rank.9.train.10001.db: is truncated" \
	"rank.3.train.10003.db: is of another run"; do
	tr -s '\n ' ' ' <found | grep -q -- "$left_out" || fail "not left out: $left_out"
done
for format in json md csv; do
	check_same 3 --format=$format --all job
done
check_same 2 job/rank.1.* job/rank.12.*
check_same 2 job/rank.1.* job/rank.12.* job/rank.20.* no-such.db
cp job/rank.3.train.10003.db kept
mkdir empty
check_same 2 empty
run_mpi 2 -o job/rank.3.train.10003.db job >found 2>&1 && fail "a trace is replaced by the report"
cmp job/rank.3.train.10003.db kept || fail "a trace is replaced by the report"
# A report takes a file's place when it is whole, and where nothing could be read it does not.
status=0
run_mpi 2 -o report job 2>found || status=$?
[ $status = 3 ] || fail "status $status, not 3 as some files cannot be read: $(<found)"
"$streamtrace" report job >expected || true
cmp expected report || fail "another report in a file"
run_mpi 2 -o report no-such.db >found 2>&1 && fail "a report of nothing"
cmp expected report || fail "the report is gone"
[ -z "$(find . -name '.streamtrace-*')" ] || fail "an unfinished file is left"
run_mpi 2 --format=html job >found 2>&1 && fail "a format that it does not have is taken"
run_mpi 2 >found 2>&1 && fail "no trace is taken"
exit 0
