"""Becomes the program `streamtrace`, which lies beside this file with its libraries."""
import os
import signal
import sys


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "streamtrace")
    arguments = sys.argv[1:]
    if arguments[:1] == ["run"]:
        # A script runs with the Python that streamtrace is installed for.
        arguments.insert(1, "--python=" + sys.executable)
    # Python ignores these, and what is traced would, too.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.execv(program, ["streamtrace", *arguments])


if __name__ == "__main__":
    main()
