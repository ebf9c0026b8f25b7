/*
 * Pitfall: the thread that feeds the GPU reads the records of each batch from a file, here and
 * there and one after the other: the GPU waits for the disk.
 * Fix: the file is read once, from its begin to its end, and kept in memory.
 */
#include "samples/pipeline.h"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A sweep over a batch takes an H100 0.5 ms: 33 ns a round. A disk takes 2 to 4 ms for a batch; one that
 * takes less than 1 ms is none. */
enum {
	RECORD_BYTES = 32 << 10,
	BATCH_RECORDS = 32,
	FILE_BATCHES = 16,
	SWEEP_ROUNDS = 15000,
	SWEEPS = 2,
	FASTEST_DISK_US = 1000
};

static void skip()
{
	printf("skipped: /var/tmp is on no disk that can be read directly\n");
	exit(0);
}

static void give_up(const char *what)
{
	perror(what);
	exit(1);
}

/* A file without a name, of all words of host_in. The system keeps nothing of it in memory, as of
 * one that does not fit there. */
static int write_file(const struct pipeline *p)
{
	char name[] = "/var/tmp/file_read.XXXXXX";
	int file = mkostemp(name, O_DIRECT);

	if (file < 0)
		skip();
	if (unlink(name) || write(file, p->host_in, p->host_bytes) != (ssize_t)p->host_bytes)
		give_up(name);
	return file;
}

/* Where in the file a record of a batch is. */
static size_t place_of(const struct pipeline *p, int batch, uint32_t record)
{
	uint32_t number = ((uint32_t)batch * BATCH_RECORDS + record) * 2654435761u;

	return number % (p->host_bytes / RECORD_BYTES) * RECORD_BYTES;
}

static __noinline__ void read_batch(const struct pipeline *p, uint32_t *words, int file, int batch)
{
	for (uint32_t i = 0; i < BATCH_RECORDS; i++)
		if (pread(file, words + i * (RECORD_BYTES / sizeof(*words)), RECORD_BYTES,
			  (off_t)place_of(p, batch, i)) != RECORD_BYTES)
			give_up("pread");
}

/* All of the file, to be freed. */
static char *read_file(const struct pipeline *p, int file)
{
	void *kept = aligned_alloc(RECORD_BYTES, p->host_bytes);

	if (!kept || pread(file, kept, p->host_bytes, 0) != (ssize_t)p->host_bytes)
		give_up("pread");
	return (char *)kept;
}

static void gather_batch(const struct pipeline *p, uint32_t *words, const char *kept, int batch)
{
	for (uint32_t i = 0; i < BATCH_RECORDS; i++)
		memcpy(words + i * (RECORD_BYTES / sizeof(*words)), kept + place_of(p, batch, i),
		       RECORD_BYTES);
}

/* Ends the program where a disk is too fast to be one. */
static void check_disk(const struct pipeline *p, int file)
{
	double batch_us = 1e9;

	for (int i = 0; i < SLOT_COUNT; i++) {
		auto start = std::chrono::steady_clock::now();

		read_batch(p, pipeline_in(p, i), file, i);

		std::chrono::duration<double, std::micro> taken =
			std::chrono::steady_clock::now() - start;

		batch_us = std::min(batch_us, taken.count());
	}
	if (batch_us < FASTEST_DISK_US)
		skip();
}

/* kept: what is in the file; NULL: it is read. */
static void run(const struct pipeline *p, int file, const char *kept, int batch_count)
{
	for (int i = 0; i < batch_count; i++) {
		uint32_t *words = pipeline_in(p, i % SLOT_COUNT);

		pipeline_wait_for_slot(p, i);
		if (kept)
			gather_batch(p, words, kept, i);
		else
			/* PITFALL: file-read */
			read_batch(p, words, file, i);
		pipeline_enqueue(p, i, words, SWEEPS);
	}
	pipeline_collect(p);
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	int file;
	char *kept;

	pipeline_parse(&pipeline, "file_read", 80, argc, argv);
	pipeline.chunk_bytes = BATCH_RECORDS * RECORD_BYTES;
	pipeline.rounds = SWEEP_ROUNDS;
	pipeline.host_rows = FILE_BATCHES / SLOT_COUNT;
	pipeline_open(&pipeline, HOST_PINNED);
	file = write_file(&pipeline);
	check_disk(&pipeline, file);
	kept = pipeline.is_fixed ? read_file(&pipeline, file) : NULL;
	run(&pipeline, file, kept, SLOT_COUNT); /* warms up: loads the module, fills every slot */
	pipeline_start(&pipeline);
	run(&pipeline, file, kept, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	free(kept);
	close(file);
	return 0;
}
