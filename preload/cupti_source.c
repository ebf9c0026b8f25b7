#include "cupti_source.h"

#include "activity.h"
#include "activity_buffers.h"
#include "activity_filter.h"
#include "clock.h"
#include "cupti_library.h"
#include "driver_functions.h"
#include "functions.h"
#include "graph_nodes.h"
#include "keep.h"
#include "launch_arguments.h"
#include "lifecycle.h"
#include "managed_memory.h"
#include "options.h"
#include "recorder.h"
#include "walk.h"
#include "windows.h"
#include "writer.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stream that a callback saw come or go, on its way to the writer. */
struct stream_news {
	struct stream_news *next;
	struct stream_row row;
};

/* One place for what the program's threads and the writer both look at. */
static struct {
	_Atomic bool is_on, is_unwanted;
	_Atomic bool is_started;	   /* maybe half */
	bool is_forked;			   /* and was started before */
	CUpti_SubscriberHandle subscriber; /* valid while is_on */
	pthread_mutex_t lock;
	char status[256]; /* metadata cupti; under the lock */
	char error[256];  /* the last that failed; under the lock */
	struct stream_news *_Atomic streams;
} source = {.lock = PTHREAD_MUTEX_INITIALIZER, .status = "not started: cuInit was not called"};

static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static uint32_t cupti_version;

static const CUpti_ActivityKind activity_kinds[] = {
	CUPTI_ACTIVITY_KIND_DEVICE,	CUPTI_ACTIVITY_KIND_CONTEXT,
	CUPTI_ACTIVITY_KIND_STREAM,	CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
	CUPTI_ACTIVITY_KIND_MEMCPY,	CUPTI_ACTIVITY_KIND_MEMCPY2,
	CUPTI_ACTIVITY_KIND_MEMSET,	CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
	CUPTI_ACTIVITY_KIND_CUDA_EVENT, CUPTI_ACTIVITY_KIND_MEMORY2,
	CUPTI_ACTIVITY_KIND_OVERHEAD,	CUPTI_ACTIVITY_KIND_MEMORY_POOL,
};

/* What CUPTI need not record between two windows. An operation may run in a window and be enqueued
 * before it, or after it and be enqueued in it: their kinds stay on. */
static const CUpti_ActivityKind paused_kinds[] = {
	CUPTI_ACTIVITY_KIND_OVERHEAD,
};

/* The host's address where an end of the copy is on the host, else the device's. */
#define KEEP_COPY_ENDS(c, bytes)                                                                   \
	if (c) {                                                                                   \
		KEEP_COPY((c)->dstHost ? (uint64_t)(c)->dstHost : (c)->dstDevice,                  \
			  (c)->srcHost ? (uint64_t)(c)->srcHost : (c)->srcDevice, bytes, 4)        \
	}
#define KEEP_COPY_2D(c) KEEP_COPY_ENDS(c, (c)->WidthInBytes *(c)->Height)
#define KEEP_COPY_3D(c) KEEP_COPY_ENDS(c, (c)->WidthInBytes *(c)->Height *(c)->Depth)

/* A call without parameters has no struct in CUPTI's headers. */
typedef void cuCtxSynchronize_params;

/* One function a driver call: reads its parameters into the record. */
#define DRIVER(name, cbid, variant, class, keep)                                                   \
	static void keep_##cbid(struct record *record, const void *params)                         \
	{                                                                                          \
		const cbid##_params *p = params;                                                   \
                                                                                                   \
		(void)p;                                                                           \
		keep                                                                               \
	}
#include "driver_calls.def"
#undef DRIVER

struct driver_class {
	bool makes_operations, is_hot;
};
#define DRIVER_CLASS(class, makes_operations, is_hot)                                              \
	static const struct driver_class driver_class_##class = {makes_operations, is_hot};
#include "driver_classes.def"
#undef DRIVER_CLASS

struct driver_call {
	CUpti_CallbackId cbid;
	const struct driver_class *class;
	enum function function;
	bool is_per_thread;
	void (*keep)(struct record *record, const void *params);
};

/* Pasted at the first level: cuda.h redefines some of the plain names as macros. */
#define ROW(id, class, function, is_per_thread, keep) {id, class, function, is_per_thread, keep},
#define TWIN_PLAIN(id, class, function, keep)
#define TWIN_PTSZ(id, class, function, keep) ROW(id##_ptsz, class, function, true, keep)
#define TWIN_PTDS(id, class, function, keep) ROW(id##_ptds, class, function, true, keep)
static const struct driver_call driver_calls[] = {
#define DRIVER(name, cbid, variant, class, keep)                                                   \
	ROW(CUPTI_DRIVER_TRACE_CBID_##cbid, &driver_class_##class, FUNCTION_##cbid, false,         \
	    keep_##cbid)                                                                           \
	TWIN_##variant(CUPTI_DRIVER_TRACE_CBID_##cbid, &driver_class_##class, FUNCTION_##cbid,     \
		       keep_##cbid)
#include "driver_calls.def"
#undef DRIVER
};

/* By callback id, so that a callback finds its row at once. */
static const struct driver_call *driver_call_of[CUPTI_DRIVER_TRACE_CBID_SIZE];

/* Something is missing, and CUPTI goes on. */
static void note_error(const char *what, CUptiResult result)
{
	const char *text = "unknown error";

	cupti.cuptiGetResultString(result, &text);
	pthread_mutex_lock(&source.lock);
	snprintf(source.error, sizeof(source.error), "%s: %s (%d)%s", what, text, (int)result,
		 result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
			 ? ": another profiler is active in this process"
			 : "");
	pthread_mutex_unlock(&source.lock);
	writer_count_loss(LOSS_CUPTI_ERROR, 1);
}

static void fail(const char *what, CUptiResult result)
{
	note_error(what, result);
	pthread_mutex_lock(&source.lock);
	memcpy(source.status, source.error, sizeof(source.status));
	pthread_mutex_unlock(&source.lock);
	options_warn(OPTIONS_NO_CUPTI, "%s: device operations are not recorded, or not all",
		     source.status);
}

static bool check(const char *what, CUptiResult result)
{
	if (result == CUPTI_SUCCESS)
		return true;
	fail(what, result);
	return false;
}

/* cuProfilerStart or cuProfilerStop, through whichever door. */
static bool is_profiler_call(CUpti_CallbackId cbid, const CUpti_CallbackData *data)
{
	if (cbid != CUPTI_DRIVER_TRACE_CBID_cuProfilerStart &&
	    cbid != CUPTI_DRIVER_TRACE_CBID_cuProfilerStop)
		return false;
	if (data->callbackSite == CUPTI_API_ENTER && cbid == CUPTI_DRIVER_TRACE_CBID_cuProfilerStop)
		windows_close(WINDOW_PROFILER);
	if (data->callbackSite == CUPTI_API_EXIT && cbid == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart)
		windows_open(WINDOW_PROFILER);
	return true;
}

/* Memory that kernels can be given, whether the call is recorded or not. */
static void note_memory(const struct driver_call *call, const CUpti_CallbackData *data)
{
	struct record record = {.result = *(const int *)data->functionReturnValue};

	if (record.result ||
	    (call->class != &driver_class_alloc && call->class != &driver_class_host_alloc &&
	     call->class != &driver_class_register))
		return;
	call->keep(&record, data->functionParams);
	if (record.has & RECORD_HAS_DST && record.has & RECORD_HAS_SIZE)
		launch_arguments_note_memory(record.dst, record.size_bytes);
}

static void on_driver_call(CUpti_CallbackId cbid, const CUpti_CallbackData *data,
			   const struct caller *caller)
{
	const struct driver_call *call =
		cbid < CUPTI_DRIVER_TRACE_CBID_SIZE ? driver_call_of[cbid] : NULL;
	struct record *record;

	if (is_profiler_call(cbid, data) || !call)
		return;
	if (data->callbackSite == CUPTI_API_ENTER) {
		driver_functions_enter(call->function, data, call->is_per_thread);
		launch_arguments_enter(call->function, data);
		if (call->function == FUNCTION_cuMemAllocManaged)
			managed_memory_enable();
		/* CUPTI keeps this word for us until the exit; 0 says that a wrapper has the call,
		 * or that it began outside of every window. */
		*data->correlationData =
			recorder_correlate(data->correlationId, call->class->makes_operations) ||
					atomic_load(&recorder_state) == RECORDER_PAUSED
				? 0
				: (uint64_t)clock_now_ns();
		return;
	}
	driver_functions_exit(call->function, data);
	note_memory(call, data);
	if (!*data->correlationData)
		return;
	record = recorder_driver_record(call->function, *(const int *)data->functionReturnValue,
					(int64_t)*data->correlationData, data->correlationId,
					caller);
	if (!record)
		return;
	if (call->is_per_thread)
		record->has |= RECORD_IS_PER_THREAD;
	call->keep(record, data->functionParams);
	recorder_commit();
}

/* A stream was made or goes: which handle means which of CUPTI's ids, and when. */
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
		note_error("cuptiGetStreamIdEx", result);
		return;
	}
	news = malloc(sizeof(*news));
	if (!news) {
		writer_count_loss(LOSS_CUPTI_DISCARDED, 1);
		return;
	}
	news->row = (struct stream_row){
		.context_id = context_id,
		.id = stream_id,
		.flag = STORE_NULL,
		.priority = STORE_NULL,
		.handle = (int64_t)handle,
		.created_ns = is_created ? now_ns : STORE_NULL,
		.destroyed_ns = is_created ? STORE_NULL : now_ns,
	};
	news->next = atomic_load(&source.streams);
	while (!atomic_compare_exchange_weak(&source.streams, &news->next, news))
		;
}

static void CUPTIAPI on_callback(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId cbid,
				 const void *data)
{
	struct caller caller = {.return_address = (uint64_t)__builtin_return_address(0),
				.cfa = (uint64_t)__builtin_dwarf_cfa()};
	int saved_errno = errno;

	if (recorder_is_on()) {
		if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
			on_driver_call(cbid, data, &caller);
		else if (domain == CUPTI_CB_DOMAIN_RESOURCE &&
			 cbid == CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING)
			launch_arguments_forget_kernels();
		else if (domain == CUPTI_CB_DOMAIN_RESOURCE && !source.is_forked &&
			 !graph_nodes_take(cbid, data))
			on_stream(cbid, data);
	}
	errno = saved_errno;
}

static void CUPTIAPI on_buffer_request(uint8_t **buffer, size_t *size, size_t *max_records)
{
	int saved_errno = errno;

	*buffer = activity_buffers_request(size);
	*max_records = 0;
	errno = saved_errno;
}

/* The record after this one (NULL: the first), or NULL at the end. */
static CUpti_Activity *next_record(const struct activity_buffer *buffer, CUpti_Activity *record)
{
	CUptiResult result =
		cupti.cuptiActivityGetNextRecord(buffer->records, buffer->valid_bytes, &record);

	if (result == CUPTI_SUCCESS)
		return record;
	/* How many are behind one that CUPTI itself cannot read is not to be known. */
	if (result != CUPTI_ERROR_MAX_LIMIT_REACHED)
		note_error("cuptiActivityGetNextRecord", result);
	return NULL;
}

static void count_records(const struct activity_buffer *buffer, enum loss loss)
{
	CUpti_Activity *record = NULL;
	uint64_t count = 0;

	while ((record = next_record(buffer, record)))
		count++;
	if (count)
		writer_count_loss(loss, count);
}

static void CUPTIAPI on_buffer_complete(CUcontext context, uint32_t stream_id, uint8_t *buffer,
					size_t size, size_t valid_bytes)
{
	int saved_errno = errno;
	struct activity_buffer *discarded = activity_buffers_complete(buffer, valid_bytes);
	size_t dropped = 0;
	CUptiResult result;

	if (discarded) {
		count_records(discarded, LOSS_CUPTI_DISCARDED);
		activity_buffers_give_back(discarded);
	}
	result = cupti.cuptiActivityGetNumDroppedRecords(context, stream_id, &dropped);
	if (result)
		note_error("cuptiActivityGetNumDroppedRecords", result);
	else if (dropped)
		writer_count_loss(LOSS_CUPTI_DROPPED, dropped);
	errno = saved_errno;
}

static bool enable(void)
{
	bool ok = true;

	cupti.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
	if (!check("cuptiActivityRegisterCallbacks",
		   cupti.cuptiActivityRegisterCallbacks(on_buffer_request, on_buffer_complete)))
		return false;
	for (size_t i = 0; i < sizeof(activity_kinds) / sizeof(activity_kinds[0]); i++)
		ok &= check("cuptiActivityEnable", cupti.cuptiActivityEnable(activity_kinds[i]));
	for (size_t i = 0; i < sizeof(driver_calls) / sizeof(driver_calls[0]); i++) {
		if (driver_calls[i].class->is_hot && !options.events)
			continue;
		/* An older CUPTI does not know the newest ids: then there are no such calls. */
		driver_call_of[driver_calls[i].cbid] = &driver_calls[i];
		cupti.cuptiEnableCallback(1, source.subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
					  driver_calls[i].cbid);
	}
	if (windows_follow_profiler()) {
		cupti.cuptiEnableCallback(1, source.subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
					  CUPTI_DRIVER_TRACE_CBID_cuProfilerStart);
		cupti.cuptiEnableCallback(1, source.subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
					  CUPTI_DRIVER_TRACE_CBID_cuProfilerStop);
	}
	cupti.cuptiEnableCallback(1, source.subscriber, CUPTI_CB_DOMAIN_RESOURCE,
				  CUPTI_CBID_RESOURCE_STREAM_CREATED);
	cupti.cuptiEnableCallback(1, source.subscriber, CUPTI_CB_DOMAIN_RESOURCE,
				  CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING);
	cupti.cuptiEnableCallback(1, source.subscriber, CUPTI_CB_DOMAIN_RESOURCE,
				  CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
	graph_nodes_enable(source.subscriber);
	return ok;
}

/* By whoever comes second: the start, or the writer that has no file. */
static void stop_if_unwanted(void)
{
	if (!atomic_load(&source.is_unwanted) || !atomic_exchange(&source.is_on, false))
		return;
	for (size_t i = 0; i < sizeof(activity_kinds) / sizeof(activity_kinds[0]); i++)
		cupti.cuptiActivityDisable(activity_kinds[i]);
	managed_memory_disable();
	cupti.cuptiUnsubscribe(source.subscriber);
}

void cupti_source_stop(void)
{
	atomic_store(&source.is_unwanted, true);
	stop_if_unwanted();
}

static void start(void)
{
	char reason[sizeof(source.status)];

	if (source.is_forked)
		return;
	atomic_store(&source.is_started, true);
	if (!cupti_library_load(reason, sizeof(reason))) {
		pthread_mutex_lock(&source.lock);
		memcpy(source.status, reason, sizeof(reason));
		pthread_mutex_unlock(&source.lock);
		options_warn(OPTIONS_NO_CUPTI, "%s: device operations are not recorded", reason);
		writer_count_loss(LOSS_CUPTI_ERROR, 1);
		return;
	}
	cupti.cuptiGetVersion(&cupti_version);
	if (!check("cuptiSubscribe", cupti.cuptiSubscribe(&source.subscriber, on_callback, NULL)))
		return;
	walk_leave_out("libcupti");
	walk_leave_out("libcuda.so");
	walk_leave_out("libcudart");
	if (enable()) {
		pthread_mutex_lock(&source.lock);
		snprintf(source.status, sizeof(source.status), "on");
		pthread_mutex_unlock(&source.lock);
	}
	atomic_store(&source.is_on, true);
	stop_if_unwanted();
}

void cupti_source_start(void)
{
	pthread_once(&start_once, start);
}

void cupti_source_pause(bool is_paused)
{
	static bool was_paused;

	if (!atomic_load(&source.is_on) || is_paused == was_paused)
		return;
	was_paused = is_paused;
	for (size_t i = 0; i < sizeof(paused_kinds) / sizeof(paused_kinds[0]); i++) {
		if (is_paused)
			cupti.cuptiActivityDisable(paused_kinds[i]);
		else
			cupti.cuptiActivityEnable(paused_kinds[i]);
	}
}

void cupti_source_after_fork(void)
{
	pthread_mutex_init(&source.lock, NULL);
	activity_buffers_after_fork();
	if (!atomic_load(&source.is_started))
		return;
	source.is_forked = true;
	atomic_store(&source.is_on, false);
	atomic_store(&source.streams, NULL);
	snprintf(source.status, sizeof(source.status),
		 "not to be had: CUDA was started before this process was forked");
}

static void store_streams(struct store *store)
{
	struct stream_news *news = atomic_exchange(&source.streams, NULL), *next;

	for (; news; news = next) {
		next = news->next;
		store_stream(store, &news->row);
		free(news);
	}
}

void cupti_source_flush(struct store *store, bool is_last)
{
	struct activity_losses losses = {0};
	struct activity_buffer *buffer, *next;
	CUptiResult result;

	if (!atomic_load(&source.is_on))
		return;
	/* Complete records only, unless it is the last time; CUPTI never returns a buffer that is
	 * not full by itself. */
	result = cupti.cuptiActivityFlushAll(is_last ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
	/* Not initialized: before cuInit() there is nothing to have. */
	if (result && result != CUPTI_ERROR_NOT_INITIALIZED)
		note_error("cuptiActivityFlushAll", result);
	store_streams(store);
	buffer = activity_buffers_take();
	/* A program that is paused from the start makes no record that would do it. */
	if (buffer)
		lifecycle_arm_exit();
	for (; buffer; buffer = next) {
		CUpti_Activity *record = NULL;

		next = buffer->next;
		if (writer_is_late())
			count_records(buffer, LOSS_EXIT_TIMEOUT);
		else
			while ((record = next_record(buffer, record)))
				if (activity_filter_wants(record))
					activity_store(store, record, cupti_version, &losses);
		activity_buffers_give_back(buffer);
	}
	if (losses.untimed)
		writer_count_loss(LOSS_UNTIMED, losses.untimed);
	if (losses.unknown)
		writer_count_loss(LOSS_UNKNOWN_RECORD, losses.unknown);
}

void cupti_source_status(char *text, size_t size)
{
	pthread_mutex_lock(&source.lock);
	snprintf(text, size, "%s", source.status);
	pthread_mutex_unlock(&source.lock);
}

void cupti_source_error(char *text, size_t size)
{
	pthread_mutex_lock(&source.lock);
	snprintf(text, size, "%s", source.error[0] ? source.error : source.status);
	pthread_mutex_unlock(&source.lock);
}

void cupti_source_describe(struct store *store)
{
	char status[sizeof(source.status)];

	cupti_source_status(status, sizeof(status));
	store_metadata(store, "cupti", status);
	if (cupti_version)
		store_metadata_int(store, "cupti_version", cupti_version);
	if (atomic_load(&source.is_on)) {
		managed_memory_describe(store);
		launch_arguments_describe(store);
	}
	store_metadata(store, "events", options.events ? "all" : "wrappers");
}
