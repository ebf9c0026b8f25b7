"""JAX loops with repaired twins: see torch_pairs.py."""
import jax
import jax.numpy as jnp


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


PAIRS = {not_jitted: ["tiny-kernels"], float_each: ["readback-in-loop"]}
QUIET = []
