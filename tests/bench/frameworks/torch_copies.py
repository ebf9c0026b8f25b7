"""PyTorch loops whose copies or host are the cause, and loops without a fault: see torch_pairs.py."""
import collections
import concurrent.futures

import numpy
import torch
from torch import nn

from torch_pairs import DEVICE, mlp, synchronized


def checkpoint(is_fixed):
    """The weights go to new host memory in each fifth step; the twin copies them to pinned memory that stays."""
    model, data = mlp(layers=16, width=2048), torch.randn(512, 2048, device=DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    pinned = {name: torch.empty_like(value, device="cpu", pin_memory=True)
              for name, value in model.state_dict().items()} if is_fixed else {}

    def save():
        if not is_fixed:
            return {name: value.cpu() for name, value in model.state_dict().items()}
        for name, value in model.state_dict().items():
            pinned[name].copy_(value, non_blocking=True)
        return pinned

    def loop():
        saved = None
        for step in range(10):
            model(data).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            if step % 5 == 4:
                saved = save()
        return saved

    return synchronized(loop)


def fresh_batches(is_fixed):
    """Pageable batches, copied when they are needed; the twin's are pinned and copied one ahead in a side stream."""
    batches = [torch.randn(4096, 4096) for _ in range(4)]
    if is_fixed:
        batches = [batch.pin_memory() for batch in batches]
    weight, side = torch.randn(4096, 4096, device=DEVICE), torch.cuda.Stream()

    def copy_ahead(step):
        with torch.cuda.stream(side):
            return batches[step % 4].to(DEVICE, non_blocking=True)

    def loop():
        total = torch.zeros((), device=DEVICE)
        following = copy_ahead(0) if is_fixed else None
        for step in range(15):
            if is_fixed:
                torch.cuda.current_stream().wait_stream(side)
                batch = following
                batch.record_stream(torch.cuda.current_stream())
                following = copy_ahead(step + 1) if step < 14 else None
            else:
                batch = batches[step % 4].to(DEVICE)
            total += (batch @ weight @ weight).mean()
        return total.item()

    return synchronized(loop)


def optimizer_loop(is_fixed):
    """AdamW goes from tensor to tensor; the twin's is fused."""
    model, data = mlp(layers=24, width=512), torch.randn(512, 512, device=DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, foreach=False, fused=is_fixed)

    def loop():
        for _ in range(40):
            model(data).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)

    return synchronized(loop)


def augment(images, seed):
    randoms = numpy.random.default_rng(seed)
    batch = images.astype(numpy.float32) / 255
    batch = batch[:, :, ::-1] if seed % 2 else batch
    batch = batch + 0.05 * randoms.standard_normal(batch.shape, dtype=numpy.float32)
    return torch.from_numpy(batch.reshape(len(images), -1))


def augmentation(is_fixed):
    """NumPy makes each batch in the thread that trains; in the twin three other threads do, ahead of it."""
    images = numpy.random.default_rng(0).integers(0, 256, (128, 64, 64, 3), dtype=numpy.uint8)
    first, model = nn.Linear(64 * 64 * 3, 1024).to(DEVICE), mlp()
    optimizer = torch.optim.SGD([*first.parameters(), *model.parameters()], lr=1e-3)
    threads = concurrent.futures.ThreadPoolExecutor(3)

    def batches(count):
        if not is_fixed:
            yield from (augment(images, seed) for seed in range(count))
            return
        ahead = collections.deque(threads.submit(augment, images, seed) for seed in range(4))
        for seed in range(count):
            if seed + 4 < count:
                ahead.append(threads.submit(augment, images, seed + 4))
            yield ahead.popleft().result()

    def loop():
        for batch in batches(20):
            model(first(batch.to(DEVICE))).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)

    return synchronized(loop)


def pipeline(_):
    """Pinned batches are copied one ahead, results go back in a third stream, and products take longer than both."""
    batches = [torch.randn(2048, 4096).pin_memory() for _ in range(4)]
    results = [torch.empty(2048, 4096, pin_memory=True) for _ in range(4)]
    weight = torch.randn(4096, 4096, device=DEVICE) / 64
    up, down, main = torch.cuda.Stream(), torch.cuda.Stream(), torch.cuda.current_stream()

    def copy_ahead(step):
        with torch.cuda.stream(up):
            return batches[step % 4].to(DEVICE, non_blocking=True)

    def loop():
        following = copy_ahead(0)
        for step in range(40):
            main.wait_stream(up)
            x = following
            x.record_stream(main)
            if step < 39:
                following = copy_ahead(step + 1)
            for _ in range(3):
                x = x @ weight
            down.wait_stream(main)
            with torch.cuda.stream(down):
                results[step % 4].copy_(x, non_blocking=True)
            x.record_stream(down)

    return synchronized(loop)


def training(_):
    """Large products decide; the losses are read at the end."""
    model, data = mlp(layers=4, width=4096), torch.randn(4096, 4096, device=DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def loop():
        losses = []
        for _ in range(6):
            loss = model(data).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            losses.append(loss.detach())
        return torch.stack(losses).tolist()

    return synchronized(loop)


def evaluation_at_once(_):
    """Hits and loss are summed on the device and read once."""
    model, head = mlp(width=4096), nn.Linear(4096, 10).to(DEVICE)
    batches = torch.randn(4, 4096, 4096, device=DEVICE)
    labels = torch.randint(0, 10, (4, 4096), device=DEVICE)

    @torch.no_grad()
    def loop():
        hits, total = torch.zeros((), device=DEVICE), torch.zeros((), device=DEVICE)
        for _ in range(2):
            for x, y in zip(batches, labels):
                logits = head(model(x))
                hits += (logits.argmax(1) == y).sum()
                total += nn.functional.cross_entropy(logits, y)
        return hits.item(), total.item()

    return synchronized(loop)


PAIRS = {
    checkpoint: ["pageable-copy", "sync-in-loop"],
    fresh_batches: ["pageable-copy", "sync-in-loop", "serial-stream"],
    optimizer_loop: ["tiny-kernels: optimizer.step()"],
    augmentation: ["host-work: for batch in batches("],
}
QUIET = [pipeline, training, evaluation_at_once]
