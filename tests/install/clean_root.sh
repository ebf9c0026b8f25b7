#!/bin/bash
# clean_root.sh BUILD [SUITE]: the packages in BUILD/packages on a clean system, which mmdebstrap makes of this one's
# release or of the one named (bookworm, noble). Each is installed, traces a program on the stand-in for CUDA, and is
# removed without a rest; the package's library and one that cmake installed are preloaded by the bare name. As root.
set -euo pipefail

build=$(realpath "$1")
suite=${2:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
components=main
[ "$suite" != noble ] || components=main,universe
scratch=$(mktemp -d)
root=$scratch/root

clean_up() {
	umount -q "$root/proc" || true
	rm -rf --one-file-system "$scratch"
}
trap clean_up EXIT

fail() {
	echo "clean_root: $suite: $*" >&2
	exit 1
}

# quietly COMMAND...: what it says is printed only when it fails.
quietly() {
	"$@" >"$scratch/log" 2>&1 </dev/null || fail "$*: $(tail -n 30 "$scratch/log")"
}

# inside COMMAND...: in the root, with nothing of this system's environment.
inside() {
	chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}

# What a system is without the lists, logs and caches of its package manager, the loader and Python.
list_files() {
	(cd "$root" && find . -xdev \( -path ./var/lib/apt -o -path ./var/cache -o -path ./var/log -o \
		-path './var/lib/dpkg/*-old' -o -name __pycache__ \) -prune -o -print | LC_ALL=C sort)
}

# check_preload TRACE: a program that knows nothing of streamtrace but the library's name writes the trace.
check_preload() {
	inside LD_PRELOAD=libstrace.so LD_LIBRARY_PATH=/opt/fake STREAMTRACE_OUTPUT="$1" \
		/opt/fake/files_app calls >"$scratch/out" 2>"$scratch/errors"
	grep -qx made "$scratch/out" || fail "the program says $(cat "$scratch/out")"
	# The loader only complains of a library that it does not find.
	[ ! -s "$scratch/errors" ] || fail "the program complains: $(cat "$scratch/errors")"
	check_trace "$build/bin/streamtrace" "$root$1"
}

# check_trace STREAMTRACE... TRACE: it has the ten calls of files_app.
check_trace() {
	"${@:1:$#-1}" info "${@: -1}" >"$scratch/out" || fail "info ends with status $?"
	grep -Eq '^calls +10 *$' "$scratch/out" || fail "$(cat "$scratch/out")"
}

# check_streamtrace COMMAND...: it traces a program, and reads traces.
check_streamtrace() {
	quietly inside LD_LIBRARY_PATH=/opt/fake "$@" run --no-measure -o /tmp/run.db /opt/fake/files_app calls
	check_trace inside "$@" /tmp/run.db
	quietly inside "$@" report --no-measure /tmp/run.db
	rm "$root/tmp/run.db"
}

check_no_rest() {
	list_files | diff "$scratch/before" - || fail "$1 is not removed without a rest"
}

# No file need survive a power cut. Ubuntu has python3-venv in universe.
if ! mmdebstrap --variant=apt --components="$components" --dpkgopt=force-unsafe-io --aptopt='Acquire::Retries "3"' \
	--skip=cleanup/apt/lists "$suite" "$root" >"$scratch/log" 2>&1 </dev/null ||
	! mount -t proc proc "$root/proc" 2>>"$scratch/log"; then
	echo "clean_root: $suite: no clean system can be made here, so the packages are not tried on one:" \
		"$(tail -n 1 "$scratch/log")"
	exit 0
fi
mkdir "$root/opt/fake"
cp -P "$build"/lib/fake/*.so* "$build/bin/tests/files_app" "$root/opt/fake"
cp "$build"/packages/streamtrace?* "$root/opt"

list_files >"$scratch/before"
quietly inside sh -c "apt-get -qy --no-install-recommends install /opt/streamtrace_*.deb"
check_preload /tmp/app.db
rm "$root/tmp/app.db"
check_streamtrace streamtrace
quietly inside apt-get -qy purge --autoremove streamtrace
check_no_rest "the Debian package"

quietly inside apt-get -qy --no-install-recommends install python3-venv
quietly inside python3 -m venv /opt/venv
list_files >"$scratch/before"
quietly inside sh -c "/opt/venv/bin/python -m pip install --no-index /opt/streamtrace-*.whl"
check_streamtrace /opt/venv/bin/streamtrace
check_streamtrace /opt/venv/bin/python -m streamtrace
quietly inside /opt/venv/bin/python -m pip uninstall -y streamtrace
check_no_rest "the wheel"

# As a component, so that build/install_manifest.txt is not replaced.
export DESTDIR=$root
quietly cmake --install "$build" --component Unspecified --prefix /usr
check_preload /tmp/usr.db
rm "$root"/usr/lib/libstrace*.so
quietly cmake --install "$build" --component Unspecified --prefix /usr/local
quietly inside ldconfig
check_preload /tmp/local.db
echo "clean_root: $suite: passed"
