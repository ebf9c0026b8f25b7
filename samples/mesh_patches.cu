/*
 * Pitfall: an adaptive mesh sends its 200 patches of 64 B to 16 KB one by one. Each copy is over at
 * once, but each takes the host a call of some microseconds, and the GPU as long to start; the kernel
 * waits for the last one.
 * Fix: the patches are packed into one buffer on the host and sent by one copy.
 */
#include "samples/pipeline.h"

#include <string.h>

/* A patch has 16 to 4096 words, and between any two of them there are ghost cells, which stay on the
 * host. The host reads the first words of a step's result. */
enum {
	PATCHES = 200,
	SMALLEST_WORDS = 16,
	SIZES = 9,
	GHOST_WORDS = 64,
	RESIDUAL_WORDS = 1 << 14,
	MESH_BYTES = 4 << 20,
	MESH_ROUNDS = 30000
};

struct patch {
	size_t words, host_offset, device_offset;
};

struct mesh {
	struct patch patches[PATCHES];
	size_t words; /* on the device, without ghost cells */
	uint32_t *host, *staging;
};

static void place_patches(struct mesh *mesh, const struct pipeline *p)
{
	size_t host_offset = 0;

	mesh->words = 0;
	for (int i = 0; i < PATCHES; i++) {
		struct patch *patch = &mesh->patches[i];

		patch->words = (size_t)SMALLEST_WORDS << (i * 5 % SIZES);
		patch->host_offset = host_offset;
		patch->device_offset = mesh->words;
		host_offset += patch->words + GHOST_WORDS;
		mesh->words += patch->words;
	}
	mesh->host = pipeline_in(p, 0);
	mesh->staging = pipeline_in(p, 1);
}

/* What the host computes in a step: the border of each patch. */
static void set_borders(const struct mesh *mesh, uint32_t seed)
{
	for (const struct patch &patch : mesh->patches)
		for (size_t i = 0; i < SMALLEST_WORDS; i++)
			mesh->host[patch.host_offset + i] += seed + (uint32_t)i;
}

static void send_patches(const struct mesh *mesh, const struct slot *slot)
{
	for (const struct patch &patch : mesh->patches)
		/* PITFALL: tiny-copies */
		CHECK(cudaMemcpyAsync(
			slot->in + patch.device_offset, mesh->host + patch.host_offset,
			patch.words * sizeof(uint32_t), cudaMemcpyHostToDevice, slot->stream));
}

static void send_packed(const struct mesh *mesh, const struct slot *slot)
{
	for (const struct patch &patch : mesh->patches)
		memcpy(mesh->staging + patch.device_offset, mesh->host + patch.host_offset,
		       patch.words * sizeof(uint32_t));
	CHECK(cudaMemcpyAsync(slot->in, mesh->staging, mesh->words * sizeof(uint32_t),
			      cudaMemcpyHostToDevice, slot->stream));
}

/* Each step's result decides the borders of the next one. */
static void run(struct pipeline *p, const struct mesh *mesh, int step_count)
{
	const struct slot *slot = &p->slots[0];
	uint32_t *residual = pipeline_out(p, 0);

	for (int step = 0; step < step_count; step++) {
		set_borders(mesh, (uint32_t)p->host_result);
		if (p->is_fixed)
			send_packed(mesh, slot);
		else
			send_patches(mesh, slot);
		mix_elements<<<p->grid, p->block, 0, slot->stream>>>(slot->out, slot->in,
								     mesh->words, MESH_ROUNDS);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpyAsync(residual, slot->out, RESIDUAL_WORDS * sizeof(*residual),
				      cudaMemcpyDeviceToHost, slot->stream));
		CHECK(cudaStreamSynchronize(slot->stream));
		p->host_result = p->host_result * 31 + pipeline_checksum(residual, RESIDUAL_WORDS);
	}
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct mesh mesh;

	pipeline_parse(&pipeline, "mesh_patches", 20, argc, argv);
	pipeline.chunk_bytes = MESH_BYTES;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	place_patches(&mesh, &pipeline);
	run(&pipeline, &mesh, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, &mesh, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
