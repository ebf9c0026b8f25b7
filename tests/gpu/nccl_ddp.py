"""The ways in which PyTorch reaches NCCL: torchrun --nproc-per-node 2 nccl_ddp.py [lazy]."""

import os
import sys

import torch
import torch.distributed as dist

rank = int(os.environ["LOCAL_RANK"])
other = 1 - rank
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
dist.init_process_group("nccl", device_id=None if "lazy" in sys.argv else device)

torch.manual_seed(1)
layers = torch.nn.Sequential(*[torch.nn.Linear(1024, 1024) for _ in range(8)])
model = torch.nn.parallel.DistributedDataParallel(layers.to(device), device_ids=[rank], bucket_cap_mb=8)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for step in range(20):
    optimizer.zero_grad(set_to_none=True)
    model(torch.randn(256, 1024, device=device)).square().mean().backward()
    optimizer.step()

part = torch.ones(1000, device=device)
whole = torch.ones(2000, device=device)
for _ in range(3):
    dist.all_gather_into_tensor(whole, part)
    dist.reduce_scatter_tensor(part, whole)
    dist.broadcast(part, 0)
    dist.reduce(part, 1)
    dist.all_to_all_single(whole, whole.clone())
    dist.barrier()
    both = [dist.P2POp(dist.isend, part, other), dist.P2POp(dist.irecv, part.clone(), other)]
    for work in dist.batch_isend_irecv(both):
        work.wait()
if rank == 0:
    dist.send(part, 1)
else:
    dist.recv(part, 0)
group = dist.new_group([0, 1])
dist.all_reduce(part, group=group)

torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    whole *= 0.5
    dist.all_reduce(whole)
    dist.all_reduce(part)
for _ in range(5):
    graph.replay()
torch.cuda.synchronize()
del graph  # NCCL does not end before it
print(f"rank {rank}: {part.sum().item()} {whole.sum().item()}", flush=True)
dist.destroy_process_group()
