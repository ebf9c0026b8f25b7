#include "base/losses.h"

#include "cupti/status.h"

#include <stdatomic.h>

static const char *const names[LOSS_COUNT] = {
#define LOSS_KIND(symbol, word, text) [LOSS_##symbol] = (word),
#include "facts/loss_kinds.def"
#undef LOSS_KIND
};

static _Atomic uint64_t counts[LOSS_COUNT];

void losses_count(enum loss loss, uint64_t count)
{
	atomic_fetch_add_explicit(&counts[loss], count, memory_order_relaxed);
}

void losses_store(struct store *store)
{
	char error[CUPTI_STATUS_BYTES];

	for (int loss = 0; loss < LOSS_COUNT; loss++) {
		uint64_t count = atomic_exchange(&counts[loss], 0);

		if (!count)
			continue;
		if (loss == LOSS_CUPTI_ERROR)
			cupti_status_error(error);
		store_loss(store, names[loss], count, STORE_NULL,
			   loss == LOSS_CUPTI_ERROR ? error : NULL);
	}
}

void losses_store_of_thread(struct store *store, enum loss loss, uint64_t count, uint32_t thread_id)
{
	if (count)
		store_loss(store, names[loss], count, thread_id, NULL);
}

const char *losses_name(enum loss loss)
{
	return names[loss];
}

void losses_after_fork(void)
{
	for (int loss = 0; loss < LOSS_COUNT; loss++)
		atomic_store(&counts[loss], 0);
}
