#!/usr/bin/python3
"""Whether the rooms of docs/develop/architecture.md use each other as it says: rooms.py [ROOT [BUILD]]

A room may be a folder in another room, and stands below or above it as the page says.

Prints a line for each #include and, where BUILD has objects, each link symbol that goes to a room
that is not below, for each struct of such a room, though it be only declared, for each header *_private.h that
is reached from outside its folder, and for each ring of modules that need each other to link; and for each file that the
analyzer makes by itself instead of with base/output.h. Exit status: 0 none, 1 some, 2 the tree is not as the page
says (a file in no room, a room or its manual missing).
"""
import os
import re
import subprocess
import sys

PAGE = "docs/develop/architecture.md"
LIBRARIES = {"preload": "preload/CMakeFiles/strace_preload.dir", "analyzer": "analyzer/CMakeFiles/analyzer.dir"}
OUTPUT = "analyzer/base/output.c"
# Functions, and with which arguments they make a file or put one into the place of another.
MAKES_FILES = {
    **dict.fromkeys(["fopen", "fopen64", "freopen"], r'"(?:[wa]|r\w*\+)'),
    **dict.fromkeys(["open", "open64", "openat"], r"\bO_(?:CREAT|TRUNC|TMPFILE)\b"),
    **dict.fromkeys(["creat", "mkstemp", "mkostemp", "rename", "renameat", "renameat2", "link", "linkat"], ""),
    "database_connect": r"\bSQLITE_OPEN_CREATE\b(?!.*SQLITE_OPEN_MEMORY)",
    "sqlite3_open": "",
    "sqlite3_open_v2": r"\bSQLITE_OPEN_CREATE\b(?!.*SQLITE_OPEN_MEMORY)",
}


def read_rooms(root):
    """Room to its place in the order, and room to its manual."""
    text = open(os.path.join(root, PAGE)).read()
    order, manuals = {}, {}
    for block in re.findall(r"^```rooms\n(.*?)^```", text, re.M | re.S):
        for line in block.splitlines():
            room, manual = line.split()[:2]
            order[room] = len(order)
            manuals[room] = manual
    return order, manuals


def files_of(root):
    for library in LIBRARIES:
        for folder, _, names in os.walk(os.path.join(root, library)):
            for name in names:
                if name.endswith((".c", ".h", ".S", ".def")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def room_of(path):
    return os.path.dirname(path)


def folder_of(path):
    """analyzer/replay of a file or a room in it."""
    return path.split("/")[:2]


def is_allowed(order, user, used):
    """Its own room, facts, or a room of the same library that stands before it."""
    if user == used or used == "facts":
        return True
    return user.split("/")[0] == used.split("/")[0] and order[used] < order[user]


def check_nested(order):
    """A room in a room stands beside it, with rooms of the same one between them at most."""
    for room in order:
        outer = os.path.dirname(room)
        if outer in order:
            first, last = sorted((order[room], order[outer]))
            if any(first < order[other] < last and not other.startswith(outer + "/") for other in order):
                yield f"{room}: stands apart from {outer} in {PAGE}"


def check_tree(root, order, manuals):
    yield from check_nested(order)
    for room, manual in manuals.items():
        if not os.path.exists(os.path.join(root, room, manual)):
            yield f"{room}: its manual {manual} is missing"
    for path in files_of(root):
        room = room_of(path)
        if room not in order and room not in LIBRARIES:
            yield f"{path}: {room} is no room of {PAGE}"


def check_includes(root, order):
    for path in sorted(files_of(root)):
        room = room_of(path)
        if room not in order:
            continue
        for number, line in enumerate(open(os.path.join(root, path)), 1):
            found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not found:
                continue
            name = found[1]
            used = room_of(name)
            if used != "facts":
                used = room.split("/")[0] + "/" + used
            if used not in order:
                if os.path.exists(os.path.join(root, room.split("/")[0], name)):
                    continue  # beside the rooms: the public header, the format
                yield f"{path}:{number}: {name} is in no room"
            elif not is_allowed(order, room, used):
                yield f"{path}:{number}: {room} includes {name}, which is not below it"


def code_of(path):
    """Without comments and texts; lines stay."""
    gone = r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\""
    return re.sub(gone, lambda found: "\n" * found[0].count("\n"), open(path).read(), flags=re.S)


def check_structs(root, order):
    """A struct belongs to the rooms that define it, in a header or behind one that names it. Below them it is
    not even named; rooms in one folder share theirs."""
    paths = [path for path in sorted(files_of(root)) if room_of(path) in order]
    codes = {path: code_of(os.path.join(root, path)) for path in paths}
    named, defined, owners = {}, {}, {}
    for path, code in codes.items():
        if path.endswith(".h"):
            named.setdefault(room_of(path), set()).update(re.findall(r"\bstruct (\w+)", code))
        defined.setdefault(room_of(path), set()).update(re.findall(r"\bstruct (\w+)\s*\{", code))
    for room in defined:
        for name in defined[room] & named.get(room, set()):
            owners.setdefault((room.split("/")[0], name), []).append(room)
    for path, code in codes.items():
        room = room_of(path)
        for found in re.finditer(r"\bstruct (\w+)\b(?!##)", code):
            rooms = owners.get((path.split("/")[0], found[1]), [room])
            if found[1] in defined[room] or any(
                is_allowed(order, room, owner) or folder_of(owner) == folder_of(room) for owner in rooms
            ):
                continue
            number = code.count("\n", 0, found.start()) + 1
            yield f"{path}:{number}: struct {found[1]} is of {rooms[0]}, which is not below {room}"


def check_private(root, order):
    """A header *_private.h is for its folder of the library, and no header carries it out of there."""
    includes = {}
    for path in sorted(files_of(root)):
        names = re.findall(r'^\s*#\s*include\s+"([^"]+)"', open(os.path.join(root, path)).read(), re.M)
        includes[path] = [path.split("/")[0] + "/" + name for name in names]

    def reached(path, seen):
        for name in includes.get(path, []):
            if name not in seen:
                seen.add(name)
                reached(name, seen)
        return seen

    for path in includes:
        for name in sorted(reached(path, set())):
            if name.endswith("_private.h") and folder_of(name) != folder_of(path):
                yield f"{path}: reaches {name}"


def symbols_of(objects):
    """Symbol to the object that defines it, and object to the symbols that it needs."""
    defined, needed = {}, {}
    for name, path in objects.items():
        needed[name] = set()
        lines = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
        for line in lines.splitlines():
            *_, kind, symbol = line.split()
            if kind in "Uw":
                needed[name].add(symbol)
            elif kind in "TDBRVWC":
                defined[symbol] = name
    return defined, needed


def link_graph(folder, sources):
    """Object to {object that it needs: a symbol}; an object is its source's path without ending. Objects of
    sources that are gone are left over from a build before."""
    objects = {}
    for here, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(here, name)
            if name.endswith(".o") and os.path.exists(os.path.join(sources, os.path.relpath(path, folder)[:-2])):
                objects[re.sub(r"\.\w+\.o$", "", os.path.relpath(path, folder))] = path
    defined, needed = symbols_of(objects)
    return {
        name: {defined[s]: s for s in sorted(wanted) if defined.get(s, name) != name}
        for name, wanted in needed.items()
    }


def rings_of(graph):
    """Strongly connected components of more than one object (Tarjan's algorithm)."""
    index, low, stack, rings = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            ring = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(ring) > 1:
                rings.append(sorted(ring))

    for node in graph:
        if node not in index:
            visit(node)
    return rings


def check_links(order, library, folder, sources):
    graph = link_graph(folder, sources)
    for name, uses in sorted(graph.items()):
        room = library + "/" + room_of(name)
        for other, symbol in sorted(uses.items()):
            used = library + "/" + room_of(other)
            if room in order and used in order and not is_allowed(order, room, used):
                yield f"{library}/{name}: links {symbol} of {other}, whose room is not below {room}"
    for ring in rings_of(graph):
        yield f"{library}: modules in a ring: {' '.join(ring)}"


def calls_of(text):
    """Each (function, its arguments, line) that may make a file, outside of comments."""
    text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.S)
    for found in re.finditer(r"\b(\w+)\s*\(", text):
        if found[1] not in MAKES_FILES:
            continue
        depth, end = 1, found.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield found[1], text[found.end() : end - 1], text.count("\n", 0, found.start()) + 1


def check_outputs(root):
    for path in sorted(files_of(root)):
        if not path.startswith("analyzer/") or path == OUTPUT:
            continue
        for function, arguments, number in calls_of(open(os.path.join(root, path)).read()):
            if re.search(MAKES_FILES[function], arguments, re.S):
                yield f"{path}:{number}: {function}() makes a file: base/output.h does that"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    build = sys.argv[2] if len(sys.argv) > 2 else os.path.join(root, "build")
    order, manuals = read_rooms(root)
    astray = list(check_tree(root, order, manuals))
    wrong = list(check_includes(root, order)) + list(check_structs(root, order))
    wrong += list(check_private(root, order)) + list(check_outputs(root))
    linked = 0
    for library, folder in LIBRARIES.items():
        folder = os.path.join(build, folder)
        if os.path.isdir(folder):
            linked += 1
            wrong += check_links(order, library, folder, os.path.join(root, library))
    for line in astray + wrong:
        print(line)
    print(f"rooms: {len(order)} rooms, links of {linked} libraries: "
          f"{len(astray) + len(wrong) or 'nothing'} wrong")
    sys.exit(2 if astray or not order else 1 if wrong else 0)


main()
