# shellcheck shell=bash
# Sourced by the scripts that run samples on a GPU. They work from a build folder that was carried
# to another machine: bash and the built programs are all they need.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build
programs=bin/samples # where in the build folder the samples are

has_gpu() {
	[ -e /dev/nvidia0 ] || nvidia-smi -L 2>/dev/null | grep -q '^GPU'
}

# The samples that are built, one a line: those with twins.
all_samples() {
	local program
	for program in "$build/$programs"/*; do
		case ${program##*/} in
		quiet | two | sync_matrix) ;;
		*) echo "${program##*/}" ;;
		esac
	done
}

# twin_option broken|fixed|quiet: the sample's option for that twin. A quiet program has no other.
twin_option() {
	[ "$1" != fixed ] || echo "--fixed"
}

# trace_name SAMPLE broken|fixed: the trace's file name.
trace_name() {
	[ "$2" = broken ] && echo "${1##*/}.db" || echo "${1##*/}.fixed.db"
}

# run_untraced SAMPLE TWIN: prints the sample's two lines.
run_untraced() {
	# shellcheck disable=SC2046 # no option must be no argument
	"$build/$programs/$1" $(twin_option "$2")
}

# run_traced SAMPLE TWIN TRACE: the same, and writes the trace anew.
run_traced() {
	rm -f "$3"
	# shellcheck disable=SC2046
	LD_PRELOAD=$build/lib/libstrace.so STREAMTRACE_OUTPUT=$3 \
		"$build/$programs/$1" $(twin_option "$2")
}

# run_recorded SAMPLE TWIN TRACE: the same, and the trace needs the program no more: its call sites
# have their lines.
run_recorded() {
	rm -f "$3"
	# shellcheck disable=SC2046
	"$build/bin/streamtrace" run -o "$3" -- "$build/$programs/$1" $(twin_option "$2")
}

# field NAME: the second word of the line that begins with NAME, from stdin.
field() {
	local name value
	while read -r name value _; do
		if [ "$name" = "$1" ]; then
			echo "$value"
		fi
	done
}
