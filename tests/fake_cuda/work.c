/* What the device is given to do: copies, sets and kernels. */
#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "runtime.h"

/* Rates in bytes a nanosecond (GB/s). */
enum { RATE_PINNED = 20, RATE_PAGEABLE = 4, RATE_DEVICE = 500 };

/* The least that any operation takes. */
enum { LATENCY_NS = 1000 };

struct copy_plan {
	CUpti_ActivityMemcpyKind copy_kind;
	CUpti_ActivityMemoryKind src_kind, dst_kind;
	enum engine engine;
	uint64_t duration_ns;
};

static uint64_t duration_ns(uint64_t size, unsigned int rate)
{
	const uint64_t duration = size / rate;

	return duration > LATENCY_NS ? duration : LATENCY_NS;
}

static bool is_on_device(CUpti_ActivityMemoryKind kind)
{
	return kind == CUPTI_ACTIVITY_MEMORY_KIND_DEVICE ||
	       kind == CUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
}

/* The kind of the memory at [address, address + size), or UNKNOWN if it leaves its allocation. */
static CUpti_ActivityMemoryKind kind_of(const void *address, size_t size)
{
	const struct memory *memory = memory_find(address);

	if (!memory)
		return CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
	if ((const uint8_t *)address + size > memory->address + memory->size)
		return CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN;
	return memory->kind;
}

static bool is_host_side(CUpti_ActivityMemoryKind kind)
{
	return kind != CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
}

static bool direction_fits(enum cudaMemcpyKind kind, const struct copy_plan *plan)
{
	switch (kind) {
	case cudaMemcpyHostToDevice:
		return is_host_side(plan->src_kind) && is_on_device(plan->dst_kind);
	case cudaMemcpyDeviceToHost:
		return is_on_device(plan->src_kind) && is_host_side(plan->dst_kind);
	case cudaMemcpyDeviceToDevice:
		return is_on_device(plan->src_kind) && is_on_device(plan->dst_kind);
	case cudaMemcpyHostToHost:
		return is_host_side(plan->src_kind) && is_host_side(plan->dst_kind);
	default:
		return true;
	}
}

static enum cudaMemcpyKind direction_of(enum cudaMemcpyKind kind, const struct copy_plan *plan)
{
	if (kind != cudaMemcpyDefault)
		return kind;
	if (is_on_device(plan->src_kind))
		return is_on_device(plan->dst_kind) ? cudaMemcpyDeviceToDevice
						    : cudaMemcpyDeviceToHost;
	return is_on_device(plan->dst_kind) ? cudaMemcpyHostToDevice : cudaMemcpyHostToHost;
}

static cudaError_t plan_copy(const struct copy *copy, struct copy_plan *plan)
{
	const size_t src_size = copy->src_pitch * (copy->height - 1) + copy->width;
	const size_t dst_size = copy->dst_pitch * (copy->height - 1) + copy->width;
	unsigned int rate = RATE_PINNED;

	if (!copy->dst || !copy->src || copy->width > copy->src_pitch ||
	    copy->width > copy->dst_pitch)
		return cudaErrorInvalidValue;
	plan->src_kind = kind_of(copy->src, src_size);
	plan->dst_kind = kind_of(copy->dst, dst_size);
	if (!plan->src_kind || !plan->dst_kind || !direction_fits(copy->kind, plan))
		return cudaErrorInvalidValue;
	if (plan->src_kind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE ||
	    plan->dst_kind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE)
		rate = RATE_PAGEABLE;
	switch (direction_of(copy->kind, plan)) {
	case cudaMemcpyHostToDevice:
		plan->copy_kind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
		plan->engine = ENGINE_H2D;
		break;
	case cudaMemcpyDeviceToHost:
		plan->copy_kind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
		plan->engine = ENGINE_D2H;
		break;
	case cudaMemcpyDeviceToDevice:
		plan->copy_kind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOD;
		plan->engine = ENGINE_COMPUTE;
		rate = RATE_DEVICE;
		break;
	default:
		plan->copy_kind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOH;
		plan->engine = ENGINE_NONE;
	}
	plan->duration_ns = duration_ns((uint64_t)copy->width * copy->height, rate);
	return cudaSuccess;
}

/* Until when the call keeps the host, as measured on an H100. */
static uint64_t host_wait_ns(const struct copy *copy, const struct copy_plan *plan,
			     struct span span, uint64_t enqueued_ns)
{
	switch (plan->copy_kind) {
	case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
		return 0;
	case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
		return span.end_ns;
	case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
		if (plan->dst_kind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE)
			return span.end_ns;
		break;
	default:
		if (copy->is_async && plan->src_kind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE)
			return enqueued_ns + plan->duration_ns; /* its own staging */
		if (copy->is_async && plan->src_kind == CUPTI_ACTIVITY_MEMORY_KIND_MANAGED)
			return span.start_ns;
	}
	return copy->is_async ? 0 : span.end_ns;
}

/* A device writes registered memory whatever protection the program's pages have, and so does this file. */
static void move_row(uint8_t *to, const uint8_t *from, size_t size)
{
	const struct memory *memory = memory_find(to);
	const int file =
		memory && memory->is_registered ? open("/proc/self/mem", O_RDWR | O_CLOEXEC) : -1;

	if (file < 0 || pwrite(file, from, size, (off_t)(uintptr_t)to) != (ssize_t)size)
		memmove(to, from, size);
	if (file >= 0)
		close(file);
}

static void move(const struct copy *copy)
{
	for (size_t row = 0; row < copy->height; row++)
		move_row((uint8_t *)copy->dst + row * copy->dst_pitch,
			 (const uint8_t *)copy->src + row * copy->src_pitch, copy->width);
}

static cudaError_t copy_run(uint32_t correlation_id, const struct copy *copy,
			    struct CUstream_st *stream, uint64_t node_id)
{
	struct record_origin origin = {.correlation_id = correlation_id};
	struct copy_plan plan;
	cudaError_t error;

	if (!copy->width || !copy->height)
		return cudaSuccess;
	device_lock();
	const uint64_t enqueued_ns = device_now_ns();

	error = plan_copy(copy, &plan);
	if (!error) {
		origin.stream_id = stream->id;
		origin.span = device_run(stream, plan.engine, plan.duration_ns);
		move(copy);
	}
	device_unlock();
	if (error)
		return error;
	origin.graph_node_id = node_id;
	record_copy(origin, (uint8_t)plan.copy_kind, (uint8_t)plan.src_kind, (uint8_t)plan.dst_kind,
		    plan.engine, copy->is_async, (uint64_t)copy->width * copy->height);
	if (!node_id)
		device_sleep_until(host_wait_ns(copy, &plan, origin.span, enqueued_ns));
	return cudaSuccess;
}

static struct CUstream_st *stream_of(cudaStream_t handle, bool per_thread)
{
	struct CUstream_st *stream;

	device_lock();
	stream = device_stream(handle, per_thread);
	device_unlock();
	return stream;
}

cudaError_t copy_call(struct driver_call *call, const struct copy *copy, cudaStream_t stream,
		      bool per_thread)
{
	cudaError_t error = call_enter(call);
	struct CUgraphNode_st node = {.type = CU_GRAPH_NODE_TYPE_MEMCPY, .copy = *copy};
	struct CUstream_st *target;

	if (error)
		return call_exit(call, error);
	target = stream_of(stream, per_thread);
	if (!graph_capture(target, &node))
		error = copy_run(call->correlation_id, copy, target, 0);
	return call_exit(call, error);
}

static cudaError_t set_run(uint32_t correlation_id, const struct set *set, bool is_async,
			   struct CUstream_st *stream, uint64_t node_id)
{
	struct record_origin origin = {.correlation_id = correlation_id,
				       .stream_id = stream->id,
				       .graph_node_id = node_id};
	CUpti_ActivityMemoryKind kind;

	device_lock();
	kind = kind_of(set->dst, set->size);
	if (!set->dst || !kind || kind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE) {
		device_unlock();
		return cudaErrorInvalidValue;
	}
	origin.span = device_run(stream, ENGINE_COMPUTE, duration_ns(set->size, RATE_DEVICE));
	memset(set->dst, set->value, set->size);
	device_unlock();
	record_set(origin, kind, set->value, is_async, set->size);
	if (!is_async && kind == CUPTI_ACTIVITY_MEMORY_KIND_PINNED)
		device_sleep_until(origin.span.end_ns);
	return cudaSuccess;
}

cudaError_t set_call(struct driver_call *call, void *dst, int value, size_t size,
		     cudaStream_t stream, bool per_thread, bool is_async)
{
	const struct CUgraphNode_st node = {.type = CU_GRAPH_NODE_TYPE_MEMSET,
					    .set = {dst, value, size}};
	cudaError_t error = call_enter(call);
	struct CUstream_st *target;

	if (error || !size)
		return call_exit(call, error);
	target = stream_of(stream, per_thread);
	if (!graph_capture(target, &node))
		error = set_run(call->correlation_id, &node.set, is_async, target, 0);
	return call_exit(call, error);
}

const char *launch_symbol(const void *kernel)
{
	Dl_info info;

	return dladdr(kernel, &info) && info.dli_sname ? info.dli_sname : "kernel";
}

static cudaError_t launch_check(const struct launch *launch)
{
	const uint64_t threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;

	if (!threads || threads > 1024 || !launch->grid.x || !launch->grid.y || !launch->grid.z)
		return cudaErrorInvalidConfiguration;
	return launch->args && launch->args[0] ? cudaSuccess : cudaErrorInvalidValue;
}

enum { ARGUMENTS_MOST = 8 };

/* The managed memory that a kernel is given and that is on the host. The lock is not held. */
struct faults {
	struct memory memories[ARGUMENTS_MOST];
	int count;
	uint64_t ns;
};

static void take_faults(struct faults *faults, const void *address)
{
	struct memory *memory;

	device_lock();
	memory = memory_find(address);
	if (memory && memory_fault_ns(memory)) {
		faults->ns += memory_fault_ns(memory);
		faults->memories[faults->count++] = *memory;
		memory->place = PLACE_DEVICE;
	}
	device_unlock();
}

/* Of a launch with all its arguments. */
static struct faults find_faults(const struct launch *launch)
{
	struct faults faults = {.count = 0};
	size_t offset, size;

	for (size_t i = 1;
	     i < ARGUMENTS_MOST && fake_cuda_parameter(launch->kernel, i, &offset, &size); i++)
		if (size == sizeof(void *))
			take_faults(&faults, *(void **)launch->args[i]);
	return faults;
}

static void record_faults(const struct faults *faults, struct span span)
{
	for (int i = 0; i < faults->count; i++) {
		span.end_ns = span.start_ns + memory_fault_ns(&faults->memories[i]);
		record_migration(&faults->memories[i], false, span);
		span.start_ns = span.end_ns;
	}
}

static size_t prefetched_bytes;

size_t fake_cuda_prefetched_bytes(void)
{
	size_t bytes;

	device_lock();
	bytes = prefetched_bytes;
	device_unlock();
	return bytes;
}

cudaError_t prefetch_call(struct driver_call *call, const void *address, size_t size,
			  cudaStream_t stream, bool per_thread)
{
	const cudaError_t error = call_enter(call);
	struct memory *memory;
	bool is_managed;

	if (error)
		return call_exit(call, error);
	device_lock();
	memory = memory_find(address);
	is_managed = memory && memory->kind == CUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
	if (is_managed) {
		device_run(device_stream(stream, per_thread), ENGINE_H2D,
			   duration_ns(memory->place == PLACE_HOST ? size : 0, RATE_PINNED));
		memory->place = PLACE_DEVICE;
		prefetched_bytes += size;
	}
	device_unlock();
	return call_exit(call, is_managed ? cudaSuccess : cudaErrorInvalidValue);
}

static void launch_run(uint32_t correlation_id, const struct launch *launch,
		       struct CUstream_st *stream, uint64_t node_id, const struct faults *faults)
{
	struct record_origin origin = {.correlation_id = correlation_id,
				       .stream_id = stream->id,
				       .graph_node_id = node_id};
	void (*run)(void **args);

	device_lock();
	origin.span =
		device_run(stream, ENGINE_COMPUTE, *(const uint64_t *)launch->args[0] + faults->ns);
	device_unlock();
	*(const void **)&run = launch->kernel;
	run(launch->args);
	record_kernel(origin, launch);
	record_faults(faults, origin.span);
}

cudaError_t launch_call(struct driver_call *call, const struct launch *launch, bool per_thread)
{
	struct CUgraphNode_st node = {.type = CU_GRAPH_NODE_TYPE_KERNEL, .launch = *launch};
	struct CUstream_st *stream;
	cudaError_t error;

	if (!launch->kernel)
		return call_refused(cudaErrorInvalidDeviceFunction);
	call->symbol = launch_symbol(launch->kernel);
	error = call_enter(call);
	if (!error)
		error = launch_check(launch);
	if (error)
		return call_exit(call, error);
	stream = stream_of(launch->stream, per_thread);
	node.launch_ns = *(const uint64_t *)launch->args[0];
	if (!graph_capture(stream, &node)) {
		const struct faults faults = find_faults(launch);

		launch_run(call->correlation_id, launch, stream, 0, &faults);
	}
	return call_exit(call, cudaSuccess);
}

void node_run(const struct CUgraphNode_st *node, uint32_t correlation_id,
	      struct CUstream_st *stream)
{
	uint64_t duration = node->launch_ns;
	void *args[] = {&duration};
	struct launch launch = node->launch;
	const struct faults no_faults = {.count = 0}; /* only the first argument was captured */

	switch (node->type) {
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		copy_run(correlation_id, &node->copy, stream, node->id);
		break;
	case CU_GRAPH_NODE_TYPE_MEMSET:
		set_run(correlation_id, &node->set, true, stream, node->id);
		break;
	case CU_GRAPH_NODE_TYPE_KERNEL:
		launch.args = args;
		launch_run(correlation_id, &launch, stream, node->id, &no_faults);
		break;
	case CU_GRAPH_NODE_TYPE_GRAPH:
		break; /* its nodes follow */
	default:
		device_lock();
		host_function_enqueue(stream, &node->host);
		device_unlock();
	}
}
