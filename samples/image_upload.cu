/*
 * Pitfall: images of 1 to 256 MiB go to the device and back by cudaMemcpy, from and to malloc'ed
 * memory. Nobody expects these copies to be asynchronous, but they are several times slower than
 * those of pinned memory, and a result that malloc() has just given waits for page faults, too.
 * Fix: both images in pinned memory that is allocated once, for the largest; still cudaMemcpy.
 */
#include "samples/pipeline.h"

#include <stdio.h>
#include <stdlib.h>

/* The host draws a word a tile, and reads every fourth word of a result. */
enum { TILE_WORDS = 16384, READ_STRIDE = 4, FILTER_ROUNDS = 60 };

static const size_t MIB = (size_t)1 << 20;
static const size_t sizes[] = {1 * MIB, 256 * MIB, 4 * MIB, 64 * MIB, 16 * MIB, 2 * MIB, 128 * MIB};

static const size_t LARGEST = 256 * MIB;
static const int SIZE_COUNT = sizeof(sizes) / sizeof(sizes[0]);

static uint32_t *allocate(size_t bytes)
{
	uint32_t *memory = (uint32_t *)malloc(bytes);

	if (!memory) {
		fprintf(stderr, "image_upload: no memory for %zu bytes\n", bytes);
		exit(1);
	}
	return memory;
}

/* Draws into the image, as an editor does. */
static void draw(uint32_t *image, size_t words, uint32_t color)
{
	for (size_t i = 0; i < words; i += TILE_WORDS)
		image[i] = color + (uint32_t)i;
}

static uint64_t look(const uint32_t *image, size_t words)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < words; i += READ_STRIDE)
		sum += image[i];
	return sum;
}

struct images {
	uint32_t *image;	     /* on the host */
	uint32_t *kept;		     /* there: for all results; NULL: each in new memory */
	uint32_t *device, *filtered; /* on the device */
};

static void open_images(struct images *images, const struct pipeline *p)
{
	images->kept = NULL;
	if (p->is_fixed) {
		CHECK(cudaMallocHost(&images->image, LARGEST));
		CHECK(cudaMallocHost(&images->kept, LARGEST));
	} else {
		images->image = allocate(LARGEST);
	}
	for (size_t i = 0; i < LARGEST / sizeof(*images->image); i++)
		images->image[i] = (uint32_t)i;
	CHECK(cudaMalloc(&images->device, LARGEST));
	CHECK(cudaMalloc(&images->filtered, LARGEST));
}

static void close_images(const struct images *images, const struct pipeline *p)
{
	CHECK(cudaFree(images->filtered));
	CHECK(cudaFree(images->device));
	if (p->is_fixed) {
		CHECK(cudaFreeHost(images->kept));
		CHECK(cudaFreeHost(images->image));
	} else {
		free(images->image);
	}
}

/* Filters the image's first bytes on the device. */
static uint64_t filter(const struct pipeline *p, const struct images *images, size_t bytes)
{
	size_t words = bytes / sizeof(uint32_t);
	dim3 grid((unsigned)(words / p->block.x));
	uint32_t *result = images->kept ? images->kept : allocate(bytes);
	uint64_t seen;

	/* PITFALL: pageable-blocking */
	CHECK(cudaMemcpy(images->device, images->image, bytes, cudaMemcpyHostToDevice));
	mix_elements<<<grid, p->block>>>(images->filtered, images->device, words, FILTER_ROUNDS);
	CHECK(cudaGetLastError());
	/* PITFALL: pageable-blocking */
	CHECK(cudaMemcpy(result, images->filtered, bytes, cudaMemcpyDeviceToHost));
	seen = look(result, words);
	if (result != images->kept)
		free(result);
	return seen;
}

static void run(struct pipeline *p, const struct images *images, int image_count)
{
	for (int i = 0; i < image_count; i++) {
		size_t bytes = sizes[i % SIZE_COUNT];

		draw(images->image, bytes / sizeof(uint32_t), (uint32_t)p->host_result);
		p->host_result = p->host_result * 31 + filter(p, images, bytes);
	}
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct images images;

	pipeline_parse(&pipeline, "image_upload", SIZE_COUNT, argc, argv);
	pipeline.chunk_bytes = MIB;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	open_images(&images, &pipeline);
	run(&pipeline, &images, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, &images, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	close_images(&images, &pipeline);
	pipeline_close(&pipeline);
	return 0;
}
