#!/usr/bin/python3
"""Inputs for tests/fuzz as lines of text: corpus.py unpack LIST FOLDER | corpus.py pack LIST FILE...

A list has an input a line, in hexadecimal. unpack: each becomes a file of the folder, as libFuzzer wants them.
pack: adds the inputs in the files to the list; what is there already is left out.
"""
import hashlib
import os
import sys


def read(path):
    with open(path) as file:
        return [bytes.fromhex(line) for line in file.read().split()]


def unpack(path, folder):
    for one in read(path):
        with open(os.path.join(folder, hashlib.sha1(one).hexdigest()), "wb") as file:
            file.write(one)


def pack(path, files):
    known = read(path)
    for name in files:
        with open(name, "rb") as file:
            known.append(file.read())
    with open(path, "w") as file:
        file.writelines(one.hex() + "\n" for one in dict.fromkeys(known) if one)


if sys.argv[1:2] == ["unpack"] and len(sys.argv) == 4:
    unpack(*sys.argv[2:])
elif sys.argv[1:2] == ["pack"] and len(sys.argv) > 3:
    pack(sys.argv[2], sys.argv[3:])
else:
    sys.exit(__doc__)
