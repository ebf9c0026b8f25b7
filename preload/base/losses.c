#include "base/losses.h"

#include <stdatomic.h>

static const char *const names[LOSS_COUNT] = {
#define LOSS_KIND(symbol, word, is_event, text) [LOSS_##symbol] = (word),
#include "facts/loss_kinds.def"
#undef LOSS_KIND
};

static _Atomic uint64_t counts[LOSS_COUNT];

void losses_count(enum loss loss, uint64_t count)
{
	atomic_fetch_add_explicit(&counts[loss], count, memory_order_relaxed);
}

uint64_t losses_take(enum loss loss)
{
	return atomic_exchange(&counts[loss], 0);
}

bool losses_are_counted(void)
{
	for (int loss = 0; loss < LOSS_COUNT; loss++)
		if (atomic_load_explicit(&counts[loss], memory_order_relaxed))
			return true;
	return false;
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
