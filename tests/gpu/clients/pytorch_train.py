"""A training loop in PyTorch: a small convolutional net, batches copied from a loader's pinned memory."""
import os

os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"  # deterministic cuBLAS

import torch
from torch import nn

BATCH, BATCHES = 64, 50

torch.manual_seed(1)
torch.use_deterministic_algorithms(True)
torch.backends.cudnn.benchmark = False

images = torch.randn(BATCH * BATCHES, 1, 16, 16)
labels = torch.randint(0, 10, (BATCH * BATCHES,))
loader = torch.utils.data.DataLoader(
    torch.utils.data.TensorDataset(images, labels), batch_size=BATCH, pin_memory=True
)
net = nn.Sequential(
    nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 14 * 14, 64), nn.ReLU(), nn.Linear(64, 10)
).cuda()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for step, (batch, label) in enumerate(loader):
    batch = batch.cuda(non_blocking=True)
    label = label.cuda(non_blocking=True)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(batch), label)
    loss.backward()
    optimizer.step()
    if step % 10 == 9:
        print(f"step {step + 1} loss {loss.item():.6f}")
torch.cuda.synchronize()
