#include "samples/pipeline.h"

#include <cuda_profiler_api.h>
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* For an H100 behind PCIe 5: at 50 GB/s a chunk takes 1.3 ms each way, and the kernel 2.9 ms (2.1
 * us a round), so that the fixed twins are bound by the kernel even where copies in both directions
 * slow each other down to half their speed, as a shared machine's now and then do. */
enum { CHUNK_MIB = 64, ROUNDS = 1370 };

enum { HOST_ARRAY_BYTES = 256 << 20, BLOCK_SIZE = 256 };

static const char *program_name;

static const char usage[] = "Usage: %s [OPTION]...\n"
			    "\n"
			    "Chunks of a host array go to the device, through a kernel and back. "
			    "See samples/README.md.\n"
			    "\n"
			    "  --fixed        run the repaired twin\n"
			    "  --chunks N     chunks to process (default %d)\n"
			    "  --chunk-mib N  size of a chunk in MiB (default %d)\n"
			    "  --work N       rounds of arithmetic per element (default %d)\n"
			    "  --help         print this text\n";

void pipeline_check(cudaError_t error, const char *call, const char *file, int line)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "%s: %s:%d: %.*s: %s\n", program_name, file, line, (int)strcspn(call, "("),
		call, cudaGetErrorString(error));
	exit(1);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* A number from 1 to `limit`, or the end of the program. */
static int parse_number(const char *option, const char *text, int limit)
{
	char *end;
	long number = strtol(text, &end, 10);

	if (end == text || *end || number < 1 || number > limit) {
		fprintf(stderr, "%s: --%s takes a number from 1 to %d, not '%s'\n", program_name,
			option, limit, text);
		exit(2);
	}
	return (int)number;
}

static const struct option options[] = {
	{"fixed", no_argument, NULL, 'f'},
	{"chunks", required_argument, NULL, 'n'},
	{"chunk-mib", required_argument, NULL, 'm'},
	{"work", required_argument, NULL, 'w'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

void pipeline_init(struct pipeline *pipeline, const char *name, int chunk_count)
{
	program_name = name;
	*pipeline = {};
	pipeline->chunk_count = chunk_count;
	pipeline->chunk_bytes = (size_t)CHUNK_MIB << 20;
	pipeline->rounds = ROUNDS;
}

void pipeline_parse(struct pipeline *pipeline, const char *name, int chunk_count, int argc,
		    char **argv)
{
	int option;

	pipeline_init(pipeline, name, chunk_count);
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'h') {
			printf(usage, name, chunk_count, CHUNK_MIB, ROUNDS);
			exit(0);
		} else if (option == 'f') {
			pipeline->is_fixed = true;
		} else if (option == 'n') {
			pipeline->chunk_count = parse_number("chunks", optarg, 1000000);
		} else if (option == 'm') {
			pipeline->chunk_bytes = (size_t)parse_number("chunk-mib", optarg, 1024)
						<< 20;
		} else if (option == 'w') {
			pipeline->rounds = parse_number("work", optarg, 1000000);
		} else {
			exit(2); /* getopt_long has said why */
		}
	}
	if (optind < argc) {
		fprintf(stderr, "%s: unexpected argument '%s'\n", name, argv[optind]);
		exit(2);
	}
}

static uint32_t *allocate_host(enum host_memory memory, size_t size)
{
	void *address;

	if (memory == HOST_PINNED) {
		CHECK(cudaMallocHost(&address, size));
	} else {
		address = malloc(size);
		if (!address) {
			fprintf(stderr, "%s: no memory for %zu bytes\n", program_name, size);
			exit(1);
		}
	}
	return (uint32_t *)address;
}

void pipeline_open(struct pipeline *pipeline, enum host_memory host_memory)
{
	size_t rows = HOST_ARRAY_BYTES / pipeline->chunk_bytes / SLOT_COUNT;
	size_t host_elements;

	if (pipeline->host_rows)
		rows = pipeline->host_rows;
	pipeline->grid = dim3((pipeline_elements(pipeline) + BLOCK_SIZE - 1) / BLOCK_SIZE);
	pipeline->block = dim3(BLOCK_SIZE);
	pipeline->host_chunk_count = (int)(rows ? rows : 1) * SLOT_COUNT;
	pipeline->host_bytes = pipeline->host_chunk_count * pipeline->chunk_bytes;
	host_elements = pipeline->host_bytes / sizeof(*pipeline->host_in);
	pipeline->host_memory = host_memory;
	pipeline->host_in = allocate_host(host_memory, pipeline->host_bytes);
	pipeline->host_out = allocate_host(host_memory, pipeline->host_bytes);
	for (size_t i = 0; i < host_elements; i++)
		pipeline->host_in[i] = (uint32_t)i;
	for (struct slot &slot : pipeline->slots) {
		CHECK(cudaStreamCreate(&slot.stream));
		CHECK(cudaMalloc(&slot.in, pipeline->chunk_bytes));
		CHECK(cudaMalloc(&slot.out, pipeline->chunk_bytes));
	}
}

static size_t chunk_offset(const struct pipeline *pipeline, int i)
{
	return (size_t)(i % pipeline->host_chunk_count) * pipeline_elements(pipeline);
}

size_t pipeline_elements(const struct pipeline *pipeline)
{
	return pipeline->chunk_bytes / sizeof(*pipeline->host_in);
}

uint32_t *pipeline_in(const struct pipeline *pipeline, int i)
{
	return pipeline->host_in + chunk_offset(pipeline, i + i / pipeline->host_chunk_count);
}

uint32_t *pipeline_out(const struct pipeline *pipeline, int i)
{
	return pipeline->host_out + chunk_offset(pipeline, i);
}

void pipeline_start(struct pipeline *pipeline)
{
	memset(pipeline->host_out, 0, pipeline->host_bytes); /* what the warm-up brought back */
	pipeline->host_result = 0;
	CHECK(cudaProfilerStart());
	pipeline->start_ns = now_ns();
}

/* FNV-1a over words instead of bytes: it sees values and their order. */
uint64_t pipeline_checksum(const uint32_t *words, size_t count)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ words[i]) * 0x100000001b3u;
	return hash;
}

void pipeline_stop(const struct pipeline *pipeline)
{
	int64_t time_ns = now_ns() - pipeline->start_ns;

	CHECK(cudaProfilerStop());

	size_t elements = pipeline->host_bytes / sizeof(*pipeline->host_out);
	uint64_t checksum = pipeline_checksum(pipeline->host_out, elements) ^ pipeline->host_result;

	printf("checksum 0x%016llx\n", (unsigned long long)checksum);
	printf("time %.3f s\n", (double)time_ns / 1e9);
}

void pipeline_wait_for_slot(const struct pipeline *pipeline, int batch)
{
	CHECK(cudaStreamSynchronize(pipeline->slots[batch % SLOT_COUNT].stream));
}

void pipeline_enqueue(const struct pipeline *pipeline, int batch, const uint32_t *words, int sweeps)
{
	const struct slot *slot = &pipeline->slots[batch % SLOT_COUNT];

	CHECK(cudaMemcpyAsync(slot->in, words, pipeline->chunk_bytes, cudaMemcpyHostToDevice,
			      slot->stream));
	for (int i = 0; i < sweeps; i++)
		mix_elements<<<pipeline->grid, pipeline->block, 0, slot->stream>>>(
			slot->out, slot->in, pipeline_elements(pipeline), pipeline->rounds);
	CHECK(cudaGetLastError());
}

void pipeline_collect(const struct pipeline *pipeline)
{
	for (int i = 0; i < SLOT_COUNT; i++) {
		const struct slot *slot = &pipeline->slots[i];

		CHECK(cudaMemcpyAsync(pipeline_out(pipeline, i), slot->out, pipeline->chunk_bytes,
				      cudaMemcpyDeviceToHost, slot->stream));
	}
	for (int i = 0; i < SLOT_COUNT; i++)
		pipeline_wait_for_slot(pipeline, i);
}

void pipeline_take_processors(int count)
{
	cpu_set_t all, taken;

	CPU_ZERO(&taken);
	if (sched_getaffinity(0, sizeof(all), &all))
		return;
	for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&taken) < count; i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &taken);
	sched_setaffinity(0, sizeof(taken), &taken);
}

static void free_host(enum host_memory memory, void *address)
{
	if (memory == HOST_PINNED)
		CHECK(cudaFreeHost(address));
	else
		free(address);
}

void pipeline_close(struct pipeline *pipeline)
{
	for (struct slot &slot : pipeline->slots) {
		CHECK(cudaFree(slot.out));
		CHECK(cudaFree(slot.in));
		CHECK(cudaStreamDestroy(slot.stream));
	}
	free_host(pipeline->host_memory, pipeline->host_out);
	free_host(pipeline->host_memory, pipeline->host_in);
}
