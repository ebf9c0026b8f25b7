/*
 * Three solvers in a thread and a stream each, for domains that are kept on the host: a solver
 * sweeps over its domain tile by tile, in place: to the device, a diffusion step with a source
 * that the host draws, mixing, and back. The next sweep over a tile is ordered by the stream.
 * Tiles of one domain do not touch.
 *
 * Pitfalls: each thread waits for each tile, which the host reads at the end only, and so draws the
 * next source while its stream is empty; and one domain lies in pageable memory.
 * Fix: one wait at the end of a thread, and pinned memory for all.
 * Spread: that, and a stream with its buffers for each tile.
 */
#include <thread>

#include "kernels/mix.h"
#include "tests/bench/pairs/pair.h"

/* Two kernels take 0.10 ms a MiB on an H100, copies 0.04 ms both ways, pageable ones some 0.25. */
enum { WIDTH = 4096, MIX_ROUNDS = 3000, BLOCK_SIZE = 256, SOLVER_COUNT = 3, MOST_TILES = 4 };

struct lane {
	cudaStream_t stream;
	uint32_t *tile, *next; /* on the device */
};

struct solver {
	/* The problem: */
	size_t tile_bytes; /* a multiple of a row of WIDTH words */
	int tile_count, sweep_count;
	int source_steps; /* 2 ns each on the host, a tile and sweep */
	bool is_pageable; /* unless --fixed */
	/* Its resources, from solver_open() to solver_close(): */
	uint32_t *domain;
	struct lane lanes[MOST_TILES];
	int lane_count;
};

static struct solver solvers[SOLVER_COUNT] = {
	{(size_t)24 << 20, 4, 12, 3000000, false, NULL, {}, 0},
	{(size_t)56 << 20, 3, 9, 1500000, true, NULL, {}, 0},
	{(size_t)120 << 20, 2, 10, 6000000, false, NULL, {}, 0},
};

/* One step on a tile of rows of WIDTH words, zero around it. Any grid and block. */
static __global__ void diffuse(uint32_t *out, const uint32_t *in, size_t count, uint32_t source)
{
	size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
		uint32_t above = i >= WIDTH ? in[i - WIDTH] : 0;
		uint32_t below = i + WIDTH < count ? in[i + WIDTH] : 0;
		uint32_t left = i % WIDTH ? in[i - 1] : 0;
		uint32_t right = (i + 1) % WIDTH ? in[i + 1] : 0;

		out[i] = in[i] / 2 + above / 8 + below / 8 + left / 8 + right / 8 + source;
	}
}

/* The source of the next step: a walk of so many steps from the one before. */
static uint32_t draw_source(uint32_t source, int steps)
{
	for (int step = 0; step < steps; step++) {
		source = source * 1664525u + 1013904223u;
		source ^= source >> 15;
	}
	return source;
}

static size_t domain_words(const struct solver *solver)
{
	return solver->tile_count * (solver->tile_bytes / sizeof(*solver->domain));
}

static bool is_pinned(const struct solver *solver, bool is_fixed)
{
	return is_fixed || !solver->is_pageable;
}

static void solver_open(struct solver *solver, enum pair_twin twin)
{
	size_t bytes = domain_words(solver) * sizeof(*solver->domain);

	if (is_pinned(solver, twin != PAIR_BROKEN)) {
		CHECK(cudaMallocHost(&solver->domain, bytes));
	} else {
		solver->domain = (uint32_t *)malloc(bytes);
		if (!solver->domain) {
			fprintf(stderr, "stencil_threads: no memory for %zu bytes\n", bytes);
			exit(1);
		}
	}
	for (size_t i = 0; i < domain_words(solver); i++)
		solver->domain[i] = (uint32_t)i * 2654435761u;
	solver->lane_count = twin == PAIR_SPREAD ? solver->tile_count : 1;
	for (int i = 0; i < solver->lane_count; i++) {
		CHECK(cudaMalloc(&solver->lanes[i].tile, solver->tile_bytes));
		CHECK(cudaMalloc(&solver->lanes[i].next, solver->tile_bytes));
		CHECK(cudaStreamCreate(&solver->lanes[i].stream));
	}
}

/* Loads the kernels, which is no part of the time. */
static void solver_warm_up(const struct solver *solver)
{
	const struct lane *lane = &solver->lanes[0];

	diffuse<<<1, BLOCK_SIZE, 0, lane->stream>>>(lane->next, lane->tile, 0, 0);
	CHECK(cudaGetLastError());
	mix_elements<<<1, BLOCK_SIZE, 0, lane->stream>>>(lane->tile, lane->next, 0, 0);
	CHECK(cudaGetLastError());
	CHECK(cudaStreamSynchronize(lane->stream));
}

/* A solver's thread. It has the solver for itself until it is joined. */
static void solver_run(const struct solver *solver, bool is_fixed)
{
	size_t bytes = solver->tile_bytes, count = bytes / sizeof(*solver->domain);
	unsigned int grid = (unsigned int)((count + BLOCK_SIZE - 1) / BLOCK_SIZE);
	int batch_count = solver->sweep_count * solver->tile_count;
	uint32_t source = (uint32_t)solver->tile_count;

	for (int i = 0; i < batch_count; i++) {
		uint32_t *words = solver->domain + i % solver->tile_count * count;
		const struct lane *lane =
			&solver->lanes[i % solver->tile_count % solver->lane_count];
		cudaStream_t stream = lane->stream;
		uint32_t *tile = lane->tile, *next = lane->next;

		source = draw_source(source, solver->source_steps);
		/* PITFALL: pageable-copy, in the thread whose domain is from malloc */
		CHECK(cudaMemcpyAsync(tile, words, bytes, cudaMemcpyHostToDevice, stream));
		diffuse<<<grid, BLOCK_SIZE, 0, stream>>>(next, tile, count, source);
		CHECK(cudaGetLastError());
		mix_elements<<<grid, BLOCK_SIZE, 0, stream>>>(tile, next, count, MIX_ROUNDS);
		CHECK(cudaGetLastError());
		/* PITFALL: pageable-copy, likewise */
		CHECK(cudaMemcpyAsync(words, tile, bytes, cudaMemcpyDeviceToHost, stream));
		if (!is_fixed)
			/* PITFALL: sync-in-loop */
			CHECK(cudaStreamSynchronize(stream));
	}
	for (int i = 0; i < solver->lane_count; i++)
		CHECK(cudaStreamSynchronize(solver->lanes[i].stream));
}

static void solver_close(struct solver *solver, bool is_fixed)
{
	for (int i = 0; i < solver->lane_count; i++) {
		CHECK(cudaStreamDestroy(solver->lanes[i].stream));
		CHECK(cudaFree(solver->lanes[i].next));
		CHECK(cudaFree(solver->lanes[i].tile));
	}
	if (is_pinned(solver, is_fixed))
		CHECK(cudaFreeHost(solver->domain));
	else
		free(solver->domain);
}

int main(int argc, char **argv)
{
	enum pair_twin twin = pair_parse(argc, argv, PAIR_SPREAD);
	bool is_fixed = twin != PAIR_BROKEN;
	std::thread threads[SOLVER_COUNT];
	uint64_t checksum = 0;
	int64_t start_ns, time_ns;

	for (struct solver &solver : solvers)
		solver_open(&solver, twin);
	for (struct solver &solver : solvers)
		solver_warm_up(&solver);
	CHECK(cudaProfilerStart());
	start_ns = pair_now_ns();
	for (int i = 0; i < SOLVER_COUNT; i++)
		threads[i] = std::thread(solver_run, &solvers[i], is_fixed);
	for (std::thread &thread : threads)
		thread.join();
	time_ns = pair_now_ns() - start_ns;
	CHECK(cudaProfilerStop());
	for (const struct solver &solver : solvers)
		checksum = pair_checksum(checksum, solver.domain, domain_words(&solver));
	pair_print(checksum, time_ns);
	for (struct solver &solver : solvers)
		solver_close(&solver, is_fixed);
	return 0;
}
