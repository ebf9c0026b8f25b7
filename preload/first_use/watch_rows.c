#include "first_use/watch_rows.h"

#include "base/atoms.h"
#include "first_use/table_private.h"
#include "stack/modules.h"
#include "stack/sites.h"
#include "store/store.h"

#include <string.h>

/* The watched bytes of the copy's own. */
static int64_t watched_bytes(const struct watch *watch)
{
	const struct first_use_copy *copy = &watch->copy;
	const uint64_t first = copy->address > watch->low ? copy->address : watch->low;
	const uint64_t end = copy->address + copy->size_bytes;

	return (int64_t)((end < watch->high ? end : watch->high) - first);
}

/* Its functions that fill and copy memory have no frame: who called them is on top of the stack. */
static bool is_of_libc(uint64_t word)
{
	const struct module *module = modules_get(MODULE_NUMBER(word));
	const char *slash = module ? strrchr(module->name, '/') : NULL;
	const char *name = slash ? slash + 1 : "";

	return !strncmp(name, "libc.so", 7) || !strncmp(name, "libc-", 5);
}

/* The instruction that touched it, what called it if that is libc, and Python's frames; or NULL. */
static struct atom *touching_site(const struct watch *watch)
{
	uint64_t words[2 + TOUCH_PYTHON_FRAMES] = {watch->instruction, watch->stack_top};
	uint16_t count = 1;

	if (!words[0])
		return NULL;
	words[0] = sites_word(words[0], 1);
	if (words[1] && is_of_libc(words[0])) {
		words[1] = sites_word(words[1], 1);
		count += MODULE_NUMBER(words[1]) != 0;
	}
	memcpy(words + count, watch->python, watch->python_count * sizeof(*words));
	return atom_intern_looked(words, count + watch->python_count, count);
}

static int64_t touch_address(const struct watch *watch)
{
	return watch->kind < FIRST_USE_OVERWRITTEN && watch->kind != FIRST_USE_NEVER
		       ? (int64_t)watch->touch_address
		       : STORE_NULL;
}

static void store_watch(struct store *store, const struct watch *watch)
{
	struct first_uses_row row = first_uses_null();

	row.correlation_id = watch->copy.correlation;
	row.address = (int64_t)watch->copy.address;
	row.watched_bytes = watched_bytes(watch);
	row.wait_ns = watch->wait_thread_id ? watch->wait_ns : STORE_NULL;
	row.wait_thread_id = watch->wait_thread_id ? watch->wait_thread_id : STORE_NULL;
	row.kind = watch->kind;
	row.touch_ns = watch->kind != FIRST_USE_NEVER ? watch->touch_ns : STORE_NULL;
	row.touch_thread_id = watch->kind != FIRST_USE_NEVER ? watch->touch_thread_id : STORE_NULL;
	row.touch_address = touch_address(watch);
	store_first_use(store, &row, touching_site(watch));
}

static void store_early_watch(struct store *store, const struct watch *watch)
{
	struct copy_watches_row row = copy_watches_null();

	row.correlation_id = watch->copy.correlation;
	row.is_source = watch->copy.purpose == EARLY_SOURCE;
	row.address = (int64_t)watch->copy.address;
	row.watched_bytes = watched_bytes(watch);
	row.start_ns = watch->wait_ns;
	row.kind = watch->kind;
	row.end_ns = watch->touch_ns;
	row.thread_id = watch->touch_thread_id;
	row.touch_address = touch_address(watch);
	store_copy_watch(store, &row, touching_site(watch));
}

/* What it took to begin and to end the watch. */
static void store_cost(struct store *store, const struct watch *watch)
{
	const enum overhead_kind kind =
		watch->copy.purpose == FIRST_USE_OF_RESULT ? OVERHEAD_FIRST_USE : OVERHEAD_RACES;

	if (!watch->wait_thread_id)
		return;
	store_overhead(store, kind, watch->wait_ns, watch->armed_ns, watch->wait_thread_id);
	store_overhead(store, kind, watch->touch_ns, watch->opened_ns, watch->touch_thread_id);
}

void first_use_store_ended(struct store *store)
{
	for (size_t i = 0; i < atomic_load(&watch_table.used); i++) {
		struct watch *watch = &watch_table.watches[i];
		uint64_t state = atomic_load_explicit(&watch->state, memory_order_acquire);

		if (PHASE_OF(state) != PHASE_ENDED)
			continue;
		if (watch->copy.purpose == FIRST_USE_OF_RESULT)
			store_watch(store, watch);
		else
			store_early_watch(store, watch);
		store_cost(store, watch);
		watch_set_state(watch, WITH_PHASE(NEXT_USE(state), PHASE_FREE));
	}
}
