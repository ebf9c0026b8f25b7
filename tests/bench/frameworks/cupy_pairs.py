"""CuPy loops with repaired twins: see torch_pairs.py."""
import cupy


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
        import numpy
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


PAIRS = {scalar: ["readback-in-loop"], get_each: ["pageable-copy", "sync-in-loop"]}
QUIET = []
