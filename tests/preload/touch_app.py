"""The traced program of early_touch_test.c that touches memory in Python. Prints the touching line's number."""
import ctypes
import sys

BYTES = 1 << 20
ctypes.CDLL("libcudart.so.13", ctypes.RTLD_GLOBAL)
cuda = ctypes.CDLL(None)
stream, device, pinned = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()


def fill(source):
    print(sys._getframe().f_lineno + 1, flush=True)
    source[BYTES // 2] = b"1"


cuda.cudaStreamCreate(ctypes.byref(stream))
cuda.cudaMalloc(ctypes.byref(device), ctypes.c_size_t(BYTES))
cuda.cudaMallocHost(ctypes.byref(pinned), ctypes.c_size_t(BYTES))
cuda.cudaMemcpyAsync(device, pinned, ctypes.c_size_t(BYTES), 1, stream)
fill((ctypes.c_char * BYTES).from_address(pinned.value))
cuda.cudaDeviceSynchronize()
