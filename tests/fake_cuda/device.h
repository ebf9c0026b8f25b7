/*
 * The virtual device: streams, events and memory on a timeline in ns of CLOCK_REALTIME.
 *
 * An operation gets its start and its end when it is enqueued: it starts once its stream (with the
 * legacy default stream's barrier) is ready and its engine has a gap that holds it. Nothing runs in
 * between: waiting means to sleep until the clock is there.
 *
 * Except for device_now_ns() and device_sleep_until() every function wants device_lock() held.
 * An unknown handle aborts.
 */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include "fake_cuda.h"

enum engine { ENGINE_COMPUTE, ENGINE_H2D, ENGINE_D2H, ENGINE_COUNT, ENGINE_NONE = ENGINE_COUNT };

struct CUctx_st {
	uint32_t id;
};
extern struct CUctx_st device_context;

struct CUstream_st {
	struct CUstream_st *next;
	uint32_t id;
	int priority;
	CUpti_ActivityStreamFlag flag;
	uint64_t tail_ns; /* end of its last operation, or of what it was told to wait for */
	struct CUgraph_st *capture; /* what it is captured into, or NULL */
};

struct CUevent_st {
	struct CUevent_st *next;
	uint32_t id;
	bool has_timing;
	uint64_t sync_id; /* of the last record; 0: never recorded */
	uint32_t stream_id;
	uint64_t time_ns;
};

struct span {
	uint64_t start_ns, end_ns;
};

struct memory {
	struct memory *next;
	uint8_t *address;
	size_t size;
	CUpti_ActivityMemoryKind kind;
	bool is_registered; /* by cudaHostRegister: not ours to free */
	unsigned int flags; /* of cudaHostAlloc */
};

void device_lock(void);
void device_unlock(void);
uint64_t device_now_ns(void);
void device_sleep_until(uint64_t time_ns);

/* The stream behind a handle; 0, 1 and 2 are the default streams. */
struct CUstream_st *device_stream(cudaStream_t handle, bool per_thread);
struct CUstream_st *device_stream_create(CUpti_ActivityStreamFlag flag, int priority);
void device_stream_destroy(struct CUstream_st *stream);
/* When everything that an operation in this stream has to wait for is done; not before now. */
uint64_t device_ready_ns(const struct CUstream_st *stream);
/* When everything that a host wait for this stream waits for is done. */
uint64_t device_drained_ns(const struct CUstream_st *stream);
uint64_t device_idle_ns(void);
struct span device_run(struct CUstream_st *stream, enum engine engine, uint64_t duration_ns);

struct CUevent_st *device_event_create(bool has_timing);
struct CUevent_st *device_event(cudaEvent_t handle);
void device_event_destroy(struct CUevent_st *event);
void device_event_record(struct CUevent_st *event, struct CUstream_st *stream);

/* host_functions.c. Runs it on a thread of ours once what is before it in the stream is done. */
struct host_function {
	cudaHostFn_t function;	       /* this one, or */
	cudaStreamCallback_t callback; /* this one */
	void *data;
};
void host_function_enqueue(struct CUstream_st *stream, const struct host_function *function);
/* Until those of the stream (NULL: of all) have run. Without the lock. */
void host_functions_wait(const struct CUstream_st *stream);

/* memory.c. NULL from memory_find(): pageable host memory. */
struct memory *memory_allocate(CUpti_ActivityMemoryKind kind, size_t size);
void memory_register(void *address, size_t size);
struct memory *memory_find(const void *address);
/* Aborts unless address begins an allocation of one of the two kinds. */
struct memory *memory_owned(void *address, CUpti_ActivityMemoryKind a, CUpti_ActivityMemoryKind b,
			    bool is_registered);
void memory_release(struct memory *memory);
void memory_release_pinned(void);

#endif
