/*
 * Pitfall: for each batch, readings are counted in a grid of 64 MiB of which they touch a quarter
 * of the pages. The grid is new memory each time: its pages come by page faults, one by one.
 * Fix: one grid for all batches, whose touched cells are cleared.
 */
#include "samples/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

/* A batch has a word a reading, and 32 readings a page of the grid: 4,096 page faults, some 2 us
 * each in a virtual machine. The kernel takes an H100 3 ms: 17 ns a round. That is three times what
 * counting in memory that is there takes. */
enum {
	BATCH_WORDS = 1 << 17,
	BATCH_ROUNDS = 180000,
	PAGE_WORDS = 1024,
	PAGE_READINGS = 32,
	PAGE_COUNT = 1 << 14
};

static uint32_t *new_grid()
{
	uint32_t *grid = (uint32_t *)calloc(PAGE_COUNT, PAGE_WORDS * sizeof(*grid));

	if (!grid) {
		fprintf(stderr, "page_faults: no memory for a grid\n");
		exit(1);
	}
	return grid;
}

/* The cell of a reading: readings lie close together, the places of batches do not. */
static size_t cell_of(int reading, int batch)
{
	uint32_t page = (uint32_t)(reading / PAGE_READINGS + batch) * 2654435761u % PAGE_COUNT;

	return (size_t)page * PAGE_WORDS + (uint32_t)(reading % PAGE_READINGS * 2 + batch % 2);
}

/* Each word becomes the number of readings in the cell of its own one. kept: a grid of zeros,
 * which is one again afterwards; NULL: there is none. */
static __noinline__ void count_readings(uint32_t *words, uint32_t *kept, int batch)
{
	uint32_t *grid = kept ? kept : new_grid();

	for (int i = 0; i < BATCH_WORDS; i++)
		grid[cell_of(i, batch)]++;
	for (int i = 0; i < BATCH_WORDS; i++)
		words[i] = grid[cell_of(i, batch)] + (uint32_t)(i + batch);
	if (!kept) {
		free(grid);
		return;
	}
	for (int i = 0; i < BATCH_WORDS; i++)
		grid[cell_of(i, batch)] = 0;
}

static void run(const struct pipeline *p, uint32_t *kept, int batch_count)
{
	for (int i = 0; i < batch_count; i++) {
		uint32_t *words = pipeline_in(p, i % SLOT_COUNT);

		pipeline_wait_for_slot(p, i);
		/* PITFALL: page-faults */
		count_readings(words, kept, i);
		pipeline_enqueue(p, i, words);
	}
	pipeline_collect(p);
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	uint32_t *kept;

	pipeline_parse(&pipeline, "page_faults", 50, argc, argv);
	prctl(PR_SET_THP_DISABLE, 1, 0, 0,
	      0); /* some systems give pages of 2 MiB, others of 4 KiB */
	kept = pipeline.is_fixed ? new_grid() : NULL;
	pipeline.chunk_bytes = BATCH_WORDS * sizeof(uint32_t);
	pipeline.rounds = BATCH_ROUNDS;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	run(&pipeline, kept, SLOT_COUNT); /* warms up: loads the module, fills every slot */
	pipeline_start(&pipeline);
	run(&pipeline, kept, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	free(kept);
	return 0;
}
