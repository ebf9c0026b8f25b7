"""What a line of C may be changed into, and which of all that is tried: for mutate.py."""
import collections
import pathlib
import random
import re

OPERATORS = {"<": ["<=", ">"], "<=": ["<", ">"], ">": [">=", "<"], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}
COMPARISON = re.compile(r"(?<= )(<=|>=|==|!=|<|>)(?= )")
CONSTANT = re.compile(r"\b(\d+|true|false)\b(?![.\w])")
# But for what only gives something back: that is for the address sanitizer, which is not here.
STATEMENT = re.compile(r"\t+(?!free\(|close\(|\w+_(free|close|lock|unlock)\()(\w+\(.*\)|[*&\w.>\[\]-]+ [-+|&^*/]?= .*|"
                       r"[\w.>\[\]-]+(\+\+|--));$")
CALL = re.compile(r"\b(?!(?:if|for|while|switch|sizeof|return)\b)\w+\(")


def compare(line, code):
    for match in COMPARISON.finditer(code):
        for other in OPERATORS[match[1]]:
            yield line[:match.start()] + other + line[match.end():]


def change_constant(line, code):
    """A number becomes the next one; a large one a much smaller one, too."""
    for match in CONSTANT.finditer(code):
        word = match[1]
        others = {"true": ["false"], "false": ["true"]}.get(word) or [int(word) + 1] + [int(word) // 8] * (len(word) > 1)
        for other in others:
            yield f"{line[:match.start()]}{other}{line[match.end():]}"


def drop_statement(line, code):
    if STATEMENT.match(code):
        yield re.sub(r"^(\t+)", r"\1if (0) ", line)


def swap_arguments(line, code):
    for match in CALL.finditer(code):
        ends, depth = [match.end()], 1
        for at in range(match.end(), len(code)):
            depth += (code[at] in "([{") - (code[at] in ")]}")
            if depth == 0 or depth == 1 and code[at] == ",":
                ends.append(at + 1)
            if depth == 0:
                break
        parts = [line[a:b - 1].strip() for a, b in zip(ends, ends[1:])] if depth == 0 else []
        for i in range(len(parts) - 1):
            if parts[i] != parts[i + 1]:
                swapped = parts[:i] + [parts[i + 1], parts[i]] + parts[i + 2:]
                yield line[:match.end()] + ", ".join(swapped) + line[ends[-1] - 1:]


RULES = (compare, change_constant, drop_statement, swap_arguments)


def find_places(path):
    """Each (rule, path, line number, mutant) of a file. Texts and comments are blanked, assertions are the compiler's."""
    before = ";"
    for number, line in enumerate(path.read_text().splitlines()):
        code = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])+\'', lambda text: "~" * len(text[0]), line)
        code = re.sub(r"/\*.*?(\*/|$)|//.*", lambda text: " " * len(text[0]), code).rstrip()
        is_code = re.match(r"\t|#define \w+\s+\d", code) and not re.match(r"\s* \*|.*_Static_assert", line)
        for rule in RULES if is_code else ():
            if rule is not drop_statement or before.endswith((";", "{", "}", ":", ")", "else")):
                yield from ((rule, path, number, mutant) for mutant in rule(line, code))
        before = code.strip() or before


def choose(files, tree, count):
    """As many of each room as its lines are, of the rules by chance."""
    rooms = collections.defaultdict(list)
    for path in files:
        rooms["/".join(path.relative_to(tree).parts[:2])].append(path)
    lines = {room: sum(len(path.read_text().splitlines()) for path in paths) for room, paths in rooms.items()}
    done, total = 0, sum(lines.values())
    for room in random.sample(sorted(rooms), len(rooms)):
        found = collections.defaultdict(list)
        for path in rooms[room]:
            for place in find_places(path):
                found[place[0]].append(place[1:])
        for _ in range(round(count * (done + lines[room]) / total) - round(count * done / total)):
            places = found[random.choice([rule for rule in RULES if found[rule]])]
            yield room, *places.pop(random.randrange(len(places)))
        done += lines[room]


def read_equivalent():
    """(file, line, mutant) to the reason."""
    text = re.sub(r"(?m)^#.*\n", "", pathlib.Path(__file__).with_name("equivalent.txt").read_text())
    paragraphs = [paragraph.strip().splitlines() for paragraph in text.split("\n\n") if paragraph.strip()]
    return {(file, before[2:], after[2:]): " ".join(reason) for file, before, after, *reason in paragraphs}
