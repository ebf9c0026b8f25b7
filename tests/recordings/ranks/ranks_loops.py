"""Training loops of one rank of a job, with repaired twins, for ranks_of_a_job.py.

Each function makes the state of this rank and returns its loop, which can run more than once and waits for the
device at its end. is_slow: the loop has the fault; that of other ranks, and that of the twin, has not. is_faulty:
this is the rank that has it, in the twin, too.
"""
import collections
import concurrent.futures
import gc

import numpy
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader

from host_torch import Scans, annotations
from torch_pairs import mlp, synchronized

WIDTH = 512


def trainer(model):
    """A function that trains one step, and returns its loss."""
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def step(batch):
        loss = model(batch).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss.detach()

    return step


def ddp(*modules):
    return nn.parallel.DistributedDataParallel(nn.Sequential(*modules).cuda(), device_ids=[torch.cuda.current_device()])


def pageable_batches(is_slow, _):
    """Batches of 64 MB come from pageable memory; the twin's are pinned."""
    hosts = [torch.randn(32768, WIDTH, device="cuda").cpu() for _ in range(4)]
    if not is_slow:
        hosts = [host.pin_memory() for host in hosts]
    step = trainer(ddp(mlp(4, WIDTH)))

    def loop():
        for number in range(25):
            batch = hosts[number % 4].to("cuda", non_blocking=not is_slow)
            step(batch)

    return synchronized(loop)


def checkpoint(is_slow, is_faulty):
    """Every fifth step one rank copies the model, with a frozen table of 134 MB, to new pageable memory; the twin's
    goes to pinned memory that stays."""
    table = torch.randn(65536, WIDTH, device="cuda")
    model = ddp(mlp(4, WIDTH))
    data, step = torch.randn(16384, WIDTH, device="cuda"), trainer(model)
    state = {**model.module.state_dict(), "table": table}
    kept = {name: torch.empty(value.shape, pin_memory=True) for name, value in state.items()} if is_faulty else {}

    def save():
        if is_slow:
            return {name: value.cpu() for name, value in state.items()}
        return {name: kept[name].copy_(value, non_blocking=True) for name, value in state.items()}

    def loop():
        saved = None
        for number in range(25):
            step(data)
            if is_faulty and number % 5 == 4:
                saved = save()
        return saved

    return synchronized(loop)


def augment(seed):
    noise = numpy.random.default_rng(seed).standard_normal((4096, WIDTH), dtype=numpy.float32)
    return torch.from_numpy(numpy.clip(noise, -2, 2))


def numpy_work(is_slow, _):
    """NumPy makes each batch in the thread that trains; in the twin, and on other ranks, four threads are ahead."""
    threads = concurrent.futures.ThreadPoolExecutor(4)
    step = trainer(ddp(mlp(8, WIDTH)))

    def batches(count):
        if is_slow:
            yield from (augment(seed) for seed in range(count))
            return
        ahead = collections.deque(threads.submit(augment, seed) for seed in range(5))
        for seed in range(count):
            if seed + 5 < count:
                ahead.append(threads.submit(augment, seed + 5))
            yield ahead.popleft().result()

    def loop():
        for batch in batches(20):
            step(batch.to("cuda"))

    return synchronized(loop)


def reduced_item(is_slow, _):
    """All ranks reduce the loss and read it in each step; the twin reduces it, too, adds it up on the device, and reads
    the sum at the end. A step takes the GPU 4.6 ms, half of a step of resident(), products 0.17 to 0.19 ms each; and
    the host 3.5 ms."""
    data, step = torch.randn(4096, 1024, device="cuda"), trainer(ddp(mlp(8, 1024)))

    def loop():
        total = 0.0
        for _ in range(100):
            loss = step(data)
            dist.all_reduce(loss)
            if is_slow:
                total += loss.item()
            else:
                total = total + loss
        return float(total) / dist.get_world_size()

    return synchronized(loop)


def one_worker(is_slow, _):
    """A rank's DataLoader has one worker, which is slower than the GPU; the others' have eight."""
    loader = DataLoader(Scans(20 * 8), batch_size=8, num_workers=1 if is_slow else 8, pin_memory=True,
                        persistent_workers=True)
    step = trainer(ddp(nn.Linear(256, 2048), mlp(6, 2048)))

    def loop():
        for scans in loader:
            step(scans.to("cuda", non_blocking=True).flatten(0, 1))

    return synchronized(loop)


def collect_each(is_slow, _):
    """Each step ends with gc.collect(), which goes through all annotations; the twin has frozen them."""
    data, step = torch.randn(2048, 2048, device="cuda"), trainer(ddp(mlp(8, 2048)))
    heap = annotations()

    def loop():
        if not is_slow:
            gc.freeze()
        for _ in range(6):
            step(data)
            gc.collect()
        gc.unfreeze()
        return heap

    return synchronized(loop)


class Block(nn.Sequential):
    """What FSDP gathers at a time: 1.07 GB of parameters, as a block of a large language model has.

    On two H100s (recording late_prefetch.0, of blocks of 134 MB) gathering 134 MB takes 0.29 ms where both ranks are
    ready, a product of 256 x 4096 x 4096 0.23 ms, and the host 1.6 ms a block. So gathering takes 2.3 ms here, as long
    as scattering gradients; the four products 3.7 ms forward, and 5.8 ms backward; and the host is ahead.
    """


def sharded(blocks, **prefetch):
    """A function that trains one step of a model in FSDP."""
    from torch.distributed.fsdp import FullyShardedDataParallel
    from torch.distributed.fsdp.wrap import ModuleWrapPolicy
    step = trainer(FullyShardedDataParallel(nn.Sequential(*blocks), auto_wrap_policy=ModuleWrapPolicy({Block}),
                                            device_id=torch.cuda.current_device(), **prefetch))
    torch.cuda.empty_cache()  # what the whole parameters took: other processes have the GPU's memory, too
    return step


def blocks_of_parameters():
    return [Block(*mlp(4, 8192)) for _ in range(4)]


def late_prefetch(is_slow, _):
    """FSDP gathers the parameters of a block when that is about to run; the twin's gathers the next one's before. NCCL
    runs what one communicator does in its order: in the backward pass a gathering is then behind the scattering of
    the block before, and that behind its products."""
    from torch.distributed.fsdp import BackwardPrefetch
    prefetch = ({"backward_prefetch": None} if is_slow else
                {"backward_prefetch": BackwardPrefetch.BACKWARD_PRE, "forward_prefetch": True})
    data, step = torch.randn(256, 8192, device="cuda"), sharded(blocks_of_parameters(), **prefetch)

    def loop():
        for _ in range(10):
            step(data)

    return synchronized(loop)


def logged_norms(is_slow, _):
    """A hook reads the norm of each block's output for a log, so the host asks for the next block's parameters when a
    block has run; the twin reads all norms at the end."""
    norms, blocks = [], blocks_of_parameters()

    def log_norm(_, __, output):
        norm = output.detach().norm()
        norms.append(norm.item() if is_slow else norm)

    for block in blocks:
        block.register_forward_hook(log_norm)
    data, step = torch.randn(256, 8192, device="cuda"), sharded(blocks)

    def loop():
        norms.clear()
        for _ in range(10):
            step(data)
        return norms if is_slow else torch.stack(norms).tolist()

    return synchronized(loop)


def resident(_, __):
    """Nothing is copied or read, and products take all the time."""
    data, step = torch.randn(8192, 1024, device="cuda"), trainer(ddp(mlp(8, 1024)))

    def loop():
        for _ in range(20):
            step(data)

    return synchronized(loop)
