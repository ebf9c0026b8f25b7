/*
 * What the entry points of the fake runtime are made of. Each entry point is one driver call with one correlation
 * id: call_enter(), the work, call_exit(). CUPTI's callbacks come in call_enter() and call_exit(). Any thread; no
 * function here is called with device_lock() held, unless its comment says so.
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

/* Declares `call`, a call of the driver function `api` with these parameters, which a CUPTI
 * callback at the entry may change. */
#define DRIVER_CALL(api, ...)                                                                      \
	api##_params params = {__VA_ARGS__};                                                       \
	struct driver_call call = {                                                                \
		.cbid = CUPTI_DRIVER_TRACE_CBID_##api, .name = #api, .params = &params}

/* Initializes the driver and the context at the first call. After an error the caller does no work, but calls
 * call_exit(). */
cudaError_t call_enter(struct driver_call *call);
/* Ends the call and returns error. An error other than cudaSuccess becomes the thread's last error. */
cudaError_t call_exit(struct driver_call *call, cudaError_t error);
/* The same for a call that fails before it reaches the driver. */
cudaError_t call_refused(cudaError_t error);
/* Call CUPTI's resource callback, if CUPTI is there: for a stream (or NULL), and for a graph's node. */
void call_resource(CUpti_CallbackId cbid, CUstream stream);
void call_node(CUpti_CallbackId cbid, const CUpti_GraphData *data);

/* Each ..._call() function is a whole entry point. per_thread: it is the entry point's twin for per-thread default
 * streams. */
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
/* Returns the name of the kernel's host function; "kernel": the function has no symbol. */
const char *launch_symbol(const void *kernel);

/* graphs.c. A node is the work of a captured call. type says which member has it. */
struct CUgraphNode_st {
	struct CUgraphNode_st *next; /* a graph's nodes run one after the other */
	uint64_t id;
	CUgraphNodeType type;
	struct copy copy;
	struct set {
		void *dst;
		int value;
		size_t size;
	} set;
	struct launch launch;
	uint64_t launch_ns; /* args[0] of the kernel, all that is captured of its arguments */
	struct host_function host;
	CUgraph child; /* NULL: no child graph */
};
/* True: the stream is captured, a copy of the node was added to its graph, and the call has no work left. */
bool graph_capture(struct CUstream_st *stream, const struct CUgraphNode_st *node);
cudaError_t graph_capture_begin(struct driver_call *call, cudaStream_t stream, bool per_thread);
cudaError_t graph_capture_end(struct driver_call *call, cudaStream_t stream, cudaGraph_t *graph,
			      bool per_thread);
cudaError_t graph_launch(struct driver_call *call, cudaGraphExec_t graph, cudaStream_t stream,
			 bool per_thread);
/* work.c. Does a node's work in a launch of its graph. */
void node_run(const struct CUgraphNode_st *node, uint32_t correlation_id,
	      struct CUstream_st *stream);
/* Moves managed memory to the device. */
cudaError_t prefetch_call(struct driver_call *call, const void *address, size_t size,
			  cudaStream_t stream, bool per_thread);
cudaError_t launch_call(struct driver_call *call, const struct launch *launch, bool per_thread);

/* records.c. Each function sends an activity record to CUPTI, if CUPTI is there. */
struct record_origin {
	uint32_t correlation_id, stream_id;
	struct span span;
	uint64_t graph_node_id; /* 0: not of a graph */
};
void record_context(void);
void record_stream(const struct CUstream_st *stream, uint32_t correlation_id);
void record_kernel(struct record_origin origin, const struct launch *launch);
void record_copy(struct record_origin origin, uint8_t copy_kind, uint8_t src_kind, uint8_t dst_kind,
		 enum engine engine, bool is_async, uint64_t size);
void record_set(struct record_origin origin, CUpti_ActivityMemoryKind kind, int value,
		bool is_async, uint64_t size);
void record_graph(struct record_origin origin, uint32_t graph_id);
void record_sync(struct record_origin origin, CUpti_ActivitySynchronizationType type,
		 uint32_t event_id, uint64_t sync_id);
void record_event(uint32_t correlation_id, const struct CUevent_st *event);
void record_memory(uint32_t correlation_id, const struct memory *memory, bool is_release,
		   uint32_t stream_id, bool is_async);

/* Sends four records of managed memory: a movement to the device, one to the host, and a fault of each. */
void record_managed(const struct memory *memory);
/* Sends a record of managed memory that moved for page faults. */
void record_migration(const struct memory *memory, bool is_to_host, struct span span);
void record_pool(uint32_t correlation_id, CUmemoryPool pool,
		 CUpti_ActivityMemoryPoolOperationType operation, size_t kept_bytes);

/* Set by fake_cuda_attach(); NULL: CUPTI is not there. */
extern const struct fake_cupti_hooks *_Atomic runtime_hooks;

#endif
