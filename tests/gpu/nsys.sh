# shellcheck shell=bash
# Sourced by the scripts that run Nsight Systems. Nsight Compute's install carries a whole one, whose
# importer wants libdw.so.1 and libelf.so.1 (Debian's libdw1 and libelf1) on LD_LIBRARY_PATH.

# find_nsys: sets nsys and importer, to nothing where they are not.
find_nsys() {
	local folder
	importer=
	nsys=$(command -v nsys ||
		find / -name nsys -path '*target-linux-x64*' -not -path '/proc/*' -print -quit 2>/dev/null || true)
	[ -n "$nsys" ] || return 0
	nsys=$(readlink -f "$nsys")
	for folder in "${nsys%/*}/.." "${nsys%/*}/../.."; do
		[ -n "$importer" ] || importer=$(find "$folder" -name QdstrmImporter -print -quit 2>/dev/null)
	done
}

# nsys_profile BASE [OPTION...] -- COMMAND...: CUDA calls and operations, graphs node by node. stdout
# is the program's and nsys' own.
nsys_profile() {
	local base=$1
	shift
	rm -f "$base".qdstrm "$base".nsys-rep "$base".sqlite
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	# Its status is not the program's alone: the importer that it calls may fail.
	timeout -k 10 120 "$nsys" profile -t cuda -s none --cpuctxsw=none --cuda-graph-trace=node \
		-f true -o "$base" "${options[@]}" "$@" || true
}

# nsys_export BASE: writes BASE.sqlite; its status says whether it is there.
nsys_export() {
	if [ ! -e "$1.nsys-rep" ] && [ -n "$importer" ]; then
		timeout -k 10 120 "$importer" -i "$1.qdstrm" -o "$1.nsys-rep" >&2 || true
	fi
	timeout -k 10 120 "$nsys" export -t sqlite -f true -o "$1.sqlite" "$1.nsys-rep" >&2 || true
	[ -e "$1.sqlite" ]
}
