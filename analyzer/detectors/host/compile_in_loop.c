/*
 * WHAT: device code is compiled in each step, because a shape or a constant differs from those
 *   compiled before, and the GPU has nothing to do meanwhile.
 * EVIDENCE: the GPU was idle between two calls of one thread that lie 100 us or more apart.
 *   Snapshots of the host's threads (table host_states) show the thread in that time in a compiler
 *   (NVRTC, nvJitLink, the driver's PTX compiler, LLVM), or in the part of JAX, CuPy, Numba, Triton
 *   or PyTorch that leads to one, or waiting for a thread while a library's thread is in one, at least
 *   four times at one line. Where a framework's thread makes the calls and waits for work, the
 *   program's thread counts instead.
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: the estimate is for a step without the compilation. Fewer than four
 *   compilations count as start-up, and one that takes longer than all others of its line. That kernels take longer on padded data is not estimated.
 */
#include "detectors/host/host_parts.h"

static void find_compile_in_loop(const struct observed *observed, struct instances *found)
{
	host_parts_find(observed, HOST_KIND_COMPILE, found);
}

static void describe_compile_in_loop(const struct observed *observed,
				     const struct instance *instance, char *text, size_t size)
{
	host_parts_describe(observed, instance, "compiling", text, size);
}

const struct detector detector_compile_in_loop = {
	.id = "compile-in-loop",
	.title = "Device code is compiled again in each step",
	.fix = "Let one compiled kernel serve all steps: pad shapes to a few sizes, and pass what "
	       "changes as an argument instead of as a constant.",
	.cost = "GPU idle",
	.pointers = {DETAIL_POINTER(struct host_time, since)},
	.find = find_compile_in_loop,
	.apply = host_parts_remove,
	.describe = describe_compile_in_loop,
};
