#!/usr/bin/python3
"""Whether names of files and functions tell where one is: names.py [ROOT]

Prints a line for each base name that two modules of a library have (a module is a folder's files of one base
name), for each include guard of two headers, and for each function of one file that is named by a single word, as
`find`. Exit status: 0 none, 1 some.
"""
import collections
import os
import re
import sys

LIBRARIES = ("preload", "analyzer")
ATTRIBUTE = re.compile(r"__attribute__\(\(.*?\)\)\s*", re.S)
FUNCTION = re.compile(r"^static [^;={}()]*?\b([a-z0-9]+)\([^{;]*\)\n\{", re.M)


def sources(root, library):
    for folder, _, names in os.walk(os.path.join(root, library)):
        for name in sorted(names):
            if name.endswith((".c", ".h", ".S", ".def")):
                yield os.path.relpath(os.path.join(folder, name), root)


def check_functions(path, text):
    if path.endswith(".c"):
        for found in FUNCTION.finditer(ATTRIBUTE.sub("", text)):
            yield f"{path}: {found[1]}() has a name of one word: say of what, too"


def check(root):
    guards = collections.defaultdict(list)
    for library in LIBRARIES:
        modules = collections.defaultdict(set)
        for path in sources(root, library):
            text = open(os.path.join(root, path)).read()
            modules[os.path.basename(path).partition(".")[0]].add(os.path.dirname(path))
            guard = re.search(r"^#ifndef (\w+_H)\n#define \1$", text, re.M)
            if guard:
                guards[guard[1]].append(path)
            yield from check_functions(path, text)
        for name, folders in sorted(modules.items()):
            if len(folders) > 1:
                yield f"{library}: several modules are named {name}: in {', '.join(sorted(folders))}"
    for guard, paths in sorted(guards.items()):
        if len(paths) > 1:
            yield f"{guard} guards {', '.join(paths)}"


def main():
    wrong = list(check(sys.argv[1] if len(sys.argv) > 1 else "."))
    for line in wrong:
        print(line)
    print(f"names: {len(wrong) or 'nothing'} wrong")
    sys.exit(bool(wrong))


main()
