#include "base/fork_guard.h"

#include "base/short_sleep.h"

#include <stdatomic.h>
#include <stdbool.h>

enum { TRIES = 1000, LOADER_TRIES = 20 * TRIES, TRY_NS = 100000 };

/* LeakSanitizer's function, which AddressSanitizer has, too: in programs that have it. */
__attribute__((weak)) void __lsan_disable(void);

static _Atomic int inside;  /* threads */
static _Atomic int forking; /* threads */
static _Atomic int loading; /* threads inside, with the loader's lock */
static __thread int depth __attribute__((tls_model("initial-exec")));

/* Polls, because a sandbox may forbid it to wait. */
void fork_guard_enter(void)
{
	if (depth++)
		return;
	atomic_fetch_add(&inside, 1);
	for (int i = 0; atomic_load(&forking) > 0 && i < TRIES; i++) {
		atomic_fetch_sub(&inside, 1);
		short_sleep(TRY_NS);
		atomic_fetch_add(&inside, 1);
	}
}

void fork_guard_leave(void)
{
	if (!--depth)
		atomic_fetch_sub(&inside, 1);
}

void fork_guard_enter_loader(void)
{
	fork_guard_enter();
	atomic_fetch_add(&loading, 1);
}

void fork_guard_leave_loader(void)
{
	atomic_fetch_sub(&loading, 1);
	fork_guard_leave();
}

void fork_guard_enter_heap(void)
{
	if (__lsan_disable)
		fork_guard_enter();
}

void fork_guard_leave_heap(void)
{
	if (__lsan_disable)
		fork_guard_leave();
}

void fork_guard_enter_heap_of_thread(void)
{
	fork_guard_enter_heap();
	if (__lsan_disable)
		atomic_fetch_add(&inside, 1);
	fork_guard_leave_heap();
}

void fork_guard_begin_thread(void)
{
	if (__lsan_disable)
		depth = 1;
}

void fork_guard_no_thread(void)
{
	if (__lsan_disable)
		atomic_fetch_sub(&inside, 1);
}

void fork_guard_before(void)
{
	const int own = depth > 0;

	atomic_fetch_add(&forking, 1);
	for (int i = 0;
	     atomic_load(&inside) > own && i < (atomic_load(&loading) ? LOADER_TRIES : TRIES); i++)
		short_sleep(TRY_NS);
}

void fork_guard_after_in_parent(void)
{
	atomic_fetch_sub(&forking, 1);
}

void fork_guard_after_in_child(void)
{
	atomic_store(&forking, 0);
	atomic_store(&loading, 0);
	atomic_store(&inside, depth > 0);
}
