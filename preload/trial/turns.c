#include "trial/turns.h"

#include "base/hot.h"
#include "trial/dropped_wait.h"
#include "trial/held_free.h"
#include "trial/planned.h"

static _Atomic bool are_over, have_thread;
static __thread bool is_counted_thread __attribute__((tls_model("initial-exec")));

/* Of the thread that is counted. */
static struct {
	uint32_t calls; /* of the turn site, since the turn began */
	int64_t since_ns, set_up_ns;
} turn;

static void end_in_child(void)
{
	atomic_store(&are_over, true);
	if (trial_page && trial_page->turn_calls)
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

void turns_stop(enum cudart cudart)
{
	if (trial_page->turn_calls && !atomic_exchange(&are_over, true))
		switch_off(cudart);
}

static void begin_measuring(enum cudart cudart)
{
	if (!trial_wait_for_device()) {
		turns_stop(cudart);
		return;
	}
	turn.set_up_ns = atomic_load(&trial_page->set_up_ns);
	turn.since_ns = trial_now_ns();
}

static COLD void end_turn(enum cudart cudart)
{
	const bool is_idle = trial_wait_for_device();
	const uint32_t count = atomic_load(&trial_page->turn_count), next = count + 1;

	if (!is_idle || next == TRIAL_MOST_TURNS) {
		turns_stop(cudart);
		return;
	}
	trial_page->turns[count] = (struct trial_turn){
		.ns = trial_now_ns() - turn.since_ns,
		.set_up_ns = atomic_load(&trial_page->set_up_ns) - turn.set_up_ns,
	};
	atomic_store(&trial_page->turn_count, next);
	if (trial_is_fixed_at(next / TRIAL_BLOCK, next % TRIAL_BLOCK))
		atomic_store(&trial_is_applying, true);
	else
		switch_off(cudart);
	turn.calls = 0;
}

/* The first thread that makes a call of the site. */
static bool counts_calls(void)
{
	bool none = false;

	if (trial_is_first_process() && !is_counted_thread)
		is_counted_thread = atomic_compare_exchange_strong(&have_thread, &none, true);
	return is_counted_thread;
}

void turns_see(const struct trial_call *call)
{
	if (!trial_page->turn_calls || atomic_load_explicit(&are_over, memory_order_relaxed) ||
	    !planned_is(call, &trial_page->sites[trial_page->turn_site]) || !counts_calls())
		return;
	if (turn.calls == trial_page->warm_calls)
		begin_measuring(call->cudart);
	else if (turn.calls == trial_page->warm_calls + trial_page->turn_calls)
		end_turn(call->cudart);
	turn.calls++;
}
