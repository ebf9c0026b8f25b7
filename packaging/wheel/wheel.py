#!/usr/bin/python3
"""Makes a wheel: wheel.py TREE FOLDER

TREE is what `cmake --install --component wheel` made: the wheel without the files that are made here, which are the
libraries that streamtrace needs and pip cannot install, with their licences as Debian packages have them, and WHEEL
and RECORD. The wheel goes into FOLDER; its tag names the oldest glibc that it runs with.
"""
import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

# What comes with glibc, on every system that the tag admits.
SYSTEM = re.compile(r"lib(c|m|dl|rt|pthread)\.so\.\d|(.*/)?ld-linux-x86-64\.so\.2|linux-vdso\.so\.1")
COMMON_LICENCES = pathlib.Path("/usr/share/common-licenses")
DATE = (1980, 1, 1, 0, 0, 0)  # of all files: the same tree makes the same wheel


def said_by(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def bundle_libraries(program, folder, licences):
    """Copies the libraries that the program needs, but the system's, and what their packages say of licences."""
    licences.mkdir(exist_ok=True)
    for name, path in re.findall(r"^\s*(\S+)(?: => (\S+))? \(0x", said_by("ldd", program), re.M):
        if SYSTEM.fullmatch(name):
            continue
        shutil.copyfile(path, folder / name)
        # The package's files may have been listed before /lib was one with /usr/lib.
        package = said_by("dpkg", "-S", f"*/{pathlib.Path(path).resolve().name}").split(":")[0]
        licence = pathlib.Path("/usr/share/doc", package, "copyright")
        shutil.copyfile(licence, licences / f"{package}.txt")
        for common in re.findall(rf"{COMMON_LICENCES}/([\w.-]*\w)", licence.read_text()):
            shutil.copyfile(COMMON_LICENCES / common, licences / f"{common}.txt")


def glibc_minor(binaries):
    """N of the oldest glibc 2.N that has all that the binaries need; they need no library that is not here."""
    names, minors = {binary.name for binary in binaries}, []
    for binary in binaries:
        headers = said_by("objdump", "-p", binary)
        missing = {name for name in re.findall(r"NEEDED +(\S+)", headers) if not SYSTEM.fullmatch(name)} - names
        if missing:
            sys.exit(f"wheel.py: {binary} needs {', '.join(sorted(missing))}, which would not be in the wheel")
        minors += map(int, re.findall(r"\bGLIBC_2\.(\d+)", headers))
    return max(minors)


def is_binary(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def pack(tree, record, wheel):
    """Writes RECORD, and all files of the tree into the wheel."""
    paths = sorted(path for path in tree.rglob("*") if path.is_file())
    with open(record, "w") as rows:
        for path in paths:
            digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).decode().rstrip("=")
            rows.write(f"{path.relative_to(tree)},sha256={digest},{path.stat().st_size}\n")
        rows.write(f"{record.relative_to(tree)},,\n")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in [*paths, record]:
            entry = zipfile.ZipInfo(str(path.relative_to(tree)), DATE)
            entry.external_attr = path.stat().st_mode << 16  # which files are programs
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)


def main():
    tree, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    [information] = tree.glob("*.dist-info")
    bundle_libraries(tree / "streamtrace/bin/streamtrace", tree / "streamtrace/lib", information / "licenses")
    binaries = [path for path in tree.rglob("*") if path.is_file() and is_binary(path)]
    tag = f"py3-none-manylinux_2_{glibc_minor(binaries)}_x86_64"
    (information / "WHEEL").write_text(
        f"Wheel-Version: 1.0\nGenerator: streamtrace\nRoot-Is-Purelib: false\nTag: {tag}\n")
    wheel = folder / f"{information.stem}-{tag}.whl"
    folder.mkdir(exist_ok=True)
    pack(tree, information / "RECORD", wheel)
    print(wheel)


main()
