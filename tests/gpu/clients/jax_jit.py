"""A jitted function in JAX, called in a loop; each result is the next call's input."""
import os

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
# Tuning would run as many kernels as it takes; what is counted must be the same in every run.
os.environ["XLA_FLAGS"] = "--xla_gpu_autotune_level=0"

import jax
import jax.numpy as jnp


@jax.jit
def step(weights, inputs):
    outputs = jnp.tanh(inputs @ weights)
    return weights + 1e-3 * inputs.T @ outputs, outputs.sum()


weights = jax.random.normal(jax.random.PRNGKey(3), (128, 128)) / 16
inputs = jax.random.normal(jax.random.PRNGKey(4), (64, 128))
for _ in range(40):
    weights, total = step(weights, inputs)
print(f"total {float(total):.4f}")
