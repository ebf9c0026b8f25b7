#include "cupti/listener.h"

#include "api/functions.h"
#include "api/keep.h"
#include "base/clock.h"
#include "base/hot.h"
#include "base/losses.h"
#include "base/options.h"
#include "content/awaited.h"
#include "content/memory_places.h"
#include "cupti/code_images.h"
#include "cupti/cupti_library.h"
#include "cupti/driver_functions.h"
#include "cupti/graph_edges.h"
#include "cupti/graph_nodes.h"
#include "cupti/launch_arguments.h"
#include "cupti/managed_memory.h"
#include "cupti/new_places.h"
#include "cupti/status.h"
#include "first_use/first_use.h"
#include "recorder/recorder.h"
#include "recorder/windows.h"

#include <errno.h>
#include <stdlib.h>

/* Smaller words are no times: no clock is set to before 2001. */
#define LEAST_NS UINT64_C(1000000000000000000)

/* The word that CUPTI keeps from a call's entry to its exit, where the exit has nothing to do. */
#define OF_WRAPPER 1

/* The creation or destruction of a stream, queued for the writer. */
struct stream_news {
	struct stream_news *next;
	struct streams_row row;
};

static struct stream_news *_Atomic streams;
static bool is_forked; /* and CUPTI was started before */

/* The host address of an end of the copy that is on the host, otherwise its device address. */
#define KEEP_COPY_ENDS(c, bytes)                                                                   \
	if (c) {                                                                                   \
		KEEP_COPY((c)->dstHost ? (uint64_t)(c)->dstHost : (c)->dstDevice,                  \
			  (c)->srcHost ? (uint64_t)(c)->srcHost : (c)->srcDevice, bytes, 4)        \
	}
#define KEEP_COPY_2D(c) KEEP_COPY_ENDS(c, (c)->WidthInBytes *(c)->Height)
#define KEEP_COPY_3D(c) KEEP_COPY_ENDS(c, (c)->WidthInBytes *(c)->Height *(c)->Depth)

/* CUPTI's headers have no struct for calls without parameters. */
typedef void cuCtxSynchronize_params;

/* One function a driver call: copies its parameters into the record. */
#define DRIVER(name, cbid, variant, class, keep)                                                   \
	static void keep_##cbid(struct record *record, const void *params)                         \
	{                                                                                          \
		const cbid##_params *p = params;                                                   \
                                                                                                   \
		(void)p;                                                                           \
		keep                                                                               \
	}
#include "api/driver_calls.def"
#undef DRIVER

struct driver_class {
	bool makes_operations, is_hot;
};
#define FUNCTION_CLASS(name, symbol, word, makes_operations, is_hot)                               \
	static const struct driver_class driver_class_##name = {makes_operations, is_hot};
#include "facts/function_classes.def"
#undef FUNCTION_CLASS

struct driver_call {
	const struct driver_class *class;
	void (*keep)(struct record *record, const void *params);
	CUpti_CallbackId cbid;
	enum function function;
	bool is_per_thread;
	/* Set by cupti_listener_enable(); has_work: for work_for(). */
	bool is_enabled, has_work, needs_context, makes_operations, is_launch;
};

/* Pasted at the first level, because cuda.h redefines some names as macros. */
#define ROW(id, class, function, is_per_thread, keep)                                              \
	{class, keep, id, function, is_per_thread, false, false, false, false, false},
#define TWIN_PLAIN(id, class, function, keep)
#define TWIN_PTSZ(id, class, function, keep) ROW(id##_ptsz, class, function, true, keep)
#define TWIN_PTDS(id, class, function, keep) ROW(id##_ptds, class, function, true, keep)
static const struct driver_call driver_calls[] = {
#define DRIVER(name, cbid, variant, class, keep)                                                   \
	ROW(CUPTI_DRIVER_TRACE_CBID_##cbid, &driver_class_##class, FUNCTION_##cbid, false,         \
	    keep_##cbid)                                                                           \
	TWIN_##variant(CUPTI_DRIVER_TRACE_CBID_##cbid, &driver_class_##class, FUNCTION_##cbid,     \
		       keep_##cbid)
#include "api/driver_calls.def"
#undef DRIVER
};

/* Rows by callback id. */
static struct driver_call enabled_calls[CUPTI_DRIVER_TRACE_CBID_SIZE];

/* cuProfilerStart or cuProfilerStop, however they were called. */
static void on_profiler_call(CUpti_CallbackId cbid, const CUpti_CallbackData *data)
{
	if (data->callbackSite == CUPTI_API_ENTER && cbid == CUPTI_DRIVER_TRACE_CBID_cuProfilerStop)
		windows_close(WINDOW_PROFILER);
	if (data->callbackSite == CUPTI_API_EXIT && cbid == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart)
		windows_open(WINDOW_PROFILER);
}

static bool gives_memory(const struct driver_call *call)
{
	return call->class == &driver_class_alloc || call->class == &driver_class_host_alloc ||
	       call->class == &driver_class_register;
}

/* Of the host, where it was pinned. */
static bool takes_memory(const struct driver_call *call)
{
	return call->class == &driver_class_host_free || call->class == &driver_class_unregister;
}

static bool needs_work(const struct driver_call *call)
{
	return gives_memory(call) || takes_memory(call) ||
	       call->class == &driver_class_graph_instantiate ||
	       call->function == FUNCTION_cuLaunchHostFunc ||
	       call->function == FUNCTION_cuStreamAddCallback ||
	       call->function == FUNCTION_cuGraphAddHostNode ||
	       call->function == FUNCTION_cuGraphHostNodeGetParams;
}

/* Calls whose context no operation tells; a default stream's handle does not tell it either. */
static bool needs_context(const struct driver_class *class)
{
	return class == &driver_class_device_sync || class == &driver_class_stream_sync ||
	       class == &driver_class_event_record || class == &driver_class_stream_wait_event;
}

/* Notes memory that kernels can be given, also for calls that are not recorded. A function of its
 * own like the next one, so that hot calls need no stack for their records. */
static __attribute__((noinline)) void note_memory(const struct driver_call *call,
						  const CUpti_CallbackData *data)
{
	struct record record = {.result = *(const int *)data->functionReturnValue};

	if (record.result)
		return;
	places_forget();
	call->keep(&record, data->functionParams);
	if (record.has & RECORD_HAS_DST && record.has & RECORD_HAS_SIZE)
		launch_arguments_note_memory(record.dst, record.size_bytes);
}

/* Which graph was made executable tells the source that the call keeps. */
static __attribute__((noinline)) void note_graph(const struct driver_call *call,
						 const CUpti_CallbackData *data)
{
	struct record record = {.result = *(const int *)data->functionReturnValue};

	call->keep(&record, data->functionParams);
	if (!record.result && record.src)
		graph_edges_take((CUgraph)(uintptr_t)record.src);
}

/* At the entry, memory used by the call becomes accessible; after the return, memory that it wrote
 * for the host is watched. */
static __attribute__((noinline)) void follow_uses(const struct driver_call *call,
						  const CUpti_CallbackData *data,
						  const struct caller *caller)
{
	bool is_entry = data->callbackSite == CUPTI_API_ENTER;
	/* At the entry outputs are not there yet. */
	struct record arguments = {
		.result = is_entry ? -1 : *(const int *)data->functionReturnValue,
		.has = call->is_per_thread ? RECORD_IS_PER_THREAD : 0,
	};

	call->keep(&arguments, data->functionParams);
	if (is_entry)
		first_use_enter(call->function, &arguments);
	else
		first_use_exit(call->function, data, &arguments, caller);
}

/* Work that few calls need besides their record. errno is left alone. */
static __attribute__((noinline)) void work_for(const struct driver_call *call,
					       const CUpti_CallbackData *data,
					       const struct caller *caller)
{
	int saved_errno = errno;

	if (first_use_is_on())
		follow_uses(call, data, caller);
	if (data->callbackSite == CUPTI_API_ENTER) {
		driver_functions_enter(call->function, data, call->is_per_thread);
		if (takes_memory(call))
			content_forget_awaited();
		if (call->function == FUNCTION_cuMemAllocManaged)
			managed_memory_enable();
	} else {
		driver_functions_exit(call->function, data);
		/* Formerly pinned memory may be the heap's from now on. */
		if (takes_memory(call))
			places_forget();
		if (gives_memory(call))
			note_memory(call, data);
		if (call->class == &driver_class_graph_instantiate)
			note_graph(call, data);
	}
	errno = saved_errno;
}

static void record_driver_call(const struct driver_call *call, const CUpti_CallbackData *data,
			       const struct caller *caller)
{
	struct record *record;

	/* Its begin was not seen: callbacks were just switched on. */
	if (*data->correlationData < LEAST_NS)
		return;
	record = recorder_driver_record(call->function, *(const int *)data->functionReturnValue,
					(int64_t)*data->correlationData, data->correlationId,
					call->needs_context ? data->contextUid : 0, caller);
	if (!record)
		return;
	if (call->is_per_thread)
		record->has |= RECORD_IS_PER_THREAD;
	call->keep(record, data->functionParams);
	recorder_commit();
}

static inline void on_driver_call(const struct driver_call *call, const CUpti_CallbackData *data,
				  const struct caller *caller)
{
	if (call->has_work || first_use_is_on())
		work_for(call, data, caller);
	if (data->callbackSite == CUPTI_API_ENTER) {
		if (call->is_launch)
			launch_arguments_enter(call->function, data);
		/* CUPTI keeps this word until the exit. 0: a wrapper records the call, or it began
		 * outside of all windows. */
		*data->correlationData =
			recorder_correlate(data->correlationId,
					   call->needs_context ? data->contextUid : 0,
					   call->makes_operations) ||
					atomic_load(&recorder_state) == RECORDER_PAUSED
				? 0
				: (uint64_t)clock_now_ns();
	} else if (*data->correlationData) {
		record_driver_call(call, data, caller);
	}
}

/* For a call without a wrapper around it, and for one whose cost is measured. */
static COLD void measure_driver_call(const struct driver_call *call, const CUpti_CallbackData *data,
				     const struct caller *caller)
{
	struct cost_callback callback;
	bool is_measured = call_cost_callback(&callback, data->callbackSite == CUPTI_API_ENTER,
					      recorder_thread.at.depth == 0);

	on_driver_call(call, data, caller);
	if (is_measured)
		call_cost_callback_end(&callback);
}

/* A stream was created or will be destroyed: notes its handle, CUPTI's id, and when. */
static void on_stream(CUpti_CallbackId cbid, const CUpti_ResourceData *data)
{
	struct stream_news *news;
	CUstream handle = data->resourceHandle.stream;
	uint32_t context_id, stream_id;
	CUptiResult result;
	int64_t now_ns = clock_now_ns();
	bool is_created = cbid == CUPTI_CBID_RESOURCE_STREAM_CREATED;

	result = cupti.cuptiGetContextId(data->context, &context_id);
	if (!result)
		result = cupti.cuptiGetStreamIdEx(data->context, handle, 0, &stream_id);
	if (result) {
		cupti_status_note_error("cuptiGetStreamIdEx", result);
		return;
	}
	news = malloc(sizeof(*news));
	if (!news) {
		losses_count(LOSS_CUPTI_DISCARDED, 1);
		return;
	}
	news->row = streams_null();
	news->row.context_id = context_id;
	news->row.id = stream_id;
	news->row.handle = (int64_t)handle;
	*(is_created ? &news->row.created_ns : &news->row.destroyed_ns) = now_ns;
	news->next = atomic_load(&streams);
	while (!atomic_compare_exchange_weak(&streams, &news->next, news))
		;
}

/* Whichever call it is: the context's pinned memory still exists, and goes with it. */
static void on_context_end(void)
{
	if (first_use_is_on())
		first_use_leave();
	content_forget_awaited();
	places_forget();
}

static __attribute__((noinline)) void on_other_callback(CUpti_CallbackDomain domain,
							CUpti_CallbackId cbid, const void *data)
{
	int saved_errno = errno;

	if (domain == CUPTI_CB_DOMAIN_DRIVER_API &&
	    (new_places_take(cbid) || code_images_take(cbid, data)))
		;
	else if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
		on_profiler_call(cbid, data);
	else if (cbid == CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING)
		launch_arguments_forget_kernels();
	else if (cbid == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING)
		on_context_end();
	else if (!is_forked && !graph_nodes_take(cbid, data))
		on_stream(cbid, data);
	errno = saved_errno;
}

static __attribute__((noinline)) void on_any_callback(CUpti_CallbackDomain domain,
						      CUpti_CallbackId cbid, const void *data,
						      uint64_t return_address, uint64_t cfa)
{
	const struct caller caller = {return_address, cfa};

	if (!recorder_is_on())
		return;
	if (domain == CUPTI_CB_DOMAIN_DRIVER_API && cbid < CUPTI_DRIVER_TRACE_CBID_SIZE &&
	    enabled_calls[cbid].is_enabled)
		measure_driver_call(&enabled_calls[cbid], data, &caller);
	else
		on_other_callback(domain, cbid, data);
}

/* The usual callback: of a driver call whose wrapper records it; only its correlation id and the
 * kernel's arguments are missing. False: more to do. */
static inline bool is_of_wrapper(const struct driver_call *call, const CUpti_CallbackData *data)
{
	if (!call->is_enabled)
		return false;
	if (data->callbackSite != CUPTI_API_ENTER)
		return *data->correlationData == OF_WRAPPER;
	if (call->has_work || first_use_is_on() || recorder_thread.at.depth == 0 ||
	    call_cost_is_measured())
		return false;
	if (!recorder_correlate(data->correlationId, call->needs_context ? data->contextUid : 0,
				call->makes_operations))
		return false;
	*data->correlationData = OF_WRAPPER;
	if (call->is_launch)
		launch_arguments_enter(call->function, data);
	return true;
}

static HOT void CUPTIAPI on_callback(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId cbid,
				     const void *data)
{
	struct caller caller = CALLER_HERE();

	if (domain != CUPTI_CB_DOMAIN_DRIVER_API || cbid >= CUPTI_DRIVER_TRACE_CBID_SIZE ||
	    !is_of_wrapper(&enabled_calls[cbid], data))
		on_any_callback(domain, cbid, data, caller.return_address, caller.cfa);
}

CUptiResult cupti_listener_subscribe(CUpti_SubscriberHandle *subscriber)
{
	return cupti.cuptiSubscribe(subscriber, on_callback, NULL);
}

void cupti_listener_enable(CUpti_SubscriberHandle subscriber)
{
	for (size_t i = 0; i < sizeof(driver_calls) / sizeof(driver_calls[0]); i++) {
		struct driver_call *call = &enabled_calls[driver_calls[i].cbid];

		if (driver_calls[i].class->is_hot && !options.events)
			continue;
		*call = driver_calls[i];
		call->is_enabled = true;
		call->has_work = needs_work(call);
		call->needs_context = needs_context(call->class);
		call->makes_operations = call->class->makes_operations;
		call->is_launch = call->class == &driver_class_launch;
		cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, call->cbid);
	}
	new_places_enable(subscriber);
	code_images_enable(subscriber);
	if (windows_follow_profiler()) {
		cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
					  CUPTI_DRIVER_TRACE_CBID_cuProfilerStart);
		cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
					  CUPTI_DRIVER_TRACE_CBID_cuProfilerStop);
	}
	cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
				  CUPTI_CBID_RESOURCE_STREAM_CREATED);
	cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
				  CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING);
	cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
				  CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
	cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
				  CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
	graph_nodes_enable(subscriber);
}

void cupti_listener_pause(CUpti_SubscriberHandle subscriber, bool is_paused)
{
	/* Any call may use memory whose first use is watched. */
	if (options_watch_memory())
		return;
	for (CUpti_CallbackId cbid = 0; cbid < CUPTI_DRIVER_TRACE_CBID_SIZE; cbid++)
		if (enabled_calls[cbid].is_enabled && !enabled_calls[cbid].has_work)
			cupti.cuptiEnableCallback(!is_paused, subscriber,
						  CUPTI_CB_DOMAIN_DRIVER_API, cbid);
}

void cupti_listener_store_streams(struct store *store)
{
	struct stream_news *news = atomic_exchange(&streams, NULL), *next;

	for (; news; news = next) {
		next = news->next;
		store_stream(store, &news->row);
		free(news);
	}
}

void cupti_listener_after_fork(void)
{
	is_forked = true;
	atomic_store(&streams, NULL);
	code_images_after_fork();
	graph_edges_after_fork();
}
