"""CuPy loops whose GPU waits for the host, with repaired twins: see host_torch.py."""
import collections
import concurrent.futures
import itertools
import os

# A kernel that an earlier process compiled must not be found: neither CuPy's nor the driver's files are read.
os.environ["CUPY_CACHE_IN_MEMORY"] = os.environ["CUDA_CACHE_DISABLE"] = "1"

import cupy
import numpy

from cupy_pairs import synchronized

RELAX = """
extern "C" __global__ void relax(float *x, const float *y, int count{parameter})
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        x[i] = x[i] + {factor} * (y[i] - x[i]);
}}
"""


def kernel_of_constant(is_fixed):
    """The factor of a step is written into the kernel's source, which is compiled for each step; the twin passes
    it."""
    x = cupy.random.rand(4096, 4096, dtype=cupy.float32)
    a = cupy.random.rand(4096, 4096, dtype=cupy.float32) / 4096
    passed = cupy.RawKernel(RELAX.format(parameter=", float factor", factor="factor"), "relax")
    steps = itertools.count(1)

    def relax(y, factor):
        blocks, threads = (x.size // 256,), (256,)
        if is_fixed:
            passed(blocks, threads, (x, y, numpy.int32(x.size), numpy.float32(factor)))
            return
        kernel = cupy.RawKernel(RELAX.format(parameter="", factor=f"{factor:.9f}f"), "relax")
        kernel(blocks, threads, (x, y, numpy.int32(x.size)))

    def loop():
        for step in itertools.islice(steps, 12):
            relax(a @ (a @ (a @ (a @ x))), 1 / step)

    return synchronized(loop)


def noise(seed):
    """Eight MB of normal numbers, smoothed along the rows: 25 to 50 ms."""
    field = numpy.random.default_rng(seed).standard_normal((1024, 2048), dtype=numpy.float32)
    return (field + numpy.roll(field, 1, 1) + numpy.roll(field, -1, 1)) / 3


def numpy_noise(is_fixed):
    """NumPy makes each step's noise between the steps; in the twin six threads do, ahead of them."""
    a = cupy.random.rand(2048, 2048, dtype=cupy.float32) / 2048
    threads = concurrent.futures.ThreadPoolExecutor(6)

    def noises(count):
        if not is_fixed:
            yield from (noise(seed) for seed in range(count))
            return
        ahead = collections.deque(threads.submit(noise, seed) for seed in range(6))
        for seed in range(count):
            if seed + 6 < count:
                ahead.append(threads.submit(noise, seed + 6))
            yield ahead.popleft().result()

    def loop():
        x = cupy.zeros((1024, 2048), cupy.float32)
        for field in noises(12):
            x += cupy.asarray(field)
            for _ in range(50):
                x = x @ a
        return x

    return synchronized(loop)


def numpy_beside(_):
    """NumPy makes the next step's noise, for less than a third of what the GPU takes for a step, and the GPU has
    work meanwhile."""
    a = cupy.random.rand(8192, 8192, dtype=cupy.float32) / 8192
    randoms = numpy.random.default_rng(0)

    def loop():
        x, scales = cupy.ones((8192, 8192), cupy.float32), []
        for _ in range(16):
            x = a @ x
            scales.append(float(numpy.percentile(randoms.standard_normal(1 << 17), 99)))
        return x, scales

    return synchronized(loop)


PAIRS = {
    kernel_of_constant: {"cause": ["compile-in-loop"], "line": ["kernel(blocks, threads", "kernel = cupy.RawKernel(",
                                                                "relax(a @ ("]},
    numpy_noise: {"cause": ["host-work"], "line": ["for field in noises(12):", "yield from (noise(seed)",
                                                   "field = numpy.random", "return (field + numpy.roll("]},
}
QUIET = [numpy_beside]
