#!/bin/bash
# wheel_test.sh CMAKE BUILD APP FAKE_CUDA: makes the wheel and installs it into a virtual environment, alone: it
# traces a program and a script, needs no library of the system but glibc, and leaves nothing behind.
set -euo pipefail

cmake=$1 build=$2 app=$3 fake=$4
source=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
	echo "wheel_test: $*" >&2
	exit 1
}

if ! /usr/bin/python3 -m venv venv >log 2>&1; then
	echo "no virtual environments here (Debian: python3-venv): the wheel is not tested"
	exit 77
fi
"$cmake" --build "$build" --target wheel >log || fail "$(cat log)"
wheel=$(tail -n 1 log | grep -o '/.*\.whl') || fail "$(tail log)"

# The list of files is right, and the tag names the glibc that they need.
/usr/bin/python3 - "$wheel" "$source/LICENSE" <<-'END'
	import base64, csv, hashlib, io, re, subprocess, sys, zipfile
	wheel, licence = zipfile.ZipFile(sys.argv[1]), open(sys.argv[2], "rb").read()
	names = wheel.namelist()
	[record] = [name for name in names if name.endswith(".dist-info/RECORD")]
	rows = {name: (digest, size) for name, digest, size in csv.reader(io.StringIO(wheel.read(record).decode()))}
	assert sorted(rows) == sorted(names), set(rows) ^ set(names)
	for name in set(names) - {record}:
	    content = wheel.read(name)
	    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
	    assert rows[name] == (f"sha256={digest}", str(len(content))), name
	folder = record.rsplit("/", 1)[0] + "/licenses/"
	assert wheel.read(folder + "LICENSE") == licence
	for part in "libdw1", "libelf1", "libjansson4", "libsmartcols1", "libsqlite3-0", "LGPL-3":
	    assert any(name.startswith(folder + part) for name in names), part
	minors = []
	for name in names:
	    if "/bin/" in name or "/lib/" in name:
	        symbols = subprocess.run(["objdump", "-T", wheel.extract(name, "unpacked")], check=True,
	                                 capture_output=True, text=True).stdout
	        minors += map(int, re.findall(r"GLIBC_2\.(\d+)", symbols))
	assert f"-manylinux_2_{max(minors)}_x86_64.whl" in sys.argv[1], max(minors)
END

list_venv() {
	find venv -not -path '*__pycache__*' | LC_ALL=C sort
}
list_venv >before
venv/bin/python -m pip --disable-pip-version-check install --no-index "$wheel" >log 2>&1 || fail "$(cat log)"
venv/bin/streamtrace --version | grep -q '^streamtrace [0-9]' || fail "no --version"
program=$(echo venv/lib/python3*/site-packages/streamtrace/bin/streamtrace)
ldd "$program" | grep -v -e "$scratch/venv/" -e ' => .*/lib[cm]\.so\.6 ' -e /ld-linux- -e linux-vdso &&
	fail "it needs libraries of the system"

export LD_LIBRARY_PATH=$fake
venv/bin/streamtrace run --no-measure -o app.db "$app" calls >out 2>log || fail "$(cat log)"
grep -qx made out || fail "the program says $(cat out)"
venv/bin/streamtrace info app.db | grep -Eq '^calls +10 *$' || fail "$(venv/bin/streamtrace info app.db)"

# A script runs with the same Python, though it is not the first in PATH.
cat >train.py <<-END
	import ctypes, sys
	cuda = ctypes.CDLL("libcudart.so.13")
	for step in range(5):
	    cuda.cudaStreamQuery(None)
	print(sys.prefix, *sys.argv[1:])
END
venv/bin/python -m streamtrace run --no-measure -o train.db train.py 7 >out 2>log || fail "$(cat log)"
grep -qx "$scratch/venv 7" out || fail "the script says $(cat out)"
venv/bin/streamtrace info train.db | grep -Eq '^calls +5 *$' || fail "$(venv/bin/streamtrace info train.db)"

# What Python does with signals is not the program's.
status=0
# shellcheck disable=SC2016
venv/bin/streamtrace run sh -c 'kill -PIPE $$' 2>log || status=$?
[ $status = $((128 + $(kill -l PIPE))) ] || fail "SIGPIPE: status $status"

venv/bin/python -m pip uninstall -qy streamtrace 2>log || fail "$(cat log)"
list_venv | diff before - || fail "something is left"
