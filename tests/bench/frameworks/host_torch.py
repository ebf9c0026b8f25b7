"""PyTorch loops whose GPU waits for the host, each with a repaired twin, for host_score.py.

Each function makes the state of one of the two and returns the loop, as in torch_pairs.py. PAIRS: the ids of
findings that name the cause (more than one where a report may rightly say either), and texts of the lines where it
is to be found: the loop's line first, then lines of what that calls. In QUIET the host has work too, but is ahead.
"""
import collections
import concurrent.futures
import functools
import gc
import gzip
import json
import multiprocessing
import os
import pathlib
import queue
import random
import string
import subprocess
import sys
import tempfile
import threading

import numpy
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from torch_pairs import DEVICE, mlp, synchronized

ROWS, WIDTH = 2048, 2048  # of what a layer multiplies: 0.34 ms forward, 1 ms with the gradients, on an H100


def trainer(features, layers):
    """A function that trains one step with rows of so many features: a millisecond a layer."""
    first, model = nn.Linear(features, WIDTH).to(DEVICE), mlp(layers, WIDTH)
    optimizer = torch.optim.SGD([*first.parameters(), *model.parameters()], lr=1e-3)

    def step(rows):
        model(first(rows)).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


def smoothed(scan, times):
    for _ in range(times):
        scan = 0.2 * (scan + numpy.roll(scan, 1, 0) + numpy.roll(scan, -1, 0)
                      + numpy.roll(scan, 1, 1) + numpy.roll(scan, -1, 1))
    return scan


def patches(scan):
    """256 patches of 16 x 16 of a scan of 256 x 256."""
    return scan.reshape(16, 16, 16, 16).swapaxes(1, 2).reshape(256, 256)


class Scans(Dataset):
    """Scans that are deformed and filtered when they are asked for: 2 to 4 ms each."""

    def __init__(self, count):
        self.scans = numpy.random.default_rng(0).random((16, 256, 256), dtype=numpy.float32)
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        randoms = numpy.random.default_rng(index)
        scan = self.scans[index % len(self.scans)] + 0.1 * randoms.standard_normal((256, 256), dtype=numpy.float32)
        return torch.from_numpy(patches(smoothed(scan, 8)))


def one_worker(is_fixed):
    """A DataLoader has one worker, which is slower than the GPU; the twin's has twelve."""
    loader = DataLoader(Scans(24 * 8), batch_size=8, num_workers=12 if is_fixed else 1, pin_memory=True,
                        persistent_workers=True)
    step = trainer(256, 6)

    def loop():
        for scans in loader:
            step(scans.to(DEVICE, non_blocking=True).flatten(0, 1))

    return synchronized(loop)


class Records(Dataset):
    """Records of 1,024 points, kept as compressed JSON."""

    def __init__(self, count):
        randoms = random.Random(0)
        self.lines = [gzip.compress(json.dumps({"points": [[round(randoms.random(), 4) for _ in range(4)]
                                                           for _ in range(1024)]}).encode()) for _ in range(32)]
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        record = json.loads(gzip.decompress(self.lines[index % len(self.lines)]))
        points = sorted(record["points"], key=lambda point: point[2])
        return torch.tensor(points)


def no_workers(is_fixed):
    """The DataLoader decodes in the thread that trains; the twin's has eight workers."""
    options = {"num_workers": 8, "persistent_workers": True} if is_fixed else {}
    loader = DataLoader(Records(20 * 16), batch_size=16, **options)
    step = trainer(32, 6)

    def loop():
        for points in loader:
            step(points.to(DEVICE).reshape(ROWS, 32))

    return synchronized(loop)


@functools.lru_cache(1)
def library():
    """A vocabulary of word pieces, and texts."""
    randoms = random.Random(0)
    pieces = {"".join(randoms.choices(string.ascii_lowercase[:12], k=length)) for length in (2, 3, 4)
              for _ in range(3000)} | set(string.ascii_lowercase)
    texts = [" ".join("".join(randoms.choices(string.ascii_lowercase[:12], k=randoms.randint(3, 10)))
                      for _ in range(224)) for _ in range(512)]
    return {piece: number for number, piece in enumerate(sorted(pieces))}, texts


def pieces_of(word, vocabulary):
    """The longest known piece, again and again."""
    found, start = [], 0
    while start < len(word):
        end = min(len(word), start + 4)
        while word[start:end] not in vocabulary:
            end -= 1
        found.append(vocabulary[word[start:end]])
        start = end
    return found


def encoded(text, vocabulary, length=256):
    tokens = []
    for word in text.split():
        tokens.extend(pieces_of(word.lower(), vocabulary))
    return (tokens + [0] * length)[:length]


def tokenizing(is_fixed):
    """Python turns each batch's texts into tokens when it is needed; the twin has done so before the first epoch."""
    vocabulary, texts = library()
    known = torch.tensor([encoded(text, vocabulary) for text in texts]) if is_fixed else None
    words, step = nn.Embedding(len(vocabulary), 32).to(DEVICE), trainer(32 * 8, 8)

    def loop():
        for start in range(0, 20 * 64, 64):
            start %= len(texts)
            if is_fixed:
                tokens = known[start:start + 64]
            else:
                tokens = torch.tensor([encoded(text, vocabulary) for text in texts[start:start + 64]])
            step(words(tokens.to(DEVICE)).detach().reshape(ROWS, 32 * 8))

    return synchronized(loop)


def summary(history):
    ordered = sorted(history)
    mean = sum(history) / len(history)
    spread = sum((value - mean) ** 2 for value in history) / len(history)
    return mean, spread, ordered[len(ordered) // 2], ordered[int(0.99 * len(ordered))]


def metrics_thread(is_fixed):
    """A thread summarizes the history of the metrics in Python for a display, all the time but for 4 ms: most of the
    time the interpreter is its own. The twin's does so once a second."""
    model, data = mlp(), torch.randn(1024, 1024, device=DEVICE)
    history = [random.random() for _ in range(40000)]
    display = {}

    def refresh(done):
        while not done.wait(1.0 if is_fixed else 0.004):
            display["losses"] = summary(history)

    @torch.no_grad()
    def loop():
        done = threading.Event()
        thread = threading.Thread(target=refresh, args=(done,), daemon=True)
        thread.start()
        for _ in range(300):
            x = data
            for layer in model:
                x = layer(x)
        done.set()
        thread.join()

    return synchronized(loop)


@functools.lru_cache(1)
def annotations():
    """What a data set's annotations are in memory: one heap for both twins."""
    return [{"id": number, "box": [number, 0, number + 10, 10], "tags": ["car", str(number)]}
            for number in range(20000)]


def collect_each(is_fixed):
    """Each step ends with gc.collect(), which goes through all annotations; the twin has frozen them."""
    step, data = trainer(256, 40), torch.randn(ROWS, 256, device=DEVICE)
    heap = annotations()

    def loop():
        if is_fixed:
            gc.freeze()
        for _ in range(5):
            step(data)
            gc.collect()
        gc.unfreeze()
        return heap

    return synchronized(loop)


@functools.lru_cache(1)
def clips():
    """Ten files of 16 MB: 64 frames of 256 x 256 floats."""
    folder = tempfile.TemporaryDirectory()
    randoms = numpy.random.default_rng(0)
    for number in range(10):
        numpy.save(pathlib.Path(folder.name) / f"{number}.npy", randoms.random((64, 256, 256), dtype=numpy.float32))
    return folder, sorted(pathlib.Path(folder.name).glob("*.npy"))


def clip_files(is_fixed):
    """The thread that trains reads eight whole clips a step for a frame of each; in the twin six threads read
    ahead."""
    _, paths = clips()
    step = trainer(256, 6)
    threads = concurrent.futures.ThreadPoolExecutor(6)

    def batch_of(number):
        chosen = [paths[(8 * number + i) % len(paths)] for i in range(8)]
        return torch.from_numpy(numpy.concatenate([numpy.load(path)[::64].copy() for path in chosen]))

    def batches(count):
        if not is_fixed:
            yield from (batch_of(number) for number in range(count))
            return
        ahead = collections.deque(threads.submit(batch_of, number) for number in range(6))
        for number in range(count):
            if number + 6 < count:
                ahead.append(threads.submit(batch_of, number + 6))
            yield ahead.popleft().result()

    def loop():
        for frames in batches(20):
            step(frames.to(DEVICE).reshape(ROWS, 256))

    return synchronized(loop)


VOXELS = 160 * 256 * 256


def voxel_grids(is_fixed):
    """Points are counted in a new grid of 42 MB each step, of which some layers are used; the twin clears the
    counted voxels of one grid that stays."""
    places = numpy.random.default_rng(0).integers(0, VOXELS, (16, 60000))
    step = trainer(256, 10)
    kept = numpy.zeros(VOXELS, numpy.float32)

    def grid_of(points):
        grid = kept if is_fixed else numpy.zeros(VOXELS, numpy.float32)
        grid[points] += 1
        return grid

    def loop():
        for number in range(12):
            points = places[number % len(places)]
            grid = grid_of(points)
            rows = torch.from_numpy(grid[:ROWS * 256].reshape(ROWS, 256)).to(DEVICE)
            if is_fixed:
                grid[points] = 0
            step(rows)

    return synchronized(loop)


def evaluate(go, parent):
    """A process that evaluates samples of its own on the processor, while it is told to."""
    values = list(range(2000))
    while os.getppid() == parent:
        if go.wait(0.2):
            for _ in range(20):
                sum(value * value for value in values)


def too_many_processes(is_fixed):
    """Three processes a core work beside the thread that launches; the twin leaves it two cores."""
    cores = len(os.sched_getaffinity(0))
    context = multiprocessing.get_context("fork")
    go = context.Event()
    for _ in range(max(1, cores - 2) if is_fixed else 3 * cores):
        context.Process(target=evaluate, args=(go, os.getpid()), daemon=True).start()
    model, data = mlp(), torch.randn(1024, 1024, device=DEVICE)

    @torch.no_grad()
    def loop():
        go.set()
        for _ in range(250):
            output = model(data)
        go.clear()
        return output

    return synchronized(loop)


DECODER = """
import signal, sys
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
state = int(sys.argv[1])
while True:
    frame = bytearray(256 * 1024)
    for i in range(0, len(frame), 8):
        state = (state * 1103515245 + 12345) & 0x7fffffff
        frame[i:i + 8] = state.to_bytes(8, "little")
    sys.stdout.buffer.write(frame)
    sys.stdout.buffer.flush()
"""


def decoder_pipe(is_fixed):
    """Frames come through the pipe of a program that decodes slower than the GPU works; the twin has five of them,
    each with a part of the video."""
    decoders = [subprocess.Popen([sys.executable, "-c", DECODER, str(seed)], stdout=subprocess.PIPE)
                for seed in range(5 if is_fixed else 1)]
    step = trainer(128, 4)

    def loop():
        for number in range(24):
            decoder = decoders[number % len(decoders)]
            frame = numpy.frombuffer(decoder.stdout.read(256 * 1024), numpy.uint8).reshape(ROWS, 128)
            step(torch.from_numpy(frame.copy()).to(DEVICE).float())

    return synchronized(loop)


def producer_thread(is_fixed):
    """A thread filters the scans and puts batches in a queue, slower than the GPU takes them; in the twin five
    threads do."""
    scans = numpy.random.default_rng(0).random((8, 256, 256), dtype=numpy.float32)
    batches = queue.Queue(maxsize=2)
    step = trainer(256, 5)

    def produce(seed):
        randoms = numpy.random.default_rng(seed)
        while True:
            noise = randoms.standard_normal(scans.shape, dtype=numpy.float32)
            batches.put(numpy.sqrt(numpy.square(scans + 0.1 * noise) + 1e-6))

    for seed in range(5 if is_fixed else 1):
        threading.Thread(target=produce, args=(seed,), daemon=True).start()

    def loop():
        for _ in range(25):
            batch = batches.get()
            step(torch.from_numpy(batch.reshape(ROWS, 256)).to(DEVICE))

    return synchronized(loop)


def forever(loader):
    while True:
        yield from loader


def loader_ahead(_):
    """Workers are faster than the GPU, and the loader goes on from epoch to epoch."""
    loader = DataLoader(Scans(64), batch_size=1, num_workers=10, pin_memory=True, persistent_workers=True,
                        prefetch_factor=4)
    scans, model = forever(loader), mlp(8, 4096)
    first = nn.Linear(256, 4096).to(DEVICE)

    @torch.no_grad()
    def loop():
        for _ in range(40):
            scan = next(scans)[0].to(DEVICE, non_blocking=True)
            model(first(scan).repeat(8, 1)).mean()

    return synchronized(loop)


def host_beside(_):
    """Python works between two steps, for less than a third of what the GPU takes for one; the losses are read at
    the end."""
    model, data = mlp(4, 4096), torch.randn(4096, 4096, device=DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    vocabulary, texts = library()

    def loop():
        losses, lengths = [], []
        for number in range(12):
            loss = model(data).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            losses.append(loss.detach())
            lengths.extend(len(encoded(text, vocabulary)) for text in texts[number * 8:number * 8 + 8])
        return torch.stack(losses).tolist(), lengths

    return synchronized(loop)


PAIRS = {
    one_worker: {"cause": ["loader-empty"], "line": ["for scans in loader:"]},
    no_workers: {"cause": ["host-work"], "line": ["for points in loader:", "json.loads(gzip", "sorted(record",
                                                  "torch.tensor(points)"]},
    tokenizing: {"cause": ["host-work"], "line": ["tokens = torch.tensor([encoded(", "tokens.extend(", "found.append(",
                                                  "while word[start", "while start <", "pieces_of(", "end = min("]},
    metrics_thread: {"cause": ["lock-held"], "line": ["x = layer(x)", "for layer in model:"]},
    collect_each: {"cause": ["garbage-collection"], "line": ["gc.collect()"]},
    clip_files: {"cause": ["file-read"], "line": ["for frames in batches(20):", "numpy.load(path)",
                                                  "yield from (batch_of("]},
    voxel_grids: {"cause": ["page-faults"], "line": ["grid = grid_of(points)", "grid[points] += 1",
                                                     "grid = kept if is_fixed"]},
    too_many_processes: {"cause": ["preempted"], "line": ["output = model(data)"]},
    decoder_pipe: {"cause": ["host-wait-in-loop", "loader-empty"], "line": ["decoder.stdout.read("]},
    producer_thread: {"cause": ["loader-empty"], "line": ["batch = batches.get()"]},
}
QUIET = [loader_ahead, host_beside]
