"""300 kernels in PyTorch, the middle 100 under torch.profiler."""
import torch

numbers = torch.zeros(1024, device="cuda")


def add_hundred():
    for _ in range(100):
        numbers.add_(1)
    torch.cuda.synchronize()


add_hundred()
with torch.profiler.profile(
    activities=[torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
) as profile:
    add_hundred()
add_hundred()
host_calls = sum(event.count for event in profile.key_averages() if event.key == "aten::add_")
print(f"sum {numbers.sum().item():.0f}, the profiler saw {host_calls} additions")
