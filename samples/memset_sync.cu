/*
 * Pitfall: a simulation tallies its particles in mapped host memory: the kernels of a step add to the
 * tallies, and the host reads them before the group's next step. cudaMemset clears them. Of pinned
 * memory it makes the host wait for the set, which is in the default stream, behind all others: the
 * host draws the next random numbers only when the device is idle.
 * Fix: cudaMemsetAsync in the stream of the kernels that add.
 */
#include "samples/pipeline.h"

enum { GROUPS = 6, CLASSES = 16, BLOCKS = 96, BLOCK = 256, KERNELS = 3 };
enum { PARTICLES = BLOCKS * BLOCK, TALLIES = BLOCKS * CLASSES, SEEDS = 1 << 17 };

/* Some 0.5 ms for the kernels of a step on an H200. */
enum { ROUNDS = 24000 };

/* Particles that are simulated in a stream of their own. */
struct group {
	cudaStream_t stream;
	uint32_t *tallies; /* pinned, CLASSES for each block */
	uint32_t *particles, *device_seeds, *seeds;
	uint64_t total;
};

/* Moves each particle `rounds` times, and adds the block's particles of each class to its tallies. */
static __global__ void move_particles(uint32_t *particles, const uint32_t *seeds, uint32_t *tallies,
				      int rounds)
{
	__shared__ uint32_t own[CLASSES];
	uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t place = particles[index] ^ seeds[index % SEEDS];

	if (threadIdx.x < CLASSES)
		own[threadIdx.x] = 0;
	__syncthreads();
	for (int i = 0; i < rounds; i++) {
		place = place * 1664525u + 1013904223u;
		place ^= place >> 15;
	}
	particles[index] = place;
	atomicAdd(&own[place % CLASSES], 1);
	__syncthreads();
	if (threadIdx.x < CLASSES)
		tallies[blockIdx.x * CLASSES + threadIdx.x] += own[threadIdx.x];
}

static void open_group(struct group *group)
{
	CHECK(cudaStreamCreate(&group->stream));
	CHECK(cudaHostAlloc(&group->tallies, TALLIES * sizeof(uint32_t), cudaHostAllocMapped));
	CHECK(cudaMalloc(&group->particles, PARTICLES * sizeof(uint32_t)));
	CHECK(cudaMemset(group->particles, 0, PARTICLES * sizeof(uint32_t)));
	CHECK(cudaMalloc(&group->device_seeds, SEEDS * sizeof(uint32_t)));
	CHECK(cudaMallocHost(&group->seeds, SEEDS * sizeof(uint32_t)));
}

static void close_group(struct group *group)
{
	CHECK(cudaFreeHost(group->seeds));
	CHECK(cudaFree(group->device_seeds));
	CHECK(cudaFree(group->particles));
	CHECK(cudaFreeHost(group->tallies));
	CHECK(cudaStreamDestroy(group->stream));
}

/* The group's seeds have been copied by then. */
static void draw_seeds(struct group *group, uint32_t *state)
{
	for (int i = 0; i < SEEDS; i++) {
		*state ^= *state << 13;
		*state ^= *state >> 17;
		*state ^= *state << 5;
		group->seeds[i] = *state;
	}
}

/* The tallies of the group's step before, which the host adds up, are cleared for the next. */
static void step(struct group *group, uint32_t *state, int rounds, bool is_fixed)
{
	CHECK(cudaStreamSynchronize(group->stream));
	for (int i = 0; i < TALLIES; i++)
		group->total = group->total * 31 + group->tallies[i];
	draw_seeds(group, state);
	if (is_fixed)
		CHECK(cudaMemsetAsync(group->tallies, 0, TALLIES * sizeof(uint32_t),
				      group->stream));
	else
		/* PITFALL: memset-sync */
		CHECK(cudaMemset(group->tallies, 0, TALLIES * sizeof(uint32_t)));
	CHECK(cudaMemcpyAsync(group->device_seeds, group->seeds, SEEDS * sizeof(uint32_t),
			      cudaMemcpyHostToDevice, group->stream));
	for (int i = 0; i < KERNELS; i++) {
		move_particles<<<BLOCKS, BLOCK, 0, group->stream>>>(
			group->particles, group->device_seeds, group->tallies, rounds);
		CHECK(cudaGetLastError());
	}
}

static uint64_t run(struct group *groups, int step_count, int rounds, bool is_fixed)
{
	uint32_t state = 2463534242u;
	uint64_t total = 0;

	for (int i = 0; i < GROUPS; i++)
		groups[i].total = 0;
	for (int i = 0; i < step_count; i++)
		step(&groups[i % GROUPS], &state, rounds, is_fixed);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < GROUPS; i++)
		total = total * 31 + groups[i].total;
	return total;
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	static struct group groups[GROUPS];

	pipeline_parse(&pipeline, "memset_sync", 180, argc, argv);
	pipeline.chunk_bytes = 1 << 16;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	for (struct group &group : groups)
		open_group(&group);
	run(groups, GROUPS, 1, true); /* warms up: loads the module */
	pipeline_start(&pipeline);
	pipeline.host_result = run(groups, pipeline.chunk_count, ROUNDS, pipeline.is_fixed);
	pipeline_stop(&pipeline);
	for (struct group &group : groups)
		close_group(&group);
	pipeline_close(&pipeline);
	return 0;
}
