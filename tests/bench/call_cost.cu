/*
 * What one call costs the program: ns a call, the best of five rounds, one line a kind of call.
 *
 *   call_cost [CALLS [stay]]   calls a round (default 100000)
 *
 * With `stay` it does so once for each line of standard input, as frameworks/cost.py asks: "READY", then lines
 * "LOOP KIND NS" and "READY" each time. The line is the number of the only processor that this thread uses then.
 * A launch loop is bound by the device's queue; an empty kernel keeps it short. The script
 * call_cost.py runs this untraced, traced and under Nsight Systems in turn.
 */
#include <cuda_runtime.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t error_ = (call);                                                       \
		if (error_ != cudaSuccess) {                                                       \
			fprintf(stderr, "call_cost: %s: %s\n", #call, cudaGetErrorString(error_)); \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static cudaStream_t stream;
static cudaEvent_t event;
static void *device_word, *host_word;

static __global__ void nothing(void)
{
}

static void launch(void)
{
	nothing<<<1, 1, 0, stream>>>();
}

static void copy(void)
{
	CHECK(cudaMemcpyAsync(device_word, host_word, 4, cudaMemcpyHostToDevice, stream));
}

static void record(void)
{
	CHECK(cudaEventRecord(event, stream));
}

static void query(void)
{
	cudaStreamQuery(stream);
}

static const struct {
	const char *name;
	void (*call)(void);
} kinds[] = {{"launch", launch}, {"copy", copy}, {"event-record", record}, {"stream-query", query}};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static double best_round(void (*call)(void), int count)
{
	double best = 1e18;

	for (int round = 0; round < 5; round++) {
		int64_t start_ns = now_ns();

		for (int i = 0; i < count; i++)
			call();
		double mean = (double)(now_ns() - start_ns) / count;

		best = mean < best ? mean : best;
		CHECK(cudaStreamSynchronize(stream));
	}
	return best;
}

static void use_processor(const char *line)
{
	char *end;
	long number = strtol(line, &end, 10);
	cpu_set_t set;

	if (end == line)
		return;
	CPU_ZERO(&set);
	CPU_SET(number, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void measure(const char *before, int count)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		printf("%s%s %.0f\n", before, kinds[i].name, best_round(kinds[i].call, count));
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 100000;
	char line[16];

	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	CHECK(cudaMalloc(&device_word, 4));
	CHECK(cudaMallocHost(&host_word, 4));
	if (argc < 3) {
		measure("", count);
		return 0;
	}
	do {
		puts("READY");
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return 0;
		use_processor(line);
		measure("LOOP ", count);
	} while (true);
}
