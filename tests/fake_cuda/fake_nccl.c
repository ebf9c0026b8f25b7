#include "fake_nccl.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fake_cuda.h"

enum { COMMS_MOST = 64, GROUP_MOST = 64 };

struct fake_nccl_comm {
	int rank, ranks;
	bool is_alive, is_blocking, is_in_progress;
};

struct launch {
	ncclComm_t comm;
	fake_nccl_stream stream;
	void (*kernel)(void **args);
};

static struct fake_nccl_comm comms[COMMS_MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __thread struct {
	int depth, count;
	bool is_wrong;
	struct launch launches[GROUP_MOST];
} group;

/* Kernels are found by name. */
void ncclDevKernel_AllReduce_Sum_f32_RING_LL(void **args);
void ncclDevKernel_SendRecv(void **args);

void ncclDevKernel_AllReduce_Sum_f32_RING_LL(void **args)
{
}

void ncclDevKernel_SendRecv(void **args)
{
}

static void misuse(const char *what)
{
	fprintf(stderr, "fake_nccl: %s\n", what);
	abort();
}

static ncclResult_t launch(const struct launch *launch)
{
	uint64_t duration_ns = 10000;
	void *args[] = {&duration_ns};

	cuLaunchKernel((CUfunction)launch->kernel, 2, 1, 1, 32, 1, 1, 0, launch->stream, args,
		       NULL);
	if (launch->comm->is_blocking)
		return ncclSuccess;
	launch->comm->is_in_progress = !launch->comm->is_in_progress;
	return launch->comm->is_in_progress ? ncclInProgress : ncclSuccess;
}

static ncclResult_t enqueue(ncclComm_t comm, int datatype, fake_nccl_stream stream,
			    void (*kernel)(void **args))
{
	const struct launch one = {comm, stream, kernel};

	if (!comm->is_alive)
		misuse("use of a destroyed communicator");
	if (datatype < 0 || datatype > 11) {
		group.is_wrong = group.depth > 0;
		return ncclInvalidArgument;
	}
	if (!group.depth)
		return launch(&one);
	for (int i = 0; i < group.count; i++)
		if (group.launches[i].comm == comm)
			return ncclSuccess;
	if (group.count < GROUP_MOST)
		group.launches[group.count++] = one;
	return ncclSuccess;
}

#define ENQUEUE(kernel) enqueue(comm, datatype, stream, ncclDevKernel_##kernel)

ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, int datatype,
			   int reduction, ncclComm_t comm, fake_nccl_stream stream)
{
	return ENQUEUE(AllReduce_Sum_f32_RING_LL);
}

ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, int datatype, int root,
			   ncclComm_t comm, fake_nccl_stream stream)
{
	return ENQUEUE(AllReduce_Sum_f32_RING_LL);
}

ncclResult_t ncclBcast(void *buffer, size_t count, int datatype, int root, ncclComm_t comm,
		       fake_nccl_stream stream)
{
	return ncclBroadcast(buffer, buffer, count, datatype, root, comm, stream);
}

ncclResult_t ncclReduce(const void *send, void *receive, size_t count, int datatype, int reduction,
			int root, ncclComm_t comm, fake_nccl_stream stream)
{
	return ENQUEUE(AllReduce_Sum_f32_RING_LL);
}

ncclResult_t ncclAllGather(const void *send, void *receive, size_t count, int datatype,
			   ncclComm_t comm, fake_nccl_stream stream)
{
	return ENQUEUE(AllReduce_Sum_f32_RING_LL);
}

ncclResult_t ncclReduceScatter(const void *send, void *receive, size_t count, int datatype,
			       int reduction, ncclComm_t comm, fake_nccl_stream stream)
{
	return ENQUEUE(AllReduce_Sum_f32_RING_LL);
}

ncclResult_t ncclAlltoAll(const void *send, void *receive, size_t count, int datatype,
			  ncclComm_t comm, fake_nccl_stream stream)
{
	return ENQUEUE(SendRecv);
}

ncclResult_t ncclGather(const void *send, void *receive, size_t count, int datatype, int root,
			ncclComm_t comm, fake_nccl_stream stream)
{
	return ENQUEUE(SendRecv);
}

ncclResult_t ncclScatter(const void *send, void *receive, size_t count, int datatype, int root,
			 ncclComm_t comm, fake_nccl_stream stream)
{
	return ENQUEUE(SendRecv);
}

ncclResult_t ncclSend(const void *send, size_t count, int datatype, int peer, ncclComm_t comm,
		      fake_nccl_stream stream)
{
	return ENQUEUE(SendRecv);
}

ncclResult_t ncclRecv(void *receive, size_t count, int datatype, int peer, ncclComm_t comm,
		      fake_nccl_stream stream)
{
	return ENQUEUE(SendRecv);
}

ncclResult_t ncclGroupStart(void)
{
	group.depth++;
	return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void)
{
	ncclResult_t result = ncclSuccess;

	if (!group.depth)
		return ncclInvalidUsage;
	if (--group.depth)
		return ncclSuccess;
	for (int i = 0; i < group.count && !group.is_wrong; i++)
		if (launch(&group.launches[i]) != ncclSuccess)
			result = ncclInProgress;
	if (group.is_wrong)
		result = ncclInvalidArgument;
	group.count = 0;
	group.is_wrong = false;
	return result;
}

static ncclResult_t make(ncclComm_t *comm, int ranks, int rank, const ncclConfig_t *config)
{
	int index = COMMS_MOST;

	cuMemFree(0); /* as NCCL does: CUDA is initialized */
	pthread_mutex_lock(&lock);
	while (index > 0 && comms[index - 1].is_alive)
		index--;
	if (!index)
		misuse("too many communicators");
	*comm = &comms[index - 1];
	**comm = (struct fake_nccl_comm){.rank = rank,
					 .ranks = ranks,
					 .is_alive = true,
					 .is_blocking = !config || config->blocking};
	pthread_mutex_unlock(&lock);
	return (*comm)->is_blocking ? ncclSuccess : ncclInProgress;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
	snprintf(id->internal, sizeof(id->internal), "%d.%d", (int)getpid(), rand());
	return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank)
{
	return rank < ranks && id.internal[0] ? make(comm, ranks, rank, NULL) : ncclInvalidArgument;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank,
				    ncclConfig_t *config)
{
	return make(comm, ranks, rank, config);
}

ncclResult_t ncclCommInitRankScalable(ncclComm_t *comm, int ranks, int rank, int ids,
				      ncclUniqueId *id, ncclConfig_t *config)
{
	return make(comm, ranks, rank, config);
}

ncclResult_t ncclCommInitAll(ncclComm_t *made, int ranks, const int *devices)
{
	for (int i = 0; i < ranks; i++)
		make(&made[i], ranks, i, NULL);
	return ncclSuccess;
}

/* Ranks of one color are as many as there were, and one's own is the key. */
ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *made,
			   ncclConfig_t *config)
{
	*made = NULL;
	return color == NCCL_SPLIT_NOCOLOR ? ncclSuccess : make(made, comm->ranks, key, config);
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
	bool was_alive;

	cuCtxSynchronize();
	pthread_mutex_lock(&lock);
	was_alive = comm->is_alive;
	comm->is_alive = false;
	pthread_mutex_unlock(&lock);
	if (!was_alive)
		misuse("a communicator is destroyed twice");
	return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm)
{
	return ncclCommDestroy(comm);
}

static ncclResult_t answer(const ncclComm_t comm, int value, int *to)
{
	if (!comm->is_alive || comm->is_in_progress)
		misuse("a communicator is asked that is not ready");
	errno = EAGAIN;
	*to = value;
	return ncclSuccess;
}

ncclResult_t ncclCommCount(const ncclComm_t comm, int *count)
{
	return answer(comm, comm->ranks, count);
}

ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank)
{
	return answer(comm, comm->rank, rank);
}

ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device)
{
	return answer(comm, FAKE_DEVICE_ID, device);
}
