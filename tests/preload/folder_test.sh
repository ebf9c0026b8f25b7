#!/bin/bash
# A folder of traces as launchers leave it, on the stand-in for the GPU:
# folder_test.sh STREAMTRACE APP TORCHRUN FAKE_FOLDER
set -euo pipefail

streamtrace=$1 app=$2 torchrun=$3
export LD_LIBRARY_PATH=$4 STREAMTRACE_EXIT_TIMEOUT_MS=3600000
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
	echo "$*"
	cat said
	exit 1
}

# check_names FOLDER NAME...: what is in the folder, each process' number as N.
check_names() {
	local folder=$1 found
	shift
	found=$(cd "$folder" && printf '%s\n' * | sed 's/\.[0-9]*\.db$/.N.db/' | sort | xargs)
	[ "$found" = "$*" ] || fail "$folder has $found, not $*"
}

# check_said TEXT
check_said() {
	grep -qF -- "$1" said || fail "not said: $1"
}

# count_ranks FOLDER: the ranks of the folder's run, in order, and what is left out is in said.
ranks_of() {
	"$streamtrace" info "$1" 2>said | awk '$1 == "rank" { print $2 }' | xargs
}

host=$(uname -n)

# A launcher that makes no recorded call leaves no file; its workers do, by rank.
"$streamtrace" run -o job/ "$torchrun" 12 "$app" calls >/dev/null 2>said
check_said "wrote 12 traces into job/; next: streamtrace report job/"
[ "$(ranks_of job)" = "0 1 2 3 4 5 6 7 8 9 10 11" ] || fail "the ranks are not in order"
"$streamtrace" run -o launcher/ "$app" launcher >/dev/null 2>said
check_names launcher rank.0.files_app.N.db rank.1.files_app.N.db

# Another run into the same folder: neither is lost, and only the newer one counts.
"$streamtrace" run -o job "$torchrun" 2 "$app" calls >/dev/null 2>said
check_said "wrote 2 traces into job/"
[ "$(ls job | wc -l)" = 14 ] || fail "a trace of the first run is gone"
[ "$(ranks_of job)" = "0 1" ] || fail "the runs are mixed"
check_said "job: left out: 12 traces of other runs"

# Workers without ranks; they are of one run, whenever each of them ran.
"$streamtrace" run -o plain/ "$app" workers-in-turn >/dev/null 2>said
check_names plain "$host.files_app.N.db" "$host.files_app.N.db" "$host.files_app.N.db" \
	"$host.files_app.N.db"
"$streamtrace" info plain >out 2>said
[ "$(grep -c '^traced_by' out)" = 4 ] && [ ! -s said ] || fail "not all workers are of the run"

# As mpirun does: a `streamtrace run` a rank, at the same time. Each finishes its own trace.
mkdir many
for namespace in 1 2; do
	for rank in 0 1 2 3 4; do
		PMIX_NAMESPACE=$namespace PMIX_RANK=$rank OMPI_COMM_WORLD_SIZE=5 \
			"$streamtrace" run -o many "$app" calls >/dev/null 2>"said.$rank" &
	done
	wait
	for rank in 0 1 2 3 4; do
		cp "said.$rank" said
		check_said "wrote many/rank.$rank.files_app."
	done
done
[ "$(ls many | wc -l)" = 10 ] || fail "a trace is gone"
[ "$(ranks_of many)" = "0 1 2 3 4" ] || fail "the runs of mpirun are mixed"
check_said "many: left out: 5 traces of other runs"

# A run inside of a run: the outer one says where the trace is.
"$streamtrace" run "$streamtrace" run "$app" calls >/dev/null 2>said
check_said "this run has no trace of its own: streamtrace.$host."
rm -f streamtrace."$host".* # may be as old as the next run, which would name it
"$streamtrace" run "$streamtrace" run -o inner.db "$app" calls >/dev/null 2>said
check_said "wrote inner.db"
check_said "this run has no trace of its own: the streamtrace run inside of it says"

# A gate takes a folder; what cannot be read is no reason to pass.
"$streamtrace" check many >out 2>said || fail "check fails"
"$streamtrace" diff many many >out 2>said || fail "diff fails"
echo damaged >many/rank.9.files_app.1.db
"$streamtrace" check many >out 2>said && fail "check takes what is no trace"
check_said "many/rank.9.files_app.1.db: is not a trace"
mkdir empty
"$streamtrace" report empty >out 2>said && fail "an empty folder has a report"
check_said "empty: is a folder without traces"
