"""JAX loops with repaired twins: see torch_pairs.py."""
import collections
import concurrent.futures
import itertools
import os

os.environ.setdefault("XLA_PYTHON_CLIENT_MEM_FRACTION", "0.3")  # two processes have one of these loops at a time

import jax
import jax.numpy as jnp
import numpy


def operations(x):
    for _ in range(12):
        x = jnp.sin(x) * 1.01 + 0.1
    return x


def not_jitted(is_fixed):
    """36 operations a step, one launch each; the twin compiles the step."""
    x = jnp.ones(1024, jnp.float32)
    step = jax.jit(operations) if is_fixed else operations

    def loop():
        for _ in range(60):
            y = step(x)
        y.block_until_ready()

    return loop


def float_each(is_fixed):
    """The loss is read in each step; the twin reads it once."""
    step = jax.jit(lambda w, x: (w - 1e-3 * jnp.tanh(x @ w), jnp.mean(x @ w)))
    x = jnp.ones((1024, 1024), jnp.float32) * 1e-3
    w = jnp.ones((1024, 1024), jnp.float32)

    def loop():
        state, total = w, 0.0
        for _ in range(400):
            state, loss = step(state, x)
            if not is_fixed:
                total += float(loss)
        state.block_until_ready()

    return loop


def device_put_each(is_fixed):
    """A batch is put on the device when it is needed, and its loss read. In the twin a thread puts two batches ahead,
    and the losses are read at the end."""
    batches = [numpy.random.default_rng(i).random((2048, 4096), dtype=numpy.float32) for i in range(4)]
    w = jnp.ones((4096, 4096), jnp.float32) * 1e-3
    thread = concurrent.futures.ThreadPoolExecutor(1)

    def ahead(count):
        puts = collections.deque(thread.submit(jax.device_put, batches[i % 4]) for i in range(2))
        for i in range(count):
            if i + 2 < count:
                puts.append(thread.submit(jax.device_put, batches[(i + 2) % 4]))
            yield puts.popleft().result()

    @jax.jit
    def step(w, x):
        for _ in range(16):
            x = jnp.tanh(x @ w)
        return w * (1 - 1e-6 * x.mean()), x.mean()

    def loop():
        state, losses = w, []
        for x in ahead(20) if is_fixed else (jax.device_put(batches[i % 4]) for i in range(20)):
            state, loss = step(state, x)
            losses.append(loss if is_fixed else float(loss))
        return [float(loss) for loss in losses]

    return loop


def new_shape_each(is_fixed):
    """Each batch has another length, and is compiled for; the twin fills it up to one length."""
    rows = numpy.random.default_rng(0).random((4096, 256), dtype=numpy.float32)
    w, lengths = jnp.ones((256, 256), jnp.float32), itertools.count(1000)

    @jax.jit
    def step(x, length):
        y = jnp.tanh(x @ w).sum(1)
        return jnp.where(jnp.arange(len(x)) < length, y, 0).sum()

    def loop():
        total = jnp.float32(0)
        for length in itertools.islice(lengths, 4):
            batch = rows[:length]
            if is_fixed:
                batch = numpy.concatenate([batch, numpy.zeros((4096 - length, 256), numpy.float32)])
            total += step(batch, length)
        return float(total)

    return loop


def block_each(is_fixed):
    """A short step of a stencil is waited for each time; the twin waits at the end."""
    step = jax.jit(lambda u: u.at[1:-1, 1:-1].set(
        0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])))
    start = jnp.ones((1024, 1024), jnp.float32)

    def loop():
        u = start
        for _ in range(1500):
            u = step(u)
            if not is_fixed:
                u.block_until_ready()
        return u.block_until_ready()

    return loop


PAIRS = {
    not_jitted: ["tiny-kernels"],
    float_each: ["readback-in-loop"],
    device_put_each: ["pageable-copy", "pageable-blocking", "serial-stream", "host-work", "readback-in-loop"],
    new_shape_each: ["compile-in-loop"],
    block_each: ["sync-in-loop", "wide-sync", "host-wait-in-loop"],
}
QUIET = []
