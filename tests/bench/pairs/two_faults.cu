/*
 * Records of very different sizes, several times over with another key: to the device, mixed into
 * a temporary buffer, folded to half their size, and back. Record by record in turn over three
 * blocking streams, from one thread.
 *
 * Pitfalls: the fold is launched into the legacy default stream, which takes turns with all three;
 * and the temporary buffer is a record's own, whose cudaFree waits for the device.
 * Fix: the fold in the record's stream, and a temporary buffer a stream, from before the loop.
 * Spread: that, and a stream with its buffers for each record.
 */
#include "kernels/mix.h"
#include "tests/bench/pairs/pair.h"

/* The kernels take 0.046 ms a MiB on an H100, the copies 0.02 there and 0.01 back. */
enum { MIX_ROUNDS = 900, FOLD_ROUNDS = 1000, BLOCK_SIZE = 256, PASS_COUNT = 11, LANE_COUNT = 3 };

/* In KiB. As many as a multiple of LANE_COUNT: so a record meets the same stream in each pass,
 * which keeps the order of what is written to its result. */
static const size_t record_kib[] = {104501, 23990, 156002, 61037, 12289,
				    127777, 44444, 83003,  76543};
enum { RECORD_COUNT = sizeof(record_kib) / sizeof(*record_kib), LARGEST_KIB = 156002 };
static_assert(RECORD_COUNT % LANE_COUNT == 0, "a record must stay with its stream");

enum { WORDS_A_KIB = 1024 / sizeof(uint32_t) };

/* A stream, and the device buffers of the record that is under way in it. */
struct lane {
	cudaStream_t stream;
	uint32_t *in, *out;
	uint32_t *temporary; /* --fixed only */
};

struct work {
	bool is_fixed;
	int lane_count;		     /* streams in use */
	uint32_t *records, *results; /* pinned, one record after the other */
	size_t record_words, result_words;
	struct lane lanes[RECORD_COUNT];
};

/* out[i] from the pair in[2 * i], in[2 * i + 1], for i < count. Any grid and block. */
static __global__ void fold_pairs(uint32_t *out, const uint32_t *in, size_t count, uint32_t key)
{
	size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
		uint32_t value = in[2 * i] ^ key, other = in[2 * i + 1];

		for (int round = 0; round < FOLD_ROUNDS; round++) {
			value = value * 1664525u + other;
			value ^= value >> 15;
		}
		out[i] = value;
	}
}

static unsigned int grid_of(size_t count)
{
	return (unsigned int)((count + BLOCK_SIZE - 1) / BLOCK_SIZE);
}

static void open_work(struct work *work)
{
	size_t largest_bytes = (size_t)LARGEST_KIB << 10;

	for (size_t kib : record_kib)
		work->record_words += kib * WORDS_A_KIB;
	work->result_words = work->record_words / 2;
	CHECK(cudaMallocHost(&work->records, work->record_words * sizeof(uint32_t)));
	CHECK(cudaMallocHost(&work->results, work->result_words * sizeof(uint32_t)));
	for (size_t i = 0; i < work->record_words; i++)
		work->records[i] = (uint32_t)i * 2654435761u;
	memset(work->results, 0, work->result_words * sizeof(uint32_t));
	for (int i = 0; i < work->lane_count; i++) {
		struct lane *lane = &work->lanes[i];

		CHECK(cudaStreamCreate(&lane->stream));
		CHECK(cudaMalloc(&lane->in, largest_bytes));
		CHECK(cudaMalloc(&lane->out, largest_bytes / 2));
		if (work->is_fixed)
			CHECK(cudaMalloc(&lane->temporary, largest_bytes));
	}
}

/* Loads the kernels, which is no part of the time. */
static void warm_up(const struct lane *lane)
{
	mix_elements<<<1, BLOCK_SIZE, 0, lane->stream>>>(lane->in, lane->in, 0, 0);
	CHECK(cudaGetLastError());
	fold_pairs<<<1, BLOCK_SIZE, 0, lane->stream>>>(lane->out, lane->in, 0, 0);
	CHECK(cudaGetLastError());
	CHECK(cudaStreamSynchronize(lane->stream));
}

/* Enqueues one record of `count` words; `result` has room for half of them. */
static void process(const struct lane *lane, uint32_t *result, const uint32_t *record, size_t count,
		    uint32_t key, bool is_fixed)
{
	size_t bytes = count * sizeof(*record);
	cudaStream_t stream = lane->stream;
	uint32_t *temporary = lane->temporary;
	unsigned int mix_grid = grid_of(count), fold_grid = grid_of(count / 2);

	CHECK(cudaMemcpyAsync(lane->in, record, bytes, cudaMemcpyHostToDevice, stream));
	if (!is_fixed)
		CHECK(cudaMalloc(&temporary, bytes));
	mix_elements<<<mix_grid, BLOCK_SIZE, 0, stream>>>(temporary, lane->in, count, MIX_ROUNDS);
	CHECK(cudaGetLastError());
	if (is_fixed)
		fold_pairs<<<fold_grid, BLOCK_SIZE, 0, stream>>>(lane->out, temporary, count / 2,
								 key);
	else
		/* PITFALL: default-stream */
		fold_pairs<<<fold_grid, BLOCK_SIZE>>>(lane->out, temporary, count / 2, key);
	CHECK(cudaGetLastError());
	if (!is_fixed)
		/* PITFALL: free-sync */
		CHECK(cudaFree(temporary));
	CHECK(cudaMemcpyAsync(result, lane->out, bytes / 2, cudaMemcpyDeviceToHost, stream));
}

static void run(const struct work *work)
{
	for (int pass = 0; pass < PASS_COUNT; pass++) {
		const uint32_t *record = work->records;
		uint32_t *result = work->results;

		for (int i = 0; i < RECORD_COUNT; i++) {
			size_t count = record_kib[i] * WORDS_A_KIB;

			process(&work->lanes[i % work->lane_count], result, record, count,
				(uint32_t)pass, work->is_fixed);
			record += count;
			result += count / 2;
		}
	}
	CHECK(cudaDeviceSynchronize());
}

static void close_work(struct work *work)
{
	for (int i = 0; i < work->lane_count; i++) {
		const struct lane *lane = &work->lanes[i];

		if (work->is_fixed)
			CHECK(cudaFree(lane->temporary));
		CHECK(cudaFree(lane->out));
		CHECK(cudaFree(lane->in));
		CHECK(cudaStreamDestroy(lane->stream));
	}
	CHECK(cudaFreeHost(work->results));
	CHECK(cudaFreeHost(work->records));
}

int main(int argc, char **argv)
{
	struct work work = {};
	enum pair_twin twin;
	int64_t start_ns, time_ns;

	twin = pair_parse(argc, argv, PAIR_SPREAD);
	work.is_fixed = twin != PAIR_BROKEN;
	work.lane_count = twin == PAIR_SPREAD ? (int)RECORD_COUNT : (int)LANE_COUNT;
	open_work(&work);
	warm_up(&work.lanes[0]);
	CHECK(cudaProfilerStart());
	start_ns = pair_now_ns();
	run(&work);
	time_ns = pair_now_ns() - start_ns;
	CHECK(cudaProfilerStop());
	pair_print(pair_checksum(0, work.results, work.result_words), time_ns);
	close_work(&work);
	return 0;
}
