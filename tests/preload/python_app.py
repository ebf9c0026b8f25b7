"""The traced program of python_test.c. Prints `site FUNCTION LINE` for each call, in order.

PYTHON_APP_LOADER is CDLL, which releases the GIL during a call, or PyDLL, which keeps it.
"""
import ctypes
import os
import sys
import threading

loader = getattr(ctypes, os.environ["PYTHON_APP_LOADER"])
cuda = loader("libcudart.so.13")  # past the wrappers: CUPTI reports it


def site(function):
    print("site", function, sys._getframe(1).f_lineno, flush=True)


class Model:
    def forward(self):
        site("Model.forward"); cuda.cudaStreamQuery(None)

    def train(self):
        for name in ("first", "second"):
            call = lambda: (
                site("Model.train.<locals>.<lambda>"), cuda.cudaStreamQuery(None))
            call()


def generate():
    site("generate"); yield cuda.cudaStreamQuery(None)


model = Model()
model.forward()
model.train()
list(generate())
thread = threading.Thread(target=model.forward)
thread.start()
thread.join()
# A name beyond ASCII, of a file that is not there.
exec(compile("site('<module>'); cuda.cudaStreamQuery(None)", "/nowhere/größe_中.py", "exec"))
site("<module>"); cuda.cudaDeviceSynchronize()
for _ in range(3):
    site("<module>"); cuda.cudaStreamQuery(None)
