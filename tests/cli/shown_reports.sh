#!/bin/bash
# That README.md and docs/use/reading-a-report.md show what the commands print of the recordings today, and that
# README.md has a row of its table a finding.
#
#	shown_reports.sh STREAMTRACE SOURCE_DIR
set -euo pipefail

export LC_ALL=C.UTF-8
unset COLUMNS
streamtrace=$1
cd "$2"
failed=0

# check FILE WHAT TEXT: the file has the text.
check() {
	if [[ $(<"$1") != *"$3"* ]]; then
		echo "$1 does not have $2"
		echo "$3"
		failed=1
	fi
}

# check_output FILE LINES COMMAND...: the file has the first lines of the output, indented by four.
check_output() {
	local file=$1 lines=$2
	shift 2
	check "$file" "the output of: streamtrace $*" \
		"$("$streamtrace" "$@" | sed -n "1,${lines}p" | sed 's/^./    &/')"
}

# A row a finding, of a list in which long titles have further lines.
pitfalls() {
	printf '| finding | what is wrong |\n|---|---|\n'
	"$streamtrace" explain | awk '
		/^[a-z]/ { if (row) print row " |"; id = $1; $1 = ""; row = "| `" id "` |" $0; next }
		{ $1 = $1; row = row " " $0 }
		END { print row " |" }'
}

broken=samples/recordings/pageable_copy.db
check_output README.md 19 report --no-measure $broken
check README.md "the list of: streamtrace explain" "$(pitfalls)"
check_output docs/use/reading-a-report.md '$' report --no-measure $broken
check_output docs/use/reading-a-report.md 16 report --no-measure samples/recordings/pageable_copy.fixed.db
check_output docs/use/reading-a-report.md '$' whatif --no-measure --apply all $broken
exit $failed
