"""streamtrace, a profiler that shows where a CUDA program lost overlap: `python -m streamtrace --help`."""
