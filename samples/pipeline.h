/*
 * What every sample pipeline has: its options, memory, streams, clock and checksum. The loop, and
 * with it the pitfall, is in the sample's own file.
 *
 * The pipeline sends chunks of a host array to the device, mixes them there (kernels/mix.h) and
 * brings them back, over SLOT_COUNT slots, so that copies in both directions and the kernel can
 * run side by side. One thread. Every failure ends the program: one line on stderr, status 1.
 */
#ifndef STREAMTRACE_SAMPLES_PIPELINE_H
#define STREAMTRACE_SAMPLES_PIPELINE_H

#include <cuda_runtime.h>
#include <stdint.h>

#include "kernels/mix.h"

enum { SLOT_COUNT = 4 };

enum host_memory { HOST_PINNED, HOST_PAGEABLE };

/* What one chunk needs while it is under way. */
struct slot {
	cudaStream_t stream; /* a blocking one, as cudaStreamCreate makes it */
	uint32_t *in, *out;  /* on the device */
};

struct pipeline {
	bool is_fixed;	 /* --fixed */
	int chunk_count; /* --chunks: the host arrays are gone through as often as that takes */
	size_t chunk_bytes;
	int rounds;	      /* --work */
	int host_rows;	      /* room in a host array, in chunks a slot; 0: what fits in 256 MiB */
	int host_chunk_count; /* the same in chunks */
	size_t host_bytes;    /* of each host array */
	enum host_memory host_memory;
	uint32_t *host_in, *host_out;
	struct slot slots[SLOT_COUNT];
	dim3 grid, block; /* a thread per element: 62 times what an H100 can run at once */
	int64_t start_ns;
	uint64_t host_result; /* what the host made of the chunks: a part of the checksum */
};

/* Sets the defaults, for a program that takes no options. `chunk_count` is that of --chunks. */
void pipeline_init(struct pipeline *pipeline, const char *name, int chunk_count);

/* Reads the command line. `chunk_count` is the default of --chunks: as many as take the broken
 * twin about a second. --help and a wrong option end the program here (status 0 and 2). */
void pipeline_parse(struct pipeline *pipeline, const char *name, int chunk_count, int argc,
		    char **argv);

/* Allocates and fills host and device memory, creates the streams. chunk_bytes and host_rows may be
 * changed before. */
void pipeline_open(struct pipeline *pipeline, enum host_memory host_memory);

/* Elements in a chunk. */
size_t pipeline_elements(const struct pipeline *pipeline);

/* The host memory of chunk `i`; within one pass over the arrays each chunk has its own. The next pass
 * begins one chunk later with the inputs, so that no slot gets the bytes again that it has. */
uint32_t *pipeline_in(const struct pipeline *pipeline, int i);
uint32_t *pipeline_out(const struct pipeline *pipeline, int i);

/* What the host makes of `count` words, one after the other: 1.3 ms a million on a core of 3
 * GHz. */
uint64_t pipeline_checksum(const uint32_t *words, size_t count);

/* A batch is a chunk of host memory that goes through the slot of its number, batch after batch.
 * Waits until the slot's batch before is done. */
void pipeline_wait_for_slot(const struct pipeline *pipeline, int batch);

/* Enqueues a batch in its slot's stream: the copy of `words` to the device, and the kernel,
 * `sweeps` times with the same result. */
void pipeline_enqueue(const struct pipeline *pipeline, int batch, const uint32_t *words,
		      int sweeps = 1);

/* Brings the results of the slots' last batches to the host, and waits for them. */
void pipeline_collect(const struct pipeline *pipeline);

/* Leaves the program the first `count` processors of those that it has, as in a container. Call it
 * before any other thread is there. */
void pipeline_take_processors(int count);

/* Starts the clock, with the results cleared, and stops it; stopping prints the checksum of the
 * host's results and the time. */
void pipeline_start(struct pipeline *pipeline);
void pipeline_stop(const struct pipeline *pipeline);

/* Frees what pipeline_open() made. */
void pipeline_close(struct pipeline *pipeline);

/* Ends the program with status 1 unless `error` is cudaSuccess. `call` is the text of the call. */
void pipeline_check(cudaError_t error, const char *call, const char *file, int line);

#define CHECK(call) pipeline_check((call), #call, __FILE__, __LINE__)

#endif
