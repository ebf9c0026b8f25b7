/*
 * What ncclAllReduce() of 4 bytes takes its caller: two processes with a GPU each, `nccl_calls`. Prints medians of
 * 50 times 200 calls, in ns a call: each launches a kernel; in a group of 200, which launches at its end.
 */
#include "fake_nccl.h"

#include <cuda_runtime_api.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CALLS = 200, BATCHES = 50, WARM_UP = 5 };

static void check(int result, const char *what)
{
	if (!result)
		return;
	fprintf(stderr, "nccl_calls: %s: %d\n", what, result);
	exit(2);
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The time of the calls alone, without the ends of the groups. */
static double call_often(ncclComm_t comm, float *data, cudaStream_t stream, bool is_grouped)
{
	double times[BATCHES];

	for (int batch = -WARM_UP; batch < BATCHES; batch++) {
		double start_ns;

		if (is_grouped)
			check(ncclGroupStart(), "ncclGroupStart");
		start_ns = now_ns();
		for (int i = 0; i < CALLS; i++)
			check(ncclAllReduce(data, data, 1, ncclFloat32, 0, comm, stream),
			      "ncclAllReduce");
		if (batch >= 0)
			times[batch] = (now_ns() - start_ns) / CALLS;
		if (is_grouped)
			check(ncclGroupEnd(), "ncclGroupEnd");
		check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
	}
	qsort(times, BATCHES, sizeof(*times), compare);
	return times[BATCHES / 2];
}

int main(void)
{
	int pipes[2], rank;
	ncclUniqueId id;
	ncclComm_t comm;
	cudaStream_t stream;
	float *data;
	double alone_ns, grouped_ns;

	check(pipe(pipes), "pipe");
	rank = fork() ? 0 : 1;
	if (rank == 0)
		check(ncclGetUniqueId(&id) || write(pipes[1], &id, sizeof(id)) != sizeof(id),
		      "ncclGetUniqueId");
	else
		check(read(pipes[0], &id, sizeof(id)) != sizeof(id), "read");
	check(cudaSetDevice(rank), "cudaSetDevice");
	check(ncclCommInitRank(&comm, 2, id, rank), "ncclCommInitRank");
	check(cudaMalloc((void **)&data, 4096), "cudaMalloc");
	check(cudaStreamCreate(&stream), "cudaStreamCreate");
	alone_ns = call_often(comm, data, stream, false);
	grouped_ns = call_often(comm, data, stream, true);
	ncclCommDestroy(comm);
	if (rank)
		return 0;
	waitpid(-1, NULL, 0);
	printf("%.0f %.0f\n", alone_ns, grouped_ns);
	return 0;
}
