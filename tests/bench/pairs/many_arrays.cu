/*
 * Particles whose arrays are kept on the host: each step sends all of them to the device, one
 * cudaMemcpy() after the other, moves them there, and brings back what has changed. The host then
 * wraps positions at the walls and sums the energy.
 *
 * Pitfall: the arrays are from malloc(), so that every copy is staged.
 * Fix: cudaMallocHost().
 */
#include "tests/bench/pairs/pair.h"

enum { PARTICLES = 1300000, STEPS = 40, BLOCK_SIZE = 256 };

/* Positions and velocities change; masses and charges stay. */
enum { X, Y, Z, VX, VY, VZ, MASS, CHARGE, ARRAY_COUNT, CHANGED_COUNT = MASS };

struct particles {
	float *arrays[ARRAY_COUNT];
};

static const size_t array_bytes = PARTICLES * sizeof(float);

static __global__ void move(struct particles particles, int inner_steps)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

	if (i >= PARTICLES)
		return;
	for (int axis = X; axis <= Z; axis++) {
		float place = particles.arrays[axis][i], speed = particles.arrays[VX + axis][i];
		float push = particles.arrays[CHARGE][i] / particles.arrays[MASS][i];

		for (int step = 0; step < inner_steps; step++) {
			speed -= 0.001f * push * place;
			place += 0.001f * speed;
		}
		particles.arrays[axis][i] = place;
		particles.arrays[VX + axis][i] = speed;
	}
}

static void open_arrays(struct particles *host, struct particles *device, bool is_pinned)
{
	uint32_t state = 1;

	for (int k = 0; k < ARRAY_COUNT; k++) {
		if (is_pinned)
			CHECK(cudaMallocHost(&host->arrays[k], array_bytes));
		else
			host->arrays[k] = (float *)malloc(array_bytes);
		if (!host->arrays[k]) {
			fprintf(stderr, "many_arrays: no memory for %zu bytes\n", array_bytes);
			exit(1);
		}
		for (int i = 0; i < PARTICLES; i++) {
			state = state * 1664525u + 1013904223u;
			host->arrays[k][i] = 0.5f + (float)(state >> 8) / (float)(1 << 24);
		}
		CHECK(cudaMalloc(&device->arrays[k], array_bytes));
	}
}

static void step(const struct particles *host, const struct particles *device)
{
	for (int k = 0; k < ARRAY_COUNT; k++)
		/* PITFALL: pageable-blocking */
		CHECK(cudaMemcpy(device->arrays[k], host->arrays[k], array_bytes,
				 cudaMemcpyHostToDevice));
	move<<<(PARTICLES + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(*device, 400);
	CHECK(cudaGetLastError());
	for (int k = 0; k < CHANGED_COUNT; k++)
		/* PITFALL: pageable-blocking */
		CHECK(cudaMemcpy(host->arrays[k], device->arrays[k], array_bytes,
				 cudaMemcpyDeviceToHost));
}

/* Returns the energy of motion. */
static double finish_step(const struct particles *host)
{
	double energy = 0;

	for (int i = 0; i < PARTICLES; i++) {
		for (int axis = X; axis <= Z; axis++) {
			float speed = host->arrays[VX + axis][i];

			if (host->arrays[axis][i] > 2)
				host->arrays[axis][i] -= 2;
			energy += 0.5 * host->arrays[MASS][i] * speed * speed;
		}
	}
	return energy;
}

static void close_arrays(struct particles *host, struct particles *device, bool is_pinned)
{
	for (int k = 0; k < ARRAY_COUNT; k++) {
		if (is_pinned)
			CHECK(cudaFreeHost(host->arrays[k]));
		else
			free(host->arrays[k]);
		CHECK(cudaFree(device->arrays[k]));
	}
}

int main(int argc, char **argv)
{
	bool is_fixed = pair_parse(argc, argv, PAIR_FIXED) == PAIR_FIXED;
	struct particles host = {}, device = {};
	uint64_t checksum = 0;
	double energy = 0;
	int64_t start_ns, time_ns;

	open_arrays(&host, &device, is_fixed);
	step(&host, &device); /* warms up: loads the kernel */
	CHECK(cudaProfilerStart());
	start_ns = pair_now_ns();
	for (int i = 0; i < STEPS; i++) {
		step(&host, &device);
		energy += finish_step(&host);
	}
	time_ns = pair_now_ns() - start_ns;
	CHECK(cudaProfilerStop());
	checksum = pair_checksum(checksum, (const uint32_t *)&energy, sizeof(energy) / 4);
	for (int k = 0; k < CHANGED_COUNT; k++)
		checksum = pair_checksum(checksum, (const uint32_t *)host.arrays[k], PARTICLES);
	pair_print(checksum, time_ns);
	close_arrays(&host, &device, is_fixed);
	return 0;
}
