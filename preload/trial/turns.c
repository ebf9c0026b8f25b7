#include "trial/turns.h"

#include "base/hot.h"
#include "trial/dropped_wait.h"
#include "trial/held_free.h"
#include "trial/planned.h"

#include <pthread.h>

static struct {
	/* Held over the wait for the device, at most 2 s, too: a capture must not begin meanwhile. */
	pthread_mutex_t lock;
	_Atomic bool are_over, have_thread;
	/* Of the thread that is counted: */
	uint32_t calls; /* of the turn site, since the turn began */
	int64_t since_ns, set_up_ns;
} turns = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread bool is_counted_thread __attribute__((tls_model("initial-exec")));

static void end_in_child(void)
{
	pthread_mutex_init(&turns.lock, NULL);
	if (!atomic_load(&turns.have_thread))
		return;
	atomic_store(&turns.are_over, true);
	atomic_store(&trial_is_applying, false);
}

__attribute__((constructor)) static void watch_forks(void)
{
	trial_after_fork(end_in_child);
}

static void switch_off(enum cudart cudart)
{
	atomic_store(&trial_is_applying, false);
	dropped_wait_make_up();
	held_free_release(cudart);
}

/* The lock is held. */
static void end_all(enum cudart cudart)
{
	if (!atomic_exchange(&turns.are_over, true))
		switch_off(cudart);
}

void turns_stop(enum cudart cudart)
{
	if (!trial_page->turn_calls || atomic_load(&turns.are_over))
		return;
	pthread_mutex_lock(&turns.lock);
	end_all(cudart);
	pthread_mutex_unlock(&turns.lock);
}

static void begin_measuring(enum cudart cudart)
{
	if (!trial_wait_for_device()) {
		end_all(cudart);
		return;
	}
	turns.set_up_ns = atomic_load(&trial_page->set_up_ns);
	turns.since_ns = trial_now_ns();
}

static void end_turn(enum cudart cudart)
{
	const bool is_idle = trial_wait_for_device();
	const uint32_t count = atomic_load(&trial_page->turn_count), next = count + 1;

	if (!is_idle || next == TRIAL_MOST_TURNS) {
		end_all(cudart);
		return;
	}
	trial_page->turns[count] = (struct trial_turn){
		.ns = trial_now_ns() - turns.since_ns,
		.set_up_ns = atomic_load(&trial_page->set_up_ns) - turns.set_up_ns,
	};
	atomic_store(&trial_page->turn_count, next);
	if (trial_is_fixed_at(next / TRIAL_BLOCK, next % TRIAL_BLOCK))
		atomic_store(&trial_is_applying, true);
	else
		switch_off(cudart);
	turns.calls = 0;
}

/* The first thread that makes a call of the site. */
static bool counts_calls(void)
{
	bool none = false;

	if (!is_counted_thread && trial_is_first_process())
		is_counted_thread = atomic_compare_exchange_strong(&turns.have_thread, &none, true);
	return is_counted_thread;
}

static COLD void pass_end(enum cudart cudart, bool is_turns_end)
{
	pthread_mutex_lock(&turns.lock);
	if (!atomic_load(&turns.are_over)) {
		if (is_turns_end)
			end_turn(cudart);
		else
			begin_measuring(cudart);
	}
	pthread_mutex_unlock(&turns.lock);
}

void turns_see(const struct trial_call *call)
{
	const uint32_t warm = trial_page->warm_calls, all = warm + trial_page->turn_calls;

	if (!trial_page->turn_calls ||
	    atomic_load_explicit(&turns.are_over, memory_order_relaxed) ||
	    !planned_is(call, &trial_page->sites[trial_page->turn_site]) || !counts_calls())
		return;
	if (turns.calls == warm || turns.calls == all)
		pass_end(call->cudart, turns.calls == all);
	turns.calls++;
}
