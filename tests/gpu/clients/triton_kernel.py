"""A Triton kernel, launched in a loop in two streams."""
import torch
import triton
import triton.language as tl

ELEMENTS, BLOCK, ROUNDS = 1 << 16, 1024, 40


@triton.jit
def add_kernel(left, right, result, elements, block: tl.constexpr):
    offsets = tl.program_id(0) * block + tl.arange(0, block)
    mask = offsets < elements
    sums = tl.load(left + offsets, mask=mask) + tl.load(right + offsets, mask=mask)
    tl.store(result + offsets, sums, mask=mask)


left = torch.arange(ELEMENTS, device="cuda", dtype=torch.float32)
right = torch.full_like(left, 2.0)
streams = [torch.cuda.Stream(), torch.cuda.Stream()]
results = [torch.zeros_like(left) for _ in streams]
torch.cuda.synchronize()
for round_number in range(ROUNDS):
    which = round_number % len(streams)
    with torch.cuda.stream(streams[which]):
        add_kernel[(ELEMENTS // BLOCK,)](left, right, results[which], ELEMENTS, block=BLOCK)
        results[which].mul_(0.5)
torch.cuda.synchronize()
print(f"sums {[float(result.sum().item()) for result in results]}")
