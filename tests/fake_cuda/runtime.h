/*
 * What the entry points of the fake runtime are made of. Each is one driver call: call_enter(),
 * the work, call_exit(), with CUPTI's callbacks around it and one correlation id.
 */
#ifndef FAKE_RUNTIME_H
#define FAKE_RUNTIME_H

#include "device.h"

struct driver_call {
	CUpti_CallbackId cbid;
	const char *name;
	const void *params;
	const char *symbol; /* launches: the kernel's name */
	uint32_t correlation_id;
	uint64_t correlation_data;
	bool is_entered;
};

/* Declares `call`, a call of the driver function `api` with these parameters. */
#define DRIVER_CALL(api, ...)                                                                      \
	const api##_params params = {__VA_ARGS__};                                                 \
	struct driver_call call = {                                                                \
		.cbid = CUPTI_DRIVER_TRACE_CBID_##api, .name = #api, .params = &params}

/* Initializes the driver and the context where needed. On an error the call does no work. */
cudaError_t call_enter(struct driver_call *call);
/* Returns error, which becomes the thread's last error unless it is cudaSuccess. */
cudaError_t call_exit(struct driver_call *call, cudaError_t error);
/* For what fails before it reaches the driver. */
cudaError_t call_refused(cudaError_t error);
void call_resource(CUpti_CallbackId cbid, CUstream stream);

/* The work that has a twin for the per-thread default stream, without the twin. */
struct copy {
	void *dst;
	const void *src;
	size_t dst_pitch, src_pitch, width, height;
	enum cudaMemcpyKind kind;
	bool is_async;
};
cudaError_t copy_call(struct driver_call *call, const struct copy *copy, cudaStream_t stream,
		      bool per_thread);
cudaError_t set_call(struct driver_call *call, void *dst, int value, size_t size,
		     cudaStream_t stream, bool per_thread, bool is_async);

struct launch {
	const void *kernel;
	dim3 grid, block;
	void **args;
	size_t shared_bytes;
	cudaStream_t stream;
};
const char *launch_symbol(const void *kernel);
cudaError_t launch_call(struct driver_call *call, const struct launch *launch, bool per_thread);

/* records.c: activity records, sent to CUPTI if it is there. Without the device's lock. */
struct record_place {
	uint32_t correlation_id, stream_id;
	struct span span;
};
void record_context(void);
void record_stream(const struct CUstream_st *stream, uint32_t correlation_id);
void record_kernel(struct record_place place, const struct launch *launch);
void record_copy(struct record_place place, uint8_t copy_kind, uint8_t src_kind, uint8_t dst_kind,
		 enum engine engine, bool is_async, uint64_t size);
void record_set(struct record_place place, CUpti_ActivityMemoryKind kind, int value, bool is_async,
		uint64_t size);
void record_sync(struct record_place place, CUpti_ActivitySynchronizationType type,
		 uint32_t event_id, uint64_t sync_id);
void record_event(uint32_t correlation_id, const struct CUevent_st *event);
void record_memory(uint32_t correlation_id, const struct memory *memory, bool is_release,
		   uint32_t stream_id, bool is_async);

extern const struct fake_cupti_hooks *_Atomic runtime_hooks;

#endif
