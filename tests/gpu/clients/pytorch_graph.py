"""A step in PyTorch captured as a CUDA graph, and replayed on new inputs."""
import os

os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"  # deterministic cuBLAS

import torch
from torch import nn

REPLAYS = 30

torch.manual_seed(2)
net = nn.Sequential(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 8)).cuda()
inputs = torch.zeros(32, 128, device="cuda")
batches = torch.randn(REPLAYS, 32, 128).pin_memory()

with torch.no_grad():
    warm_up = torch.cuda.Stream()
    with torch.cuda.stream(warm_up):
        for _ in range(3):
            net(inputs)
    torch.cuda.current_stream().wait_stream(warm_up)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        outputs = net(inputs)
        total = outputs.sum()
    for replay in range(REPLAYS):
        inputs.copy_(batches[replay], non_blocking=True)
        graph.replay()
    torch.cuda.synchronize()
    print(f"total {total.item():.5f}")
