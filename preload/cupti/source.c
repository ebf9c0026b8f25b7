#include "cupti/source.h"

#include "base/fork_guard.h"
#include "base/losses.h"
#include "base/options.h"
#include "cupti/activity.h"
#include "cupti/buffers.h"
#include "cupti/code_images.h"
#include "cupti/cupti_library.h"
#include "cupti/filter.h"
#include "cupti/launch_arguments.h"
#include "cupti/listener.h"
#include "cupti/managed_memory.h"
#include "cupti/status.h"
#include "stack/walk.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

/* Shared by the program's threads and the writer. */
static struct {
	_Atomic bool is_on, is_unwanted, is_closed;
	_Atomic bool is_started;	   /* maybe half */
	bool is_forked;			   /* and was started before */
	CUpti_SubscriberHandle subscriber; /* valid while is_on */
} source;

static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static _Atomic uint32_t cupti_version; /* 0: not known yet */

static const CUpti_ActivityKind activity_kinds[] = {
	CUPTI_ACTIVITY_KIND_DEVICE,   CUPTI_ACTIVITY_KIND_CONTEXT,
	CUPTI_ACTIVITY_KIND_STREAM,   CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
	CUPTI_ACTIVITY_KIND_MEMCPY,   CUPTI_ACTIVITY_KIND_MEMCPY2,
	CUPTI_ACTIVITY_KIND_MEMSET,   CUPTI_ACTIVITY_KIND_MEMORY2,
	CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_MEMORY_POOL,
};

/* Each adds over 100 ns to such a call. Enabled only if the calls themselves are not recorded
 * (STREAMTRACE_EVENTS=0). */
static const CUpti_ActivityKind event_kinds[] = {
	CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
	CUPTI_ACTIVITY_KIND_CUDA_EVENT,
};

/* Enabled only if graphs are recorded as a whole (STREAMTRACE_GRAPHS=whole): then CUPTI records no nodes. */
static const CUpti_ActivityKind graph_kinds[] = {CUPTI_ACTIVITY_KIND_GRAPH_TRACE};

/* The kinds above that are off between windows. What operations run in or on is always recorded. */
static const CUpti_ActivityKind paused_kinds[] = {
	CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
	CUPTI_ACTIVITY_KIND_MEMCPY2,	       CUPTI_ACTIVITY_KIND_MEMSET,
	CUPTI_ACTIVITY_KIND_OVERHEAD,
};

static void CUPTIAPI on_buffer_request(uint8_t **buffer, size_t *size, size_t *max_records)
{
	int saved_errno = errno;

	*buffer = activity_buffers_request(size);
	*max_records = 0;
	errno = saved_errno;
}

/* The record after this one (NULL: the first), or NULL: no more. */
static CUpti_Activity *next_record(const struct activity_buffer *buffer, CUpti_Activity *record)
{
	CUptiResult result =
		cupti.cuptiActivityGetNextRecord(buffer->records, buffer->valid_bytes, &record);

	if (result == CUPTI_SUCCESS)
		return record;
	/* How many records follow an unreadable one is unknown. */
	if (result != CUPTI_ERROR_MAX_LIMIT_REACHED)
		cupti_status_note_error("cuptiActivityGetNextRecord", result);
	return NULL;
}

static void count_records(const struct activity_buffer *buffer, enum loss loss)
{
	CUpti_Activity *record = NULL;
	uint64_t count = 0;

	while ((record = next_record(buffer, record)))
		count++;
	if (count)
		losses_count(loss, count);
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
		cupti_status_note_error("cuptiActivityGetNumDroppedRecords", result);
	else if (dropped)
		losses_count(LOSS_CUPTI_DROPPED, dropped);
	errno = saved_errno;
}

static bool enable_kinds(const CUpti_ActivityKind *kinds, size_t count)
{
	bool ok = true;

	for (size_t i = 0; i < count; i++)
		ok &= cupti_status_check("cuptiActivityEnable",
					 cupti.cuptiActivityEnable(kinds[i]));
	return ok;
}

static void disable_kinds(const CUpti_ActivityKind *kinds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		cupti.cuptiActivityDisable(kinds[i]);
}

/* False: one could not be enabled. */
static bool switch_kinds(bool is_on, const CUpti_ActivityKind *kinds, size_t count)
{
	if (is_on)
		return enable_kinds(kinds, count);
	disable_kinds(kinds, count);
	return true;
}

static bool switch_chosen_kinds(bool is_on)
{
	bool ok = true;

	if (!options.events)
		ok &= switch_kinds(is_on, event_kinds,
				   sizeof(event_kinds) / sizeof(event_kinds[0]));
	if (options_graphs_are_whole())
		ok &= switch_kinds(is_on, graph_kinds,
				   sizeof(graph_kinds) / sizeof(graph_kinds[0]));
	return ok;
}

static bool enable_activity(void)
{
	bool ok = true;

	cupti.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
	if (!cupti_status_check(
		    "cuptiActivityRegisterCallbacks",
		    cupti.cuptiActivityRegisterCallbacks(on_buffer_request, on_buffer_complete)))
		return false;
	ok &= enable_kinds(activity_kinds, sizeof(activity_kinds) / sizeof(activity_kinds[0]));
	ok &= switch_chosen_kinds(true);
	cupti_listener_enable(source.subscriber);
	return ok;
}

static void disable_activity(void)
{
	disable_kinds(activity_kinds, sizeof(activity_kinds) / sizeof(activity_kinds[0]));
	switch_chosen_kinds(false);
	managed_memory_disable();
}

/* Called by whichever comes second: the start, or the writer without a file. */
static void stop_if_unwanted(void)
{
	if (!atomic_load(&source.is_unwanted) || !atomic_exchange(&source.is_on, false))
		return;
	disable_activity();
	cupti.cuptiUnsubscribe(source.subscriber);
}

void cupti_source_stop(void)
{
	atomic_store(&source.is_unwanted, true);
	stop_if_unwanted();
}

/* CUDA begins: from now on a forked child has a broken one, and leaves CUPTI alone. */
void cupti_source_leave_out(void)
{
	atomic_store(&source.is_started, true);
	walk_leave_out("libcupti");
	walk_leave_out("libcuda.so");
	walk_leave_out("libcudart");
}

static bool load_library(char *reason, size_t size)
{
	static bool is_loaded;

	if (!is_loaded)
		is_loaded = cupti_library_load(reason, size);
	return is_loaded;
}

static void start_cupti(void)
{
	char reason[CUPTI_STATUS_BYTES];
	uint32_t version;

	if (source.is_forked)
		return;
	atomic_store(&source.is_started, true);
	if (!load_library(reason, sizeof(reason))) {
		cupti_status_set(reason);
		options_warn(OPTIONS_NO_CUPTI, "%s: GPU operations are not recorded", reason);
		losses_count(LOSS_CUPTI_ERROR, 1);
		return;
	}
	if (!cupti.cuptiGetVersion(&version))
		atomic_store(&cupti_version, version);
	if (!cupti_status_check("cuptiSubscribe", cupti_listener_subscribe(&source.subscriber)))
		return;
	cupti_source_leave_out();
	if (enable_activity())
		cupti_status_set("on");
	/* The program's exit may have closed it meanwhile. */
	atomic_store(&source.is_on, !atomic_load(&source.is_closed));
	stop_if_unwanted();
}

void cupti_source_start(void)
{
	pthread_once(&start_once, start_cupti);
}

void cupti_source_close(void)
{
	atomic_store(&source.is_closed, true);
	atomic_store(&source.is_on, false);
}

bool cupti_source_attach(void)
{
	/* The heap's lock, too. */
	fork_guard_enter_loader();
	start_cupti();
	/* Modules were unloaded unseen meanwhile, and others may be at their addresses. */
	if (atomic_load(&source.is_on))
		launch_arguments_forget_kernels();
	fork_guard_leave_loader();
	return atomic_load(&source.is_on);
}

void cupti_source_detach(struct store *store, const struct cupti_flush *flush)
{
	if (!atomic_load(&source.is_on))
		return;
	disable_activity();
	cupti_source_flush(store, flush);
	/* The program's exit may have closed it meanwhile. */
	if (atomic_exchange(&source.is_on, false))
		cupti.cuptiUnsubscribe(source.subscriber);
}

bool cupti_source_is_on(void)
{
	return atomic_load(&source.is_on);
}

void cupti_source_pause(bool is_paused)
{
	if (!atomic_load(&source.is_on))
		return;
	switch_kinds(!is_paused, paused_kinds, sizeof(paused_kinds) / sizeof(paused_kinds[0]));
	switch_chosen_kinds(!is_paused);
	cupti_listener_pause(source.subscriber, is_paused);
}

void cupti_source_after_fork(void)
{
	cupti_status_after_fork();
	activity_buffers_after_fork();
	if (!atomic_load(&source.is_started))
		return;
	source.is_forked = true;
	atomic_store(&source.is_on, false);
	cupti_listener_after_fork();
	cupti_status_set("not available: CUDA was initialized before this process was forked");
}

static void take_records(struct store *store, const struct activity_buffer *buffer, bool is_late,
			 struct activity_losses *losses)
{
	CUpti_Activity *record = NULL;
	uint64_t lost = 0;

	while (atomic_load(&source.is_on) && (record = next_record(buffer, record)))
		if (is_late)
			lost++;
		else if (activity_filter_wants(record))
			activity_store(store, record, cupti_version, losses);
	/* Only CUPTI could tell how many more: at least one. */
	if (!atomic_load(&source.is_on))
		lost++;
	if (lost)
		losses_count(LOSS_EXIT_TIMEOUT, lost);
}

void cupti_source_flush(struct store *store, const struct cupti_flush *flush)
{
	struct activity_losses losses = {0};
	struct activity_buffer *buffer, *next;
	CUptiResult result;

	if (!atomic_load(&source.is_on))
		return;
	/* Complete records only, unless it is the last flush; CUPTI itself never returns a buffer
	 * that is not full. */
	result = cupti.cuptiActivityFlushAll(flush->is_last ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
	/* Not initialized: there is nothing before cuInit(). */
	if (result && result != CUPTI_ERROR_NOT_INITIALIZED)
		cupti_status_note_error("cuptiActivityFlushAll", result);
	cupti_listener_store_streams(store);
	code_images_store(store);
	buffer = activity_buffers_take();
	if (buffer)
		flush->has_records();
	for (; buffer; buffer = next) {
		next = buffer->next;
		take_records(store, buffer, flush->is_late(), &losses);
		activity_buffers_give_back(buffer);
		flush->after_buffer();
	}
	if (losses.untimed)
		losses_count(LOSS_UNTIMED, losses.untimed);
	if (losses.unknown)
		losses_count(LOSS_UNKNOWN_RECORD, losses.unknown);
}

void cupti_source_describe(struct store *store)
{
	char status[CUPTI_STATUS_BYTES];

	cupti_status_get(status);
	store_metadata(store, "cupti", status);
	if (cupti_version)
		store_metadata_int(store, "cupti_version", cupti_version);
	if (atomic_load(&source.is_on)) {
		managed_memory_describe(store);
		launch_arguments_describe(store);
	}
}
