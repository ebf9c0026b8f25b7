/*
 * A stand-in for NCCL: libnccl.so.2 with the calls that libstrace.so wraps, on libcuda's stand-in.
 *
 * A call launches a kernel with a name like NCCL's on the given stream, by the driver API. A group launches one
 * kernel for each of its communicators when the group ends. If a call of a group is wrong, the group launches
 * nothing, and ncclGroupEnd() returns an error. Nothing goes to another process: a communicator has one process,
 * whatever its number of ranks.
 *
 * A destroyed communicator's handle is given out again. A communicator whose configuration does not block
 * answers every second call with ncclInProgress. The program ends with SIGABRT if it asks such a communicator for
 * its rank, size or device then, or uses a destroyed communicator. Those three questions set errno although they
 * succeed. Any thread.
 */
#ifndef FAKE_NCCL_H
#define FAKE_NCCL_H

#include <stddef.h>

typedef struct fake_nccl_comm *ncclComm_t;
typedef struct {
	char internal[128];
} ncclUniqueId;
typedef enum {
	ncclSuccess = 0,
	ncclInvalidArgument = 4,
	ncclInvalidUsage = 5,
	ncclInProgress = 7
} ncclResult_t;
enum { ncclInt8 = 0, ncclFloat16 = 6, ncclFloat32 = 7, ncclFloat64 = 8 };
enum { NCCL_SPLIT_NOCOLOR = -1 };

/* The real struct has more members. 0: the communicator does not block. */
typedef struct {
	int blocking;
} ncclConfig_t;

typedef void *fake_nccl_stream;

ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, int datatype,
			   int reduction, ncclComm_t comm, fake_nccl_stream stream);
ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, int datatype, int root,
			   ncclComm_t comm, fake_nccl_stream stream);
ncclResult_t ncclBcast(void *buffer, size_t count, int datatype, int root, ncclComm_t comm,
		       fake_nccl_stream stream);
ncclResult_t ncclReduce(const void *send, void *receive, size_t count, int datatype, int reduction,
			int root, ncclComm_t comm, fake_nccl_stream stream);
ncclResult_t ncclAllGather(const void *send, void *receive, size_t count, int datatype,
			   ncclComm_t comm, fake_nccl_stream stream);
ncclResult_t ncclReduceScatter(const void *send, void *receive, size_t count, int datatype,
			       int reduction, ncclComm_t comm, fake_nccl_stream stream);
ncclResult_t ncclAlltoAll(const void *send, void *receive, size_t count, int datatype,
			  ncclComm_t comm, fake_nccl_stream stream);
ncclResult_t ncclGather(const void *send, void *receive, size_t count, int datatype, int root,
			ncclComm_t comm, fake_nccl_stream stream);
ncclResult_t ncclScatter(const void *send, void *receive, size_t count, int datatype, int root,
			 ncclComm_t comm, fake_nccl_stream stream);
ncclResult_t ncclSend(const void *send, size_t count, int datatype, int peer, ncclComm_t comm,
		      fake_nccl_stream stream);
ncclResult_t ncclRecv(void *receive, size_t count, int datatype, int peer, ncclComm_t comm,
		      fake_nccl_stream stream);
ncclResult_t ncclGroupStart(void);
ncclResult_t ncclGroupEnd(void);
ncclResult_t ncclGetUniqueId(ncclUniqueId *id);
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank);
ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank,
				    ncclConfig_t *config);
ncclResult_t ncclCommInitRankScalable(ncclComm_t *comm, int ranks, int rank, int ids,
				      ncclUniqueId *id, ncclConfig_t *config);
ncclResult_t ncclCommInitAll(ncclComm_t *comms, int ranks, const int *devices);
ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *made,
			   ncclConfig_t *config);
ncclResult_t ncclCommDestroy(ncclComm_t comm);
ncclResult_t ncclCommAbort(ncclComm_t comm);
ncclResult_t ncclCommCount(const ncclComm_t comm, int *count);
ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank);
ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device);

#endif
