#!/usr/bin/env python3
"""Steps of a small training, of which some are slow: slow_steps.py SEED [STEPS [KIND...]]. Prints as slow_steps.cu does."""
import ctypes
import gc
import random
import sys
import time

import torch

FIRST, STEPS = 150, 630
begin_step = getattr(ctypes.CDLL(None), "streamtrace_step", lambda: None)


class Node:
    pass


class Training:
    def __init__(self):
        self.model = torch.nn.Sequential(*[torch.nn.Linear(1024, 1024) for _ in range(8)]).cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), 1e-3)
        self.data = torch.randn(256, 1024).pin_memory()

    def step(self):
        for _ in range(10):
            loss = self.model(self.data.cuda(non_blocking=True)).square().mean()
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss


def collect(_):
    for _ in range(400000):
        a, b = Node(), Node()
        a.other, b.other = b, a
    gc.collect()


def compile_new(_):
    source = "".join(f'extern "C" __global__ void k{i}(float *p) {{ p[0] = sinf(p[1]) * {time.time()}; }}\n' for i in range(50))
    torch.cuda._compile_kernel(source, "k0")


def read_all(loss):
    for _ in range(3000):
        loss.item()


def load_dataset(_):
    return sorted(str(i * 7919 % 1000003) for i in range(400000))


KINDS = {"garbage-collection": collect, "compile-python": compile_new, "item": read_all, "dataset": load_dataset}


def main():
    seed, steps, *kinds = sys.argv[1:] + ["1", str(STEPS)][len(sys.argv) - 1:]
    kinds, steps = kinds or list(KINDS), int(steps)
    random.Random(int(seed)).shuffle(kinds)
    apart, training, ms = (steps - FIRST) // len(kinds), Training(), []
    gc.disable()
    for number in range(steps):
        index = number - FIRST
        kind = kinds[index // apart] if index >= 0 and index % apart == 0 and index // apart < len(kinds) else None
        start = time.perf_counter()
        begin_step()
        loss = training.step()
        if kind:
            KINDS[kind](loss.detach())
        loss.item()
        took = (time.perf_counter() - start) * 1e3
        if kind:
            print(f"PLANTED {number} {kind} {took:.1f} ms", flush=True)
        else:
            ms.append(took)
    ms.sort()
    print(f"ms {ms[len(ms) // 2]:.2f} median {ms[len(ms) * 99 // 100]:.2f} 99 of 100 {ms[-1]:.2f} longest")


if __name__ == "__main__":
    main()
