#include "base/fork_guard.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

enum { TRIES = 1000, TRY_NS = 100000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool is_held __attribute__((tls_model("initial-exec")));

void fork_guard_enter(void)
{
	pthread_mutex_lock(&lock);
}

void fork_guard_leave(void)
{
	pthread_mutex_unlock(&lock);
}

void fork_guard_before(void)
{
	static const struct timespec pause = {.tv_nsec = TRY_NS};
	int saved_errno = errno;

	is_held = !pthread_mutex_trylock(&lock);
	for (int i = 0; !is_held && i < TRIES; i++) {
		nanosleep(&pause, NULL);
		is_held = !pthread_mutex_trylock(&lock);
	}
	errno = saved_errno;
}

void fork_guard_after_in_parent(void)
{
	if (is_held)
		pthread_mutex_unlock(&lock);
	is_held = false;
}

void fork_guard_after_in_child(void)
{
	if (is_held)
		pthread_mutex_unlock(&lock);
	else
		pthread_mutex_init(&lock, NULL);
	is_held = false;
}
