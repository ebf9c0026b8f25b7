/*
 * Pitfall: a filter's source has its gain as a constant, which differs in each step: NVRTC
 * compiles the filter again for each, and the GPU has nothing to do meanwhile.
 * Fix: the gain is an argument of the kernel, which is compiled once.
 */
#include "samples/pipeline.h"

#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <vector>

/* A step on 4 MiB takes an H100 3 ms: 132 ns a round. A compilation takes the host some 20 ms. */
enum { IMAGE_BYTES = 4 << 20, FILTER_ROUNDS = 23000 };

static const char source[] = R"(
extern "C" __global__ void filter(unsigned *out, const unsigned *in, unsigned long count, int rounds,
				  unsigned gain)
{
	unsigned long i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned value = i < count ? in[i] : 0;

	for (int round = 0; round < rounds; round++)
		value = (value ^ value >> 15) * 1664525u + GAIN;
	if (i < count)
		out[i] = value;
}
)";

#define CHECK_NVRTC(call) check_nvrtc((call), #call)

static void check_nvrtc(nvrtcResult result, const char *call)
{
	if (result == NVRTC_SUCCESS)
		return;
	fprintf(stderr, "compile_in_loop: %s: %s\n", call, nvrtcGetErrorString(result));
	exit(1);
}

/* Compiles the source for this GPU. */
static __noinline__ std::vector<char> compile(const std::string &gain)
{
	std::string macro = "--define-macro=GAIN=" + gain, architecture;
	std::vector<char> code;
	nvrtcProgram program;
	int major, minor;
	size_t size;

	CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
	CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
	architecture = "--gpu-architecture=sm_" + std::to_string(10 * major + minor);
	const char *options[] = {architecture.c_str(), macro.c_str()};

	CHECK_NVRTC(nvrtcCreateProgram(&program, source, "filter.cu", 0, NULL, NULL));
	/* PITFALL: compile-in-loop */
	CHECK_NVRTC(nvrtcCompileProgram(program, 2, options));
	CHECK_NVRTC(nvrtcGetCUBINSize(program, &size));
	code.resize(size);
	CHECK_NVRTC(nvrtcGetCUBIN(program, code.data()));
	CHECK_NVRTC(nvrtcDestroyProgram(&program));
	return code;
}

static __noinline__ void filter(const struct pipeline *p, cudaLibrary_t library, int step,
				unsigned gain)
{
	const struct slot *slot = &p->slots[step % SLOT_COUNT];
	unsigned long count = pipeline_elements(p);
	int rounds = p->rounds;
	void *arguments[] = {(void *)&slot->out, (void *)&slot->in, &count, &rounds, &gain};
	cudaKernel_t kernel;

	CHECK(cudaLibraryGetKernel(&kernel, library, "filter"));
	CHECK(cudaLaunchKernel((const void *)kernel, p->grid, p->block, arguments, 0,
			       slot->stream));
}

static void run(const struct pipeline *p, int step_count)
{
	std::vector<cudaLibrary_t> libraries;

	for (int i = 0; i < step_count; i++) {
		unsigned gain = 1013904223u + 2 * (unsigned)i;

		pipeline_wait_for_slot(p, i);
		if (!p->is_fixed || i == 0) {
			std::string text = p->is_fixed ? "gain" : std::to_string(gain) + "u";
			/* PITFALL: compile-in-loop */
			std::vector<char> code = compile(text);

			libraries.emplace_back();
			CHECK(cudaLibraryLoadData(&libraries.back(), code.data(), NULL, NULL, 0,
						  NULL, NULL, 0));
		}
		filter(p, libraries.back(), i, gain);
	}
	pipeline_collect(p);
	for (cudaLibrary_t library : libraries)
		CHECK(cudaLibraryUnload(library));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;

	pipeline_parse(&pipeline, "compile_in_loop", 25, argc, argv);
	/* NVRTC and the driver would find on disk what an earlier run has compiled. */
	setenv("CUDA_CACHE_DISABLE", "1", 1);
	pipeline.chunk_bytes = IMAGE_BYTES;
	pipeline.rounds = FILTER_ROUNDS;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	for (int i = 0; i < SLOT_COUNT; i++)
		pipeline_enqueue(&pipeline, i, pipeline_in(&pipeline, i));
	run(&pipeline, SLOT_COUNT); /* warms up: loads NVRTC */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
