/*
 * Relaxation of a field: each step sends a source that the host has made, runs a sweep of two
 * kernels, and brings back the rows that the host makes the next source from.
 *
 * Pitfall: a cudaDeviceSynchronize() between the two kernels, "to be safe". It is worth little: the
 * next wait comes a kernel later, and that one is needed.
 * Fix: without it.
 */
#include "tests/bench/pairs/pair.h"

enum { WIDTH = 4096, HEIGHT = 2048, ROWS_BACK = 192, STEPS = 250, BLOCK_SIZE = 128 };

struct field {
	uint32_t *cells, *next, *source;   /* on the device */
	uint32_t *host_source, *host_rows; /* pinned */
};

static const size_t field_bytes = (size_t)WIDTH * HEIGHT * sizeof(uint32_t);
static const size_t rows_bytes = (size_t)WIDTH * ROWS_BACK * sizeof(uint32_t);

/* Each cell with its neighbours; the source comes into the first rows. */
static __global__ void relax(uint32_t *next, const uint32_t *cells, const uint32_t *source,
			     int rounds)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	uint32_t left = i % WIDTH ? cells[i - 1] : 0, right = (i + 1) % WIDTH ? cells[i + 1] : 0;
	uint32_t value = cells[i] / 2 + left / 4 + right / 4;

	if (i < WIDTH * ROWS_BACK)
		value += source[i];
	for (int round = 0; round < rounds; round++)
		value = (value ^ value >> 13) * 1664525u + 1013904223u;
	next[i] = value;
}

static void open_field(struct field *field)
{
	CHECK(cudaMalloc(&field->cells, field_bytes));
	CHECK(cudaMalloc(&field->next, field_bytes));
	CHECK(cudaMalloc(&field->source, rows_bytes));
	CHECK(cudaMallocHost(&field->host_source, rows_bytes));
	CHECK(cudaMallocHost(&field->host_rows, rows_bytes));
	CHECK(cudaMemset(field->cells, 0, field_bytes));
	for (int i = 0; i < WIDTH * ROWS_BACK; i++)
		field->host_source[i] = (uint32_t)i * 2654435761u;
}

static void step(const struct field *field, bool is_fixed)
{
	unsigned int grid = WIDTH * HEIGHT / BLOCK_SIZE;

	CHECK(cudaMemcpyAsync(field->source, field->host_source, rows_bytes,
			      cudaMemcpyHostToDevice));
	relax<<<grid, BLOCK_SIZE>>>(field->next, field->cells, field->source, 900);
	CHECK(cudaGetLastError());
	if (!is_fixed)
		/* PITFALL: sync-in-loop */
		CHECK(cudaDeviceSynchronize());
	relax<<<grid, BLOCK_SIZE>>>(field->cells, field->next, field->source, 300);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpyAsync(field->host_rows, field->cells, rows_bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaStreamSynchronize(0));
}

/* A walk over the rows: what each word becomes depends on those before. */
static void make_source(const struct field *field)
{
	uint32_t state = 1;

	for (int i = 0; i < WIDTH * ROWS_BACK; i++) {
		state = (state ^ field->host_rows[i]) * 1664525u + 1013904223u;
		field->host_source[i] = state >> 4;
	}
}

static void close_field(const struct field *field)
{
	CHECK(cudaFreeHost(field->host_rows));
	CHECK(cudaFreeHost(field->host_source));
	CHECK(cudaFree(field->source));
	CHECK(cudaFree(field->next));
	CHECK(cudaFree(field->cells));
}

int main(int argc, char **argv)
{
	bool is_fixed = pair_parse(argc, argv, PAIR_FIXED) == PAIR_FIXED;
	struct field field;
	int64_t start_ns, time_ns;

	open_field(&field);
	step(&field, is_fixed); /* warms up: loads the kernel */
	CHECK(cudaProfilerStart());
	start_ns = pair_now_ns();
	for (int i = 0; i < STEPS; i++) {
		step(&field, is_fixed);
		make_source(&field);
	}
	time_ns = pair_now_ns() - start_ns;
	CHECK(cudaProfilerStop());
	pair_print(pair_checksum(0, field.host_source, WIDTH * ROWS_BACK), time_ns);
	close_field(&field);
	return 0;
}
