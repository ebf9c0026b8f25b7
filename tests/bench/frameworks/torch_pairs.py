"""PyTorch loops as people write them, each with a repaired twin.

Each function makes the state of one of the two and returns the loop: it can run more than once, and waits
for the device at its end. PAIRS: those with a twin, and the findings whose fixes the twin has: all of an
id, or "ID: TEXT", those at lines with that text. In QUIET nothing is to be found. loops.py takes all files
torch_*.py together.
"""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DEVICE = "cuda"


def synchronized(loop):
    def run():
        loop()
        torch.cuda.synchronize()

    return run


def mlp(layers=8, width=1024):
    with torch.device(DEVICE):
        return nn.Sequential(*(m for _ in range(layers) for m in (nn.Linear(width, width), nn.ReLU())))


def item(is_fixed):
    """The loss is read in each step; the twin reads it once."""
    model, data = mlp(), torch.randn(256, 1024, device=DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def loop():
        total = 0.0
        for step in range(150):
            optimizer.zero_grad(set_to_none=True)
            loss = model(data).square().mean()
            loss.backward()
            optimizer.step()
            if not is_fixed or step == 149:
                total += loss.item()

    return synchronized(loop)


def pageable_batches(is_fixed):
    """Batches of 64 MB come from pageable memory; the twin's are pinned and copied asynchronously."""
    batches = [torch.randn(4096, 4096) for _ in range(4)]
    if is_fixed:
        batches = [batch.pin_memory() for batch in batches]
    weight = torch.randn(4096, 4096, device=DEVICE)

    def loop():
        for step in range(20):
            batches[step % 4].to(DEVICE, non_blocking=is_fixed) @ weight

    return synchronized(loop)


def log_copies(is_fixed):
    """A result of 16 MB goes to the host in each step; the twin copies it to pinned memory and waits once."""
    x = torch.randn(2048, 2048, device=DEVICE)
    host = torch.empty(20, 2048, 2048, pin_memory=True) if is_fixed else None
    kept = []

    def loop():
        kept.clear()
        for step in range(20):
            y = x
            for _ in range(4):
                y = torch.tanh(y @ x * 1e-3)
            if is_fixed:
                kept.append(host[step].copy_(y, non_blocking=True))
            else:
                kept.append(y.cpu())

    return synchronized(loop)


def empty_cache(is_fixed):
    """The allocator's memory is given back in each step."""
    x = torch.randn(4096, 4096, device=DEVICE)

    def loop():
        for _ in range(40):
            y = (x @ x).relu() + 1
            del y
            if not is_fixed:
                torch.cuda.empty_cache()

    return synchronized(loop)


def boolean_mask(is_fixed):
    """Indexing by a mask waits for its size; the twin multiplies by the mask."""
    x = torch.randn(8 << 20, device=DEVICE)

    def loop():
        for _ in range(100):
            if is_fixed:
                (x * (x > 0)).sum()
            else:
                x[x > 0].sum()

    return synchronized(loop)


def layer_sync(is_fixed):
    """A synchronize behind each layer."""
    layers, data = list(mlp(layers=24)), torch.randn(512, 1024, device=DEVICE)

    def loop():
        with torch.no_grad():
            for _ in range(60):
                x = data
                for layer in layers:
                    x = layer(x)
                    if not is_fixed:
                        torch.cuda.synchronize()

    return synchronized(loop)


def tiny_kernels(is_fixed):
    """36 tiny kernels a step; the twin replays them as a graph."""
    x = torch.randn(1024, device=DEVICE)

    def step():
        y = x
        for _ in range(12):
            y = torch.sin(y) * 1.01 + 0.1
        return y

    if is_fixed:
        step()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()

    def loop():
        for _ in range(1000):
            graph.replay() if is_fixed else step()

    return synchronized(loop)


def prefetch(is_fixed):
    """Pinned batches are copied in the stream that computes; the twin copies the next on a side stream."""
    batches = [torch.randn(4096, 4096).pin_memory() for _ in range(4)]
    weight = torch.randn(4096, 4096, device=DEVICE)
    side = torch.cuda.Stream()

    def work(batch):
        for _ in range(2):
            batch = batch @ weight
        return batch

    def serial():
        for step in range(30):
            work(batches[step % 4].to(DEVICE, non_blocking=True))

    def overlapped():
        main = torch.cuda.current_stream()
        with torch.cuda.stream(side):
            following = batches[0].to(DEVICE, non_blocking=True)
        for step in range(30):
            main.wait_stream(side)
            batch = following
            batch.record_stream(main)
            if step < 29:
                with torch.cuda.stream(side):
                    following = batches[(step + 1) % 4].to(DEVICE, non_blocking=True)
            work(batch)

    return synchronized(overlapped if is_fixed else serial)


def data_loader(is_fixed):
    """Two workers; the twin's loader pins, its copies do not block."""
    data = TensorDataset(torch.randn(4096, 3 * 64 * 64))
    loader = DataLoader(data, batch_size=512, num_workers=2, pin_memory=is_fixed, persistent_workers=True)
    weight = torch.randn(3 * 64 * 64, 4096, device=DEVICE)

    def loop():
        for _ in range(2):
            for (batch,) in loader:
                x = batch.to(DEVICE, non_blocking=is_fixed)
                for _ in range(10):
                    y = x @ weight
        return y

    return synchronized(loop)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.heads = heads

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (y.view(b, t, self.heads, c // self.heads).transpose(1, 2)
                   for y in self.qkv(self.norm1(x)).split(c, dim=2))
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, c))
        return x + self.down(nn.functional.gelu(self.up(self.norm2(x))))


class Gpt(nn.Module):
    """GPT-2 small with random weights."""

    def __init__(self, words=50257, length=256, width=768, layers=12, heads=12):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        x = self.words(tokens) + self.places.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def fine_tuning(is_fixed):
    """Two .item() a step, a loader that does not pin, AdamW tensor by tensor; the twin has none of these."""
    with torch.device(DEVICE):
        model = Gpt()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=is_fixed, foreach=False)
    data = TensorDataset(torch.randint(0, 50257, (256, 257)))
    loader = DataLoader(data, batch_size=8, num_workers=2, pin_memory=is_fixed, persistent_workers=True)

    def batches(count):
        while True:
            for (batch,) in loader:
                yield batch
                count -= 1
                if not count:
                    return

    def loop():
        for batch in batches(16):
            batch = batch.to(DEVICE, non_blocking=is_fixed)
            with torch.autocast(DEVICE, dtype=torch.bfloat16):
                logits = model(batch[:, :-1])
                loss = nn.functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), batch[:, 1:].reshape(-1))
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            if not is_fixed:
                loss.item()
                norm.item()

    return synchronized(loop)


def matmuls(_):
    """Large products, nothing else."""
    x = torch.randn(8192, 8192, device=DEVICE)

    def loop():
        for _ in range(8):
            x @ x

    return synchronized(loop)


PAIRS = {
    item: ["readback-in-loop"],
    pageable_batches: ["pageable-copy"],
    log_copies: ["pageable-copy", "sync-in-loop"],
    empty_cache: ["alloc-in-loop", "free-sync"],
    boolean_mask: ["readback-in-loop"],
    layer_sync: ["sync-in-loop"],
    tiny_kernels: ["tiny-kernels"],
    prefetch: ["serial-stream"],
    data_loader: ["pageable-copy"],
    fine_tuning: ["readback-in-loop", "pageable-copy", "tiny-kernels: optimizer.step()"],
}
QUIET = [matmuls]
