#include "first_use/after_calls.h"

#include "base/atoms.h"
#include "base/clock.h"
#include "base/hash.h"
#include "first_use/memory_kind.h"
#include "first_use/roles.h"
#include "first_use/table.h"
#include "first_use/watch_state.h"
#include "first_use/watchable.h"
#include "first_use/watched_sites.h"
#include "recorder/recorder.h"

#define LEGACY	   1 /* handles of the default streams */
#define PER_THREAD 2

/* The handle of the stream that the call uses. */
static uint64_t stream_of(const struct record *arguments)
{
	bool is_per_thread = arguments->has & RECORD_IS_PER_THREAD;

	if (!(arguments->has & RECORD_HAS_STREAM) || !arguments->stream)
		return is_per_thread ? PER_THREAD : LEGACY;
	return arguments->stream;
}

static bool guard_faults(void)
{
	if (atomic_load(&uses.touch)->guard())
		return true;
	first_use_give_up("the program replaced the tracer's SIGSEGV handler");
	return false;
}

static void arm_watches(struct first_use_wait *wait, const CUpti_CallbackData *data)
{
	wait->time_ns = clock_now_ns();
	wait->context = data->contextUid;
	wait->thread_id = first_use_thread_id();
	if (wait->is_early_only || guard_faults())
		first_use_arm(wait);
}

/* 0: no name. */
static uint64_t hash_of_name(const char *name)
{
	uint64_t hash = 0;

	for (; name && *name; name++)
		hash = hash_word(hash ^ (unsigned char)*name);
	return hash;
}

/* The copy's memory that is asked about, if it can be watched; otherwise false (counted). */
static bool find_copy(const struct watchable_question *question, const CUpti_CallbackData *data,
		      struct first_use_copy *copy)
{
	const struct record *arguments = question->arguments;
	const uint64_t address =
		question->purpose == EARLY_SOURCE ? arguments->src : arguments->dst;
	struct pinned pinned;
	uint64_t signals;

	first_use_lock(&signals);
	pinned = pinned_find(address);
	first_use_unlock(&signals);
	if (!watchable_find(question, &pinned, copy))
		return false;
	copy->context = data->contextUid;
	copy->correlation = data->correlationId;
	copy->stream = stream_of(arguments);
	copy->thread_id = first_use_thread_id();
	copy->is_blocking = memory_stream_is_blocking(copy->stream);
	copy->is_of_kernel = question->is_of_kernel;
	copy->kernel = question->is_of_kernel ? hash_of_name(data->symbolName) : 0;
	return true;
}

/* A copy into the heap, or without a stream argument, is done when its call returns. The latter has
 * also waited for all work before it in the default stream. */
static void watch_result(const CUpti_CallbackData *data, const struct record *arguments,
			 const struct caller *caller, uint64_t serial)
{
	const struct watchable_question question = {
		.arguments = arguments,
		.purpose = FIRST_USE_OF_RESULT,
		.has_free = atomic_load(&uses.touch)->has_free,
	};
	struct first_use_copy copy;
	uint64_t signals;

	if (!find_copy(&question, data, &copy))
		return;
	first_use_lock(&signals);
	if (first_use_sites_include(caller)) {
		copy.serial = serial;
		first_use_expect(&copy);
		if (!(arguments->has & RECORD_HAS_STREAM))
			arm_watches(&(struct first_use_wait){.stream = copy.stream,
							     .stream_thread_id = copy.thread_id,
							     .serial = serial},
				    data);
		else if (copy.is_pageable)
			arm_watches(&(struct first_use_wait){.correlation = copy.correlation},
				    data);
	}
	first_use_unlock(&signals);
}

/* The device may still use the memory. */
static void watch_early(const CUpti_CallbackData *data, const struct watchable_question *question,
			uint64_t serial)
{
	struct first_use_copy copy;
	uint64_t signals;

	if (!find_copy(question, data, &copy))
		return;
	copy.serial = serial;
	first_use_lock(&signals);
	if (guard_faults())
		first_use_begin(&copy);
	first_use_unlock(&signals);
}

void first_use_after_copy(const CUpti_CallbackData *data, const struct record *arguments,
			  const struct caller *caller)
{
	const bool is_between =
		arguments->copy_kind == COPY_TO_HOST || arguments->copy_kind == COPY_TO_DEVICE;
	uint64_t signals, serial;

	if (atomic_load(&recorder_state) != RECORDER_ON ||
	    (!is_between && arguments->copy_kind != COPY_DEFAULT) ||
	    (!uses.wants_races && arguments->copy_kind == COPY_TO_DEVICE))
		return;
	if (!memory_find_driver()) {
		first_use_give_up("the driver cannot report the type of memory");
		return;
	}
	if (memory_stream_is_captured(stream_of(arguments)))
		return;
	first_use_lock(&signals);
	serial = ++uses.serial;
	if (uses.wants_races && is_between && !(arguments->has & RECORD_HAS_STREAM))
		arm_watches(&(struct first_use_wait){.stream = stream_of(arguments),
						     .stream_thread_id = first_use_thread_id(),
						     .serial = serial,
						     .is_early_only = true},
			    data);
	first_use_unlock(&signals);
	if (uses.wants_races && arguments->has & RECORD_HAS_STREAM) {
		watch_early(data,
			    &(struct watchable_question){.arguments = arguments,
							 .purpose = EARLY_SOURCE},
			    serial);
		watch_early(data,
			    &(struct watchable_question){.arguments = arguments,
							 .purpose = EARLY_DESTINATION},
			    serial);
	}
	if (uses.wants_first_uses)
		watch_result(data, arguments, caller, serial);
}

/* What the kernel can reach from one of its arguments, if that is pinned memory. */
static void watch_argument(const CUpti_CallbackData *data, const struct record *launch,
			   uint64_t address)
{
	struct record source = *launch;
	struct pinned pinned;
	uint64_t signals, serial = 0;

	first_use_lock(&signals);
	pinned = pinned_find(address);
	if (pinned.size_bytes)
		serial = ++uses.serial;
	first_use_unlock(&signals);
	if (!pinned.size_bytes || !memory_find_driver() ||
	    memory_stream_is_captured(stream_of(launch)))
		return;
	source.src = address;
	source.size_bytes = pinned.address + pinned.size_bytes - address;
	source.copy_kind = COPY_TO_DEVICE;
	watch_early(data,
		    &(struct watchable_question){
			    .arguments = &source, .purpose = EARLY_SOURCE, .is_of_kernel = true},
		    serial);
}

/* One lock a launch, where none is. */
static bool has_pinned(const struct atom *words)
{
	uint64_t signals;
	bool has = false;

	first_use_lock(&signals);
	for (size_t i = 1; i < words->count && !has; i += 2)
		has = pinned_find(words->words[i]).size_bytes;
	first_use_unlock(&signals);
	return has;
}

void first_use_after_launch(const CUpti_CallbackData *data, const struct record *launch)
{
	/* Words of two: where it stands among the parameters, and the pointer. */
	const struct atom *words = recorder_thread.arguments;

	if (!uses.wants_races || !words || atomic_load(&recorder_state) != RECORDER_ON ||
	    !has_pinned(words))
		return;
	for (size_t i = 1; i < words->count; i += 2)
		watch_argument(data, launch, words->words[i]);
}

static struct event *event_at(uint64_t handle)
{
	return &uses.events[(hash_word(handle) >> 32) % EVENTS];
}

static void after_event_record(const CUpti_CallbackData *data, const struct record *arguments)
{
	*event_at(arguments->object) = (struct event){.handle = arguments->object,
						      .stream = stream_of(arguments),
						      .serial = ++uses.serial,
						      .context = data->contextUid,
						      .thread_id = first_use_thread_id()};
}

static void after_event_wait(const CUpti_CallbackData *data, const struct record *arguments,
			     bool is_query)
{
	const struct event *event = event_at(arguments->object);

	if (event->handle == arguments->object)
		arm_watches(&(struct first_use_wait){.stream = event->stream,
						     .stream_thread_id = event->thread_id,
						     .serial = event->serial,
						     .is_early_only = is_query},
			    data);
}

static void note_pinned(enum function function, const CUpti_CallbackData *data,
			const struct record *arguments)
{
	struct pinned pinned = {
		.address = arguments->dst,
		.size_bytes = arguments->size_bytes,
		.is_registered = function_infos[function].class == CLASS_REGISTER,
	};

	if (function == FUNCTION_cuMemHostRegister)
		pinned.is_read_only =
			((const cuMemHostRegister_v2_params *)data->functionParams)->Flags &
			(CU_MEMHOSTREGISTER_READ_ONLY | CU_MEMHOSTREGISTER_IOMEMORY);
	pinned_note(pinned);
}

void first_use_after_call(enum function function, const CUpti_CallbackData *data,
			  const struct record *arguments)
{
	const enum role role = uses.roles[function];

	switch (role) {
	case ROLE_STREAM_WAIT:
	case ROLE_STREAM_QUERY:
		arm_watches(&(struct first_use_wait){.stream = stream_of(arguments),
						     .stream_thread_id = first_use_thread_id(),
						     .serial = UINT64_MAX,
						     .is_early_only = role == ROLE_STREAM_QUERY},
			    data);
		break;
	case ROLE_EVENT_WAIT:
	case ROLE_EVENT_QUERY:
		after_event_wait(data, arguments, role == ROLE_EVENT_QUERY);
		break;
	case ROLE_DEVICE_WAIT:
		arm_watches(&(struct first_use_wait){.is_all = true, .serial = UINT64_MAX}, data);
		break;
	case ROLE_EVENT_RECORD:
		after_event_record(data, arguments);
		break;
	case ROLE_PIN:
		note_pinned(function, data, arguments);
		break;
	default:
		break;
	}
}
