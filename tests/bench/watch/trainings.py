"""Trainings for watch_cost.py and on_and_off.py: each function returns one that makes a step and returns its loss. Weights and data
are random. Where there is no GPU the models are small and on the CPU, for tests of these scripts."""
import os

import torch
from torch import nn
from torch.nn import functional

HAS_GPU = torch.cuda.is_available()
DEVICE = "cuda" if HAS_GPU else "cpu"
WORKERS = max(1, min(6, os.cpu_count() // 2))


def autocast():
    return torch.autocast(DEVICE, torch.bfloat16, enabled=HAS_GPU)


def stepper(model, optimizer, loss_of):
    def step():
        with autocast():
            loss = loss_of(model)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss.item()
    return step


class Pictures(torch.utils.data.IterableDataset):
    """Batches without end, of pictures that are cropped and mirrored."""

    def __init__(self, batch):
        self.pictures = torch.randint(0, 256, (512, 3, 72, 72), dtype=torch.uint8)
        self.batch = batch

    def __iter__(self):
        while True:
            images = []
            for _ in range(self.batch):
                x, y, number = (int(torch.randint(8, ())), int(torch.randint(8, ())), int(torch.randint(512, ())))
                image = self.pictures[number, :, y:y + 64, x:x + 64]
                images.append(image.flip(2) if number % 2 else image)
            yield torch.stack(images), torch.randint(10, (self.batch,))


def layers_of(channels):
    layers, before = [], 3
    for width in channels:
        layers += [nn.Conv2d(before, width, 3, stride=2, padding=1), nn.BatchNorm2d(width), nn.ReLU()]
        before = width
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(before * (64 >> len(channels)) ** 2, 10)).to(DEVICE)


def convnet():
    """Batches come from workers of a DataLoader."""
    torch.manual_seed(1)
    model = layers_of([64, 128, 256, 256] if HAS_GPU else [4, 4])
    batches = iter(torch.utils.data.DataLoader(Pictures(64 if HAS_GPU else 4), batch_size=None, num_workers=WORKERS,
                                               pin_memory=HAS_GPU, prefetch_factor=4))

    def loss_of(model):
        images, labels = next(batches)
        images = images.to(DEVICE, non_blocking=True).float() / 255 - 0.5
        return functional.cross_entropy(model(images).float(),
                                        labels.to(DEVICE, non_blocking=True))
    return stepper(model, torch.optim.SGD(model.parameters(), 1e-3, momentum=0.9), loss_of)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before, self.behind = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mix, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def attend(self, x):
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in self.mix(x).split(width, 2))
        if hasattr(functional, "scaled_dot_product_attention"):
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = q @ k.transpose(2, 3) / k.shape[-1] ** 0.5
            mask = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
            y = scores.masked_fill(mask, float("-inf")).softmax(3) @ v
        return self.out(y.transpose(1, 2).reshape(batch, length, width))

    def forward(self, x):
        x = x + self.attend(self.before(x))
        return x + self.narrow(functional.gelu(self.wide(self.behind(x)), approximate="tanh"))


class GPT2(nn.Module):
    """124 million weights."""

    def __init__(self, words, length, layers, width, heads):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.last = nn.LayerNorm(width)

    def forward(self, tokens):
        x = self.words(tokens) + self.places(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return self.last(x) @ self.words.weight.T


def gpt2():
    torch.manual_seed(1)
    batch, length, words = (8, 512, 50257) if HAS_GPU else (2, 16, 100)
    model = (GPT2(words, length, 12, 768, 12) if HAS_GPU else GPT2(words, length, 2, 16, 2)).to(DEVICE)
    text = torch.randint(words, (1 << 20,))

    def loss_of(model):
        places = torch.randint(len(text) - length - 1, (batch,))
        rows = torch.stack([text[place:place + length + 1] for place in places])
        rows = (rows.pin_memory() if HAS_GPU else rows).to(DEVICE, non_blocking=True)
        logits = model(rows[:, :-1])
        return functional.cross_entropy(logits.reshape(-1, words).float(), rows[:, 1:].reshape(-1))
    return stepper(model, torch.optim.AdamW(model.parameters(), 3e-4), loss_of)


def exact():
    """The same losses in each process."""
    torch.manual_seed(1)
    torch.use_deterministic_algorithms(True, warn_only=True)
    model = layers_of([16, 32] if HAS_GPU else [4, 4])
    images = torch.randn(16, 32, 3, 64, 64).to(DEVICE)
    labels = torch.randint(10, (16, 32)).to(DEVICE)
    turn = iter(range(1 << 60))

    def loss_of(model):
        number = next(turn) % 16
        return functional.cross_entropy(model(images[number]).float(), labels[number])
    return stepper(model, torch.optim.SGD(model.parameters(), 1e-3, momentum=0.9), loss_of)
