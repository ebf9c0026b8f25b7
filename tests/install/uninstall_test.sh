#!/bin/bash
# uninstall_test.sh CMAKE BUILD: after `cmake --install` and the target uninstall a folder is as it was before.
set -euo pipefail

cmake=$1 build=$2
scratch=$(mktemp -d)
mkdir "$scratch/kept"
notes=(install_manifest.txt install_manifest_mpi.txt install_folders.txt)

# What is really installed from this build can be uninstalled after the test, too.
move_notes() {
	local note

	for note in "${notes[@]}"; do
		[ ! -e "$1/$note" ] || mv "$1/$note" "$2/$note"
	done
}
trap 'rm -f "${notes[@]/#/$build/}"; move_notes "$scratch/kept" "$build"; rm -rf "$scratch"' EXIT
move_notes "$build" "$scratch/kept"

fail() {
	echo "uninstall_test: $*" >&2
	exit 1
}

install_to() {
	"$cmake" --install "$build" --prefix "$1" >"$scratch/log"
}

uninstall() {
	"$cmake" --build "$build" --target uninstall >"$scratch/log" || fail "$(cat "$scratch/log")"
}

# check_same NAME BEFORE: what $scratch/NAME has is what the file BEFORE lists.
check_same() {
	find "$scratch/$1" | LC_ALL=C sort | diff "$2" - || fail "$1 is not as it was"
}

# Nothing was there: nothing is.
install_to "$scratch/new/with space"
[ -x "$scratch/new/with space/bin/streamtrace" ] || fail "nothing was installed"
# As `cmake --install --component mpi` where there is MPI.
touch "$scratch/new/with space/bin/streamtrace-mpi"
echo "$scratch/new/with space/bin/streamtrace-mpi" >"$build/install_manifest_mpi.txt"
uninstall
[ ! -e "$scratch/new" ] || fail "left: $(find "$scratch/new")"
if "$cmake" --build "$build" --target uninstall >"$scratch/log" 2>&1; then
	fail "it uninstalls twice"
fi
grep -q "nothing is installed from here" "$scratch/log" || fail "$(cat "$scratch/log")"

# Folders and files of others stay, though the folders be empty, and a newer file in a folder of ours.
mkdir -p "$scratch"/old/{bin,lib,etc,share/man/man1,share/zsh/site-functions}
touch "$scratch/old/bin/other" "$scratch/old/share/man/man1/.hidden"
find "$scratch/old" | LC_ALL=C sort >"$scratch/before"
install_to "$scratch/old"
install_to "$scratch/old"
uninstall
check_same old "$scratch/before"
install_to "$scratch/old"
touch "$scratch/old/share/doc/streamtrace/docs/use/mine"
printf '%s\n' "$scratch"/old/share/doc{,/streamtrace{,/docs{,/use{,/mine}}}} >>"$scratch/before"
LC_ALL=C sort -o "$scratch/before" "$scratch/before"
uninstall
check_same old "$scratch/before"

# What a package maker calls.
export DESTDIR=$scratch/root
mkdir -p "$DESTDIR/usr/local/share/man"
find "$DESTDIR" | LC_ALL=C sort >"$scratch/before"
install_to /usr/local
[ -x "$DESTDIR/usr/local/bin/streamtrace" ] || fail "nothing was installed to DESTDIR"
uninstall
check_same root "$scratch/before"
