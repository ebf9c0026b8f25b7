"""CuPy: own kernels, generated ones, cuBLAS, copies from pinned memory in a stream."""
import cupy
import numpy

ROUNDS = 30

scale = cupy.RawKernel(
    r"""
    extern "C" __global__ void scale(float *data, float by)
    {
        data[blockIdx.x * blockDim.x + threadIdx.x] *= by;
    }
    """,
    "scale",
)
memory = cupy.cuda.alloc_pinned_memory(256 * 256 * 4)
host = numpy.frombuffer(memory, numpy.float32, 256 * 256).reshape(256, 256)
host[:] = numpy.random.default_rng(5).standard_normal((256, 256), numpy.float32) / 16
total = cupy.zeros((256, 256), cupy.float32)
cupy.cuda.Device().synchronize()
with cupy.cuda.Stream(non_blocking=True) as stream:
    for _ in range(ROUNDS):
        device = cupy.empty((256, 256), cupy.float32)
        device.set(host, stream=stream)
        scale((256,), (256,), (device, numpy.float32(0.5)))
        total += device @ device
        total = cupy.sqrt(cupy.abs(total))
    result = total.get(stream=stream)
    stream.synchronize()
print(f"sum {result.astype(numpy.float64).sum():.3f}")
