/*
 * The virtual device: streams, events and memory on a timeline in ns of CLOCK_REALTIME.
 *
 * An operation gets its start and its end when it is enqueued. It starts as soon as its stream is ready (with the
 * legacy default stream's barrier) and its engine has a gap that is long enough. Nothing runs meanwhile: to wait is
 * to sleep until the clock shows that time.
 *
 * Any thread. The caller of a function must hold device_lock(). Only device_now_ns(), device_sleep_until() and
 * host_functions_wait() are called without the lock. An unknown handle ends the program with SIGABRT, and so does
 * lack of memory outside of memory_allocate().
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
	uint64_t tail_ns; /* when its last operation, and all that it must wait for, are done */
	struct CUgraph_st *capture; /* the graph that it is captured into, or NULL */
};

struct CUevent_st {
	struct CUevent_st *next;
	uint32_t id;
	bool has_timing;
	uint64_t sync_id; /* of the last record; 0: never recorded */
	uint32_t stream_id;
	uint64_t time_ns; /* when the last record is done */
};

/* From start_ns on, until before end_ns. */
struct span {
	uint64_t start_ns, end_ns;
};

struct memory {
	struct memory *next;
	uint8_t *address;
	size_t size;
	CUpti_ActivityMemoryKind kind;
	bool is_registered; /* by cudaHostRegister(): the bytes belong to the program */
	bool is_of_pool;    /* of cudaMallocAsync() */
	unsigned int flags; /* of cudaHostAlloc() */
	/* Where managed memory is. PLACE_NONE: nobody has touched it as a test says. */
	enum place { PLACE_NONE, PLACE_HOST, PLACE_DEVICE } place;
};

void device_lock(void);
void device_unlock(void);

/* The device's clock (fake_cuda_now_ns()). */
uint64_t device_now_ns(void);
void device_sleep_until(uint64_t time_ns);

/* Returns the stream behind a handle; the handles 0, 1 and 2 are default streams. per_thread: handle 0 is the
 * calling thread's default stream, not the legacy one. */
struct CUstream_st *device_stream(cudaStream_t handle, bool per_thread);
struct CUstream_st *device_stream_create(CUpti_ActivityStreamFlag flag, int priority);
/* Frees the stream, which must not be a default stream. */
void device_stream_destroy(struct CUstream_st *stream);
/* Returns when everything is done that a new operation in this stream must wait for; not before now. */
uint64_t device_ready_ns(const struct CUstream_st *stream);
/* Returns when everything is done that a host waits for if it waits for this stream. */
uint64_t device_drained_ns(const struct CUstream_st *stream);
/* Returns when the operations of all streams are done. */
uint64_t device_idle_ns(void);
/* Enqueues an operation and returns when it runs. ENGINE_NONE: the operation needs no engine. */
struct span device_run(struct CUstream_st *stream, enum engine engine, uint64_t duration_ns);

struct CUevent_st *device_event_create(bool has_timing);
struct CUevent_st *device_event(cudaEvent_t handle);
void device_event_destroy(struct CUevent_st *event);
void device_event_record(struct CUevent_st *event, struct CUstream_st *stream);

/* host_functions.c. One of function and callback is NULL. */
struct host_function {
	cudaHostFn_t function;
	cudaStreamCallback_t callback;
	void *data;
};
/* Copies *function. The device's own thread calls it as soon as the stream's earlier operations are done. */
void host_function_enqueue(struct CUstream_st *stream, const struct host_function *function);
/* Blocks until the host functions of the stream have run; NULL: those of all streams. */
void host_functions_wait(const struct CUstream_st *stream);

/* memory.c. Returns memory that memory_release() frees; NULL: out of memory. */
struct memory *memory_allocate(CUpti_ActivityMemoryKind kind, size_t size);
/* Notes the program's memory as pinned. */
void memory_register(void *address, size_t size);
/* Returns the memory that has the address, anywhere in it; NULL: the address is pageable host memory. */
struct memory *memory_find(const void *address);
/* Returns the memory that begins at address. Ends the program unless the memory has kind a or b and the given
 * is_registered. */
struct memory *memory_owned(void *address, CUpti_ActivityMemoryKind a, CUpti_ActivityMemoryKind b,
			    bool is_registered);
/* How long a kernel faults for the memory: 0 unless it is managed and on the host. */
uint64_t memory_fault_ns(const struct memory *memory);
/* Frees the struct, and the bytes unless they are registered. */
void memory_release(struct memory *memory);
/* Releases all pinned memory. */
void memory_release_pinned(void);

#endif
