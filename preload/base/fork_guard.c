#include "base/fork_guard.h"

#include "base/short_sleep.h"

#include <pthread.h>
#include <stdbool.h>

enum { TRIES = 1000, TRY_NS = 100000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool has_lock __attribute__((tls_model("initial-exec")));

/* Not pthread_mutex_lock(): glibc aborts the process where a sandbox forbids it to wait. */
void fork_guard_enter(void)
{
	while (pthread_mutex_trylock(&lock))
		short_sleep(TRY_NS);
}

void fork_guard_leave(void)
{
	pthread_mutex_unlock(&lock);
}

void fork_guard_before(void)
{
	has_lock = !pthread_mutex_trylock(&lock);
	for (int i = 0; !has_lock && i < TRIES; i++) {
		short_sleep(TRY_NS);
		has_lock = !pthread_mutex_trylock(&lock);
	}
}

void fork_guard_after_in_parent(void)
{
	if (has_lock)
		pthread_mutex_unlock(&lock);
	has_lock = false;
}

void fork_guard_after_in_child(void)
{
	if (has_lock)
		pthread_mutex_unlock(&lock);
	else
		pthread_mutex_init(&lock, NULL);
	has_lock = false;
}
