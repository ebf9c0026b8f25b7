#include "first_use/first_use.h"

#include "base/interpose.h"
#include "base/options.h"
#include "first_use/after_calls.h"
#include "first_use/memory_kind.h"
#include "first_use/pages.h"
#include "first_use/roles.h"
#include "first_use/table.h"
#include "first_use/watch_state.h"
#include "first_use/watch_rows.h"
#include "first_use/watched_sites.h"
#include "recorder/recorder.h"
#include "store/store.h"

#include <errno.h>

static bool is_any_wanted(void)
{
	return uses.wants_first_uses || uses.wants_races;
}

void first_use_initialize(void)
{
	uses.wants_races = options.races;
	uses.wants_first_uses = options_ask_for_first_uses();
	if (uses.wants_first_uses && !first_use_sites_read(options.first_use)) {
		options_note_wrong("FIRST_USE", options.first_use);
		uses.wants_first_uses = false;
	}
	if (!is_any_wanted())
		return;
	for (int i = FUNCTION_DRIVER_FIRST; i < FUNCTION_COUNT; i++) {
		const enum role role = role_of(&function_infos[i]);

		if (uses.wants_races || !role_is_of_races(role))
			uses.roles[i] = (uint8_t)role;
	}
	if (!atomic_load(&uses.touch))
		atomic_store(&uses.obstacle, "libstrace_touch.so is not loaded: use "
					     "streamtrace run --first-use or --races");
	first_use_open();
	atomic_store(&first_use_on, true);
}

EXPORT const struct first_use_watches *
streamtrace_first_use_join(const struct first_use_touch *touch)
{
	static const struct first_use_watches watches = {
		.count = &first_use_count,
		.end = first_use_end_in_force,
		.fault = first_use_fault,
		.keep = pinned_keep,
		.stop = first_use_give_up,
	};

	atomic_store(&uses.touch, touch);
	atomic_store(&uses.obstacle, NULL);
	return &watches;
}

static void end_range(uint64_t address, uint64_t size_bytes, enum first_use_kind kind,
		      bool is_expected)
{
	if (size_bytes)
		first_use_end(&(struct first_use){.low = address,
						  .high = address + size_bytes,
						  .kind = kind},
			      is_expected);
}

static void end_all(enum first_use_kind kind, bool is_expected)
{
	first_use_end(&(struct first_use){.high = UINTPTR_MAX, .kind = kind}, is_expected);
}

/* Ends all watches of memory that CUDA frees, also those not yet in force. */
static void forget_pinned(uintptr_t address)
{
	struct pinned pinned = pinned_find(address);

	if (pinned.size_bytes)
		end_range(pinned.address, PAGE_UP(pinned.size_bytes), FIRST_USE_FREED, true);
	else
		end_all(FIRST_USE_FREED, true);
	pinned_forget(address);
}

void first_use_enter(enum function function, const struct record *arguments)
{
	uint64_t signals;
	int saved_errno = errno;

	switch (uses.roles[function]) {
	case ROLE_COPY:
		if (arguments->has & RECORD_HAS_SRC && arguments->src)
			first_use_suspend(arguments->src, arguments->src + arguments->size_bytes);
		if (arguments->has & RECORD_HAS_DST && arguments->dst)
			end_range(arguments->dst, arguments->size_bytes, FIRST_USE_OVERWRITTEN,
				  true);
		break;
	case ROLE_WRITE:
		end_range(arguments->dst, arguments->size_bytes, FIRST_USE_OVERWRITTEN, true);
		break;
	case ROLE_PIN:
	case ROLE_USE:
		if (arguments->has & RECORD_HAS_DST)
			end_range(arguments->dst, arguments->size_bytes, FIRST_USE_GIVEN_UP, false);
		break;
	case ROLE_LAUNCH:
		first_use_end_reachable();
		break;
	case ROLE_OTHER_COPY:
		end_all(FIRST_USE_GIVEN_UP, true);
		break;
	case ROLE_UNPIN:
		first_use_lock(&signals);
		forget_pinned(arguments->dst);
		first_use_unlock(&signals);
		break;
	default:
		break;
	}
	errno = saved_errno;
}

void first_use_leave(void)
{
	end_all(FIRST_USE_FREED, true);
}

void first_use_exit(enum function function, const CUpti_CallbackData *data,
		    const struct record *arguments, const struct caller *caller)
{
	uint64_t signals;
	int saved_errno = errno;

	if (uses.roles[function] == ROLE_NONE || !atomic_load(&uses.touch))
		return;
	/* Also after a copy that failed. */
	if (uses.roles[function] == ROLE_COPY && arguments->has & RECORD_HAS_SRC) {
		first_use_lock(&signals);
		first_use_resume(arguments->src, arguments->src + arguments->size_bytes);
		first_use_unlock(&signals);
	}
	if (arguments->result) {
		errno = saved_errno;
		return;
	}
	if (uses.roles[function] == ROLE_COPY) {
		memory_queries_begin();
		first_use_after_copy(data, arguments, caller);
		memory_queries_end();
	} else if (uses.roles[function] == ROLE_LAUNCH) {
		memory_queries_begin();
		first_use_after_launch(data, arguments);
		memory_queries_end();
	} else {
		first_use_lock(&signals);
		first_use_after_call(function, data, arguments);
		first_use_unlock(&signals);
	}
	errno = saved_errno;
}

void first_use_stop(void)
{
	int saved_errno = errno;

	if (!is_any_wanted())
		return;
	atomic_store(&first_use_on, false);
	first_use_close(FIRST_USE_NEVER);
	errno = saved_errno;
}

void first_use_after_fork(void)
{
	const struct first_use_touch *touch = atomic_load(&uses.touch);

	if (!is_any_wanted())
		return;
	first_use_state_after_fork();
	first_use_forget();
	pinned_forget_all();
	if (touch)
		touch->unguard();
	if (atomic_load(&first_use_on))
		first_use_open();
}

void first_use_store(struct store *store)
{
	if (is_any_wanted())
		first_use_store_ended(store);
}

void first_use_describe(struct store *store)
{
	const char *obstacle = atomic_load(&uses.obstacle);

	if (uses.wants_first_uses)
		store_metadata(store, "first_use", obstacle ? obstacle : "on");
	if (uses.wants_races)
		store_metadata(store, "races", obstacle ? obstacle : "on");
}
