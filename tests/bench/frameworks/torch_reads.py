"""PyTorch loops that read results back or wait in each step: see torch_pairs.py."""
import torch
from torch import nn

from torch_pairs import DEVICE, Gpt, mlp, synchronized

NO_TOKEN = -1  # the end of a text, which the models with random weights never say


def accumulation(is_fixed):
    """Gradients of four batches a step, each batch's loss summed on the host; the twin sums on the device."""
    model, data = mlp(), torch.randn(4, 512, 1024, device=DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def loop():
        history = []
        for _ in range(50):
            total = 0.0
            for part in data:
                loss = model(part).square().mean() / len(data)
                loss.backward()
                total += loss.detach() if is_fixed else loss.item()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            history.append(total)
        return torch.stack(history).tolist() if is_fixed else history

    return synchronized(loop)


def evaluation(is_fixed):
    """Hits and loss are summed on the host, batch by batch; the twin sums on the device and reads once."""
    model, head = mlp(), nn.Linear(1024, 10).to(DEVICE)
    batches = torch.randn(100, 512, 1024, device=DEVICE)
    labels = torch.randint(0, 10, (100, 512), device=DEVICE)

    @torch.no_grad()
    def loop():
        hits, total = 0, 0.0
        for _ in range(4):
            for x, y in zip(batches, labels):
                logits = head(model(x))
                hit = (logits.argmax(1) == y).sum()
                loss = nn.functional.cross_entropy(logits, y)
                hits += hit if is_fixed else hit.item()
                total += loss if is_fixed else loss.item()
        return float(hits) / labels.numel(), float(total)

    return synchronized(loop)


def grad_scaler(is_fixed):
    """The scaler's step() reads whether a gradient overflowed; the twin's fused optimizer tests that itself."""
    model, data = mlp(layers=12), torch.randn(1024, 1024, device=DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=is_fixed or None)
    scaler = torch.amp.GradScaler(DEVICE)

    def loop():
        for _ in range(80):
            with torch.autocast(DEVICE, dtype=torch.float16):
                loss = model(data).float().square().mean()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)

    return synchronized(loop)


def metrics(is_fixed):
    """Six figures of each step are read for the log; the twin keeps them on the device and reads all at the end."""
    model, data = mlp(), torch.randn(512, 1024, device=DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def loop():
        log = []
        for _ in range(120):
            output = model(data)
            loss = output.square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            output = output.detach()
            figures = [loss.detach(), output.mean(), output.std(), output.max(), output.min(), output.abs().mean()]
            log.append(torch.stack(figures) if is_fixed else [figure.item() for figure in figures])
        return torch.stack(log).tolist() if is_fixed else log

    return synchronized(loop)


def two_synchronizes(is_fixed):
    """The device is waited for behind the forward and behind the backward pass."""
    model, data = mlp(), torch.randn(512, 1024, device=DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def loop():
        for _ in range(150):
            loss = model(data).square().mean()
            if not is_fixed:
                torch.cuda.synchronize()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            if not is_fixed:
                torch.cuda.synchronize()

    return synchronized(loop)


def clip_norm(is_fixed):
    """Clipping reads whether the norm is finite; the twin does not ask."""
    model, data = mlp(layers=12), torch.randn(1024, 1024, device=DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)

    def loop():
        for _ in range(100):
            model(data).square().mean().backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=not is_fixed)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)

    return synchronized(loop)


def repeat_interleave(is_fixed):
    """How many rows come out is read back; the twin says it."""
    counts = torch.randint(1, 8, (1 << 16,), device=DEVICE)
    rows, weight = torch.randn(1 << 16, 64, device=DEVICE), torch.randn(64, 64, device=DEVICE)
    size = int(counts.sum()) if is_fixed else None

    def loop():
        total = torch.zeros(64, device=DEVICE)
        for _ in range(600):
            edges = torch.repeat_interleave(rows, counts, dim=0, output_size=size)
            total += torch.relu(edges @ weight).sum(0)
        return total.tolist()

    return synchronized(loop)


def list_to_tensor(is_fixed):
    """A list of word numbers becomes a tensor on the device in each step; the twin moves all lists at once."""
    model, words = mlp(), nn.Embedding(10000, 1024).to(DEVICE)
    lists = torch.randint(0, 10000, (400, 512)).tolist()

    @torch.no_grad()
    def loop():
        table = torch.tensor(lists, device=DEVICE) if is_fixed else None
        total = torch.zeros((), device=DEVICE)
        for step in range(400):
            numbers = table[step] if is_fixed else torch.tensor(lists[step], device=DEVICE)
            total += model(words(numbers)).mean()
        return total.item()

    return synchronized(loop)


def generate(is_fixed):
    """A text without a cache; whether it ended is read at each word. The twin reads that one word late."""
    with torch.device(DEVICE):
        model, start = Gpt(length=256, layers=6), torch.randint(0, 50257, (8, 64))
    are_over = torch.zeros(48, dtype=torch.bool, pin_memory=True)
    events = [torch.cuda.Event() for _ in range(48)]

    def is_over(step, word):
        over = (word == NO_TOKEN).all()
        if not is_fixed:
            return over.item()
        are_over[step].copy_(over, non_blocking=True)
        events[step].record()
        if step:
            events[step - 1].synchronize()
        return step > 0 and bool(are_over[step - 1])

    @torch.no_grad()
    def loop():
        text = start
        for step in range(48):
            word = model(text)[:, -1].argmax(1, keepdim=True)
            text = torch.cat((text, word), dim=1)
            if is_over(step, word):
                break
        return text.tolist()

    return synchronized(loop)


def decode(model, word, place, caches):
    """The next word, from the last one and the keys and values of those before it."""
    x = model.words(word) + model.places.weight[place]
    for block, (keys, values) in zip(model.blocks, caches):
        b, _, c = x.shape
        q, k, v = (y.view(b, 1, block.heads, c // block.heads).transpose(1, 2)
                   for y in block.qkv(block.norm1(x)).split(c, dim=2))
        keys[:, :, place], values[:, :, place] = k[:, :, 0], v[:, :, 0]
        y = nn.functional.scaled_dot_product_attention(q, keys[:, :, : place + 1], values[:, :, : place + 1])
        x = x + block.out(y.transpose(1, 2).reshape(b, 1, c))
        x = x + block.down(nn.functional.gelu(block.up(block.norm2(x))))
    return model.head(model.norm(x))[:, -1].argmax(1, keepdim=True)


def generate_cached(is_fixed):
    """A text with a cache; whether it ended is read at each word. The twin reads that at the end."""
    with torch.device(DEVICE):
        model, start = Gpt(length=128, layers=6), torch.randint(0, 50257, (32, 1))
        caches = [(torch.zeros(32, 12, 128, 64), torch.zeros(32, 12, 128, 64)) for _ in range(6)]

    @torch.no_grad()
    def loop():
        word, text = start, []
        for place in range(100):
            word = decode(model, word, place, caches)
            text.append(word)
            if not is_fixed and (word == NO_TOKEN).all():
                break
        return torch.cat(text, dim=1).tolist()

    return synchronized(loop)


PAIRS = {
    accumulation: ["readback-in-loop"],
    evaluation: ["readback-in-loop"],
    grad_scaler: ["readback-in-loop", "tiny-kernels: scaler.step("],
    metrics: ["readback-in-loop"],
    two_synchronizes: ["sync-in-loop", "wide-sync"],
    clip_norm: ["readback-in-loop"],
    repeat_interleave: ["readback-in-loop"],
    list_to_tensor: ["pageable-copy", "sync-in-loop", "tiny-copies"],
    generate: ["readback-in-loop"],
    generate_cached: ["readback-in-loop"],
}
QUIET = []
