"""JAX loops whose GPU waits for the host, with repaired twins: see host_torch.py."""
import collections
import concurrent.futures
import itertools
import os
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_MEM_FRACTION", "0.3")  # two processes have one of these loops at a time

import jax
import jax.numpy as jnp
import numpy


@jax.jit
def update(weights, pooled):
    """About 35 ms on an H100 that computes with TF32."""
    x = weights * (1 + 1e-6 * pooled.mean())
    for _ in range(12):
        x = jnp.tanh(x @ weights)
    return x


def lengths_differ(is_fixed):
    """Each batch of events has another length, and XLA compiles for it; the twin fills batches up to one length."""
    events = numpy.random.default_rng(0).random((4096, 64), dtype=numpy.float32)
    weights, lengths = jnp.ones((8192, 8192), jnp.float32) / 8192, itertools.count(1000)

    @jax.jit
    def pool(batch, length):
        centred = batch - batch.mean(1, keepdims=True)
        kept = jnp.where(jnp.arange(len(batch))[:, None] < length, jnp.tanh(centred), 0)
        return kept.sum(0) / length

    def loop():
        state = weights
        for length in itertools.islice(lengths, 5):
            batch = events[:length]
            if is_fixed:
                batch = numpy.pad(batch, ((0, len(events) - length), (0, 0)))
            state = update(state, pool(batch, length))
        return state.block_until_ready()

    return loop


def prepared(images, seed):
    """Noise, contrast and a shift for each of a batch's images."""
    randoms = numpy.random.default_rng(seed)
    batch = images.astype(numpy.float32) / 255
    batch += 0.05 * randoms.standard_normal(batch.shape, dtype=numpy.float32)
    batch = (batch - batch.mean((1, 2, 3), keepdims=True)) * randoms.uniform(0.8, 1.2, (len(batch), 1, 1, 1))
    shifts = randoms.integers(-4, 5, len(batch))
    return numpy.stack([numpy.roll(image, shift, 1) for image, shift in zip(batch, shifts)]).astype(numpy.float32)


def numpy_between(is_fixed):
    """NumPy prepares each batch between two jitted steps; in the twin six threads do, ahead of them."""
    images = numpy.random.default_rng(0).integers(0, 256, (64, 64, 64, 3), dtype=numpy.uint8)
    first = jnp.ones((64 * 64 * 3, 4096), jnp.float32) / 4096
    weights = jnp.ones((4096, 4096), jnp.float32) / 4096
    threads = concurrent.futures.ThreadPoolExecutor(6)

    @jax.jit
    def step(weights, batch):
        x = jnp.tile(batch.reshape(len(batch), -1) @ first, (64, 1))
        for _ in range(16):
            x = jnp.tanh(x @ weights)
        return weights * (1 - 1e-6 * x.mean())

    def batches(count):
        if not is_fixed:
            yield from (prepared(images, seed) for seed in range(count))
            return
        ahead = collections.deque(threads.submit(prepared, images, seed) for seed in range(6))
        for seed in range(count):
            if seed + 6 < count:
                ahead.append(threads.submit(prepared, images, seed + 6))
            yield ahead.popleft().result()

    def loop():
        state = weights
        for batch in batches(20):
            state = step(state, batch)
        return state.block_until_ready()

    return loop


def sleeps_until_ready(is_fixed):
    """The result of each step is asked for every 15 ms until it is there; the twin waits for it."""
    weights = jnp.ones((4096, 4096), jnp.float32) / 4096

    @jax.jit
    def step(x):
        for _ in range(16):
            x = jnp.tanh(x @ weights)
        return x

    def loop():
        x = weights
        for _ in range(25):
            x = step(x)
            if is_fixed:
                x.block_until_ready()
            while not x.is_ready():
                time.sleep(0.015)
        return x

    return loop


def batches_ahead(_):
    """Threads prepare batches and put them on the device, faster than it takes them; the first are there before
    the loop."""
    images = numpy.random.default_rng(0).integers(0, 256, (8, 64, 64, 3), dtype=numpy.uint8)
    weights = jnp.ones((8192, 8192), jnp.float32) / 8192
    threads = concurrent.futures.ThreadPoolExecutor(4)

    def batch_of(seed):
        return jax.device_put(prepared(images, seed).mean((1, 2, 3)))

    seeds = itertools.count()
    ahead = collections.deque(threads.submit(batch_of, next(seeds)) for _ in range(8))

    def loop():
        state = weights
        for _ in range(12):
            ahead.append(threads.submit(batch_of, next(seeds)))
            state = update(state, ahead.popleft().result())
        return state.block_until_ready()

    return loop


PAIRS = {
    lengths_differ: {"cause": ["compile-in-loop"], "line": ["state = update(state, pool("]},
    numpy_between: {"cause": ["host-work"], "line": ["for batch in batches(20):", "yield from (prepared(",
                                                     "batch = images.astype", "batch += 0.05 *", "batch = (batch - ",
                                                     "return numpy.stack("]},
    sleeps_until_ready: {"cause": ["host-wait-in-loop"], "line": ["time.sleep(0.015)"]},
}
QUIET = [batches_ahead]
