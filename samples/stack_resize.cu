/*
 * Pitfall: a renderer whose paths get deeper from frame to frame keeps them in the threads' local
 * memory. The first launch of a kernel that needs more of it than any before waits until the device
 * is idle, the filter of the frame before included, which would run beside it.
 * Fix: make room for the deepest path before the loop: cudaDeviceSetLimit(cudaLimitStackSize, ...).
 */
#include "samples/pipeline.h"

#include <utility>

enum { DEPTHS = 24, DEPTH_BYTES = 1024, BLOCKS = 48, BLOCK = 128, PIXELS = BLOCKS * BLOCK };

/* On an H200 some 2 ms for the paths of a frame, and 3 ms for its filter. */
enum { PATH_ROUNDS = 200000, FILTER_ROUNDS = 300000 };

template <int DEPTH> struct path {
	enum { WORDS = (DEPTH + 4) * DEPTH_BYTES / sizeof(uint32_t) };
};

/* Follows a path for each pixel. */
template <int DEPTH>
static __global__ void trace_paths(uint32_t *image, const uint32_t *scene, int rounds)
{
	volatile uint32_t nodes[path<DEPTH>::WORDS];
	uint32_t index = blockIdx.x * blockDim.x + threadIdx.x, value = scene[index];

	for (int i = 0; i < 8; i++)
		nodes[i] = i;
	for (int i = 0; i < rounds; i++) {
		value = value * 1664525u + 1013904223u;
		value ^= value >> 15;
		if (i % 1024 == 0)
			nodes[8 + value % (path<DEPTH>::WORDS - 8)] = value;
	}
	image[index] = value ^ nodes[value % 8];
}

typedef void (*tracer)(uint32_t *image, const uint32_t *scene, int rounds);

template <int... DEPTH> static const tracer *all_of(std::integer_sequence<int, DEPTH...>)
{
	static const tracer all[] = {trace_paths<DEPTH>...};

	return all;
}

/* The same for the warm-up: no local memory. */
static __global__ void trace_nothing(uint32_t *image, const uint32_t *scene, int rounds)
{
	uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;

	image[index] = scene[index] + rounds;
}

/* Loads all, and makes room for the last, which is the deepest. */
static void load_tracers(const tracer *tracers, bool is_fixed)
{
	cudaFuncAttributes attributes = {};

	for (int i = 0; i < DEPTHS; i++)
		CHECK(cudaFuncGetAttributes(&attributes, tracers[i]));
	if (is_fixed)
		CHECK(cudaDeviceSetLimit(cudaLimitStackSize, attributes.localSizeBytes));
}

/* A frame's paths, and then its filter in the other stream, beside the next frame's paths. */
static void render(const struct pipeline *p, tracer trace, int i, int path_rounds,
		   int filter_rounds, const cudaEvent_t *done)
{
	const struct slot *paths = &p->slots[0], *filter = &p->slots[1];
	uint32_t *image = i % 2 ? paths->out : filter->out;

	CHECK(cudaMemcpyAsync(paths->in, pipeline_in(p, i), p->chunk_bytes, cudaMemcpyHostToDevice,
			      paths->stream));
	CHECK(cudaStreamWaitEvent(paths->stream, done[2 + i % 2])); /* the image is free */
	/* PITFALL: stack-resize */
	trace<<<BLOCKS, BLOCK, 0, paths->stream>>>(image, paths->in, path_rounds);
	CHECK(cudaGetLastError());
	CHECK(cudaEventRecord(done[i % 2], paths->stream));
	CHECK(cudaStreamWaitEvent(filter->stream, done[i % 2]));
	mix_elements<<<BLOCKS, BLOCK, 0, filter->stream>>>(filter->in, image, PIXELS,
							   filter_rounds);
	CHECK(cudaGetLastError());
	CHECK(cudaEventRecord(done[2 + i % 2], filter->stream));
	CHECK(cudaMemcpyAsync(pipeline_out(p, i), filter->in, p->chunk_bytes,
			      cudaMemcpyDeviceToHost, filter->stream));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	const tracer *tracers = all_of(std::make_integer_sequence<int, DEPTHS>());
	cudaEvent_t done[4];

	pipeline_parse(&pipeline, "stack_resize", DEPTHS, argc, argv);
	if (pipeline.chunk_count > DEPTHS)
		pipeline.chunk_count = DEPTHS;
	pipeline.chunk_bytes = PIXELS * sizeof(uint32_t);
	pipeline.host_rows = DEPTHS / SLOT_COUNT;
	pipeline_open(&pipeline, HOST_PINNED);
	for (cudaEvent_t &event : done)
		CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	load_tracers(tracers, pipeline.is_fixed);
	render(&pipeline, trace_nothing, 0, 1, 1, done); /* warms up: loads the module */
	CHECK(cudaDeviceSynchronize());
	pipeline_start(&pipeline);
	for (int i = 0; i < pipeline.chunk_count; i++)
		render(&pipeline, tracers[i], i, PATH_ROUNDS, FILTER_ROUNDS, done);
	CHECK(cudaDeviceSynchronize());
	pipeline_stop(&pipeline);
	for (cudaEvent_t event : done)
		CHECK(cudaEventDestroy(event));
	pipeline_close(&pipeline);
	return 0;
}
