"""CuPy loops with repaired twins: see torch_pairs.py."""
import itertools

import cupy
import numpy


def synchronized(loop):
    def run():
        loop()
        cupy.cuda.Device().synchronize()

    return run


def scalar(is_fixed):
    """An iterative solver reads its residual in each iteration; the twin in every fiftieth."""
    x = cupy.random.rand(512, 512, dtype=cupy.float32)
    a = cupy.random.rand(512, 512, dtype=cupy.float32) / 512

    def loop():
        y = x
        for step in range(1000):
            y = 0.5 * (a @ y + x)
            norm = cupy.abs(y).max()
            if (not is_fixed or step % 50 == 0) and float(norm) > 1e30:
                break

    return synchronized(loop)


def get_each(is_fixed):
    """A result of 16 MB goes to the host in each iteration; the twin copies it to pinned memory."""
    x = cupy.random.rand(2048, 2048, dtype=cupy.float32)
    hosts = []
    if is_fixed:
        for _ in range(20):
            memory = cupy.cuda.alloc_pinned_memory(x.nbytes)
            hosts.append(numpy.frombuffer(memory, x.dtype, x.size).reshape(x.shape))
    kept = []

    def loop():
        kept.clear()
        stream = cupy.cuda.get_current_stream()
        for step in range(20):
            y = cupy.tanh(x @ x * 1e-3)
            kept.append(y.get(stream=stream, out=hosts[step], blocking=False) if is_fixed else y.get())

    return synchronized(loop)


def pinned_like(array):
    memory = cupy.cuda.alloc_pinned_memory(array.nbytes)
    return numpy.frombuffer(memory, array.dtype, array.size).reshape(array.shape)


def frames(is_fixed):
    """Frames of 16 MB go up from pageable memory and results come down to new; the twin has pinned memory for both."""
    frames = [numpy.full((2048, 2048), i, numpy.float32) for i in range(12)]
    hosts, device = [], cupy.empty((2048, 2048), cupy.float32)
    if is_fixed:
        hosts = [pinned_like(frame) for frame in frames]
        for i, frame in enumerate(frames):
            frames[i] = pinned_like(frame)
            frames[i][:] = frame

    def loop():
        stream, kept = cupy.cuda.get_current_stream(), []
        for frame, host in itertools.zip_longest(frames, hosts):
            if is_fixed:
                device.set(frame, stream=stream)
                result = cupy.sqrt(device * device + 1)
                kept.append(result.get(stream=stream, out=host, blocking=False))
            else:
                image = cupy.asarray(frame)
                result = cupy.sqrt(image * image + 1)
                kept.append(cupy.asnumpy(result))
        return kept

    return synchronized(loop)


TWELVE_LINES = "y = x; for (int i = 0; i < 4; i++) { y = sinf(y); y = y * 1.01f; y = y + 0.1f; }"


def twelve_lines(is_fixed):
    """Twelve lines of arrays, a kernel each; the twin is one kernel."""
    x = cupy.random.rand(1 << 17, dtype=cupy.float32)
    kernel = cupy.ElementwiseKernel("float32 x", "float32 y", TWELVE_LINES, "twelve_lines")

    def lines(y):
        for _ in range(4):
            y = cupy.sin(y)
            y = y * cupy.float32(1.01)
            y = y + cupy.float32(0.1)
        return y

    def loop():
        for _ in range(1500):
            y = kernel(x) if is_fixed else lines(x)
        return y

    return synchronized(loop)


PAIRS = {
    scalar: ["readback-in-loop"],
    get_each: ["pageable-copy", "sync-in-loop"],
    frames: ["pageable-copy", "pageable-blocking", "sync-in-loop"],
    twelve_lines: ["tiny-kernels"],
}
QUIET = []
