#!/usr/bin/python3
"""Whether the links of the Markdown pages resolve: links.py [ROOT]

Prints a line for each link of a *.md file to a file or a heading that does not exist, and for each path
docs/... in any other text that does not exist. Exit status: 0 none, 1 some.
"""
import os
import re
import sys

TEXTS = (".md", ".c", ".h", ".S", ".def", ".cu", ".cuh", ".py", ".sh", ".txt", ".cmake", ".yml", ".sql", ".js", ".html", ".in")


def texts(root):
    """The files that are text, without build folders and hidden ones."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith((".", "build"))]
        for name in names:
            if name.endswith(TEXTS) or name == "dev":
                yield os.path.relpath(os.path.join(folder, name), root)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def without_code(text):
    """The text without code blocks and code in lines."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(text):
    """The anchors of a page's headings, as GitHub names them."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M):
        name = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", name).strip().replace(" ", "-"))
    return found


def check_page(root, page):
    text = read(os.path.join(root, page))
    links = re.findall(r"\]\(([^)\s]+)\)", without_code(text)) + re.findall(r'(?:src|href)="([^"]+)"', text)
    for link in links:
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        path = os.path.normpath(os.path.join(root, os.path.dirname(page), name)) if name else os.path.join(root, page)
        if not os.path.exists(path):
            yield f"{page}: no file for the link {link}"
        elif anchor and anchor not in anchors(read(path)):
            yield f"{page}: no heading for the link {link}"


def check_mentions(root, path):
    text = read(os.path.join(root, path))
    for mention in re.findall(r"(?<![\w.-])(?<!\w/)docs/[\w./-]*\w", text):
        if not os.path.exists(os.path.join(root, mention)):
            yield f"{path}: no file {mention}"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    wrong = []
    for path in sorted(texts(root)):
        wrong += check_page(root, path) if path.endswith(".md") else check_mentions(root, path)
    print("\n".join(wrong) or "links: nothing wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
