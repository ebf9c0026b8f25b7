#include "host/found_stack.h"

#include "base/atoms.h"

#define SITE_FRAMES 48 /* of Python, in a stack */

static struct atom *python_stack_of(const struct watched *thread)
{
	uint64_t words[SITE_FRAMES];
	const int count =
		thread->python.state ? python_threads_take(&thread->python, words, SITE_FRAMES) : 0;

	return count ? atom_intern_looked(words, count, 0) : NULL;
}

/* The native stack of a thread that runs: that of a sample since the row began, else unknown, until
 * one comes. */
static struct atom *running_stack_of(struct watched *thread, const struct task_look *look,
				     int64_t now_ns)
{
	const struct watched_row *row = &thread->row;

	native_stack_ask(&thread->native, thread->id, now_ns);
	if (!row->looks || row->look.state != look->state)
		return NULL;
	return thread->native.runs_ns >= row->start_ns ? thread->native.runs : row->site;
}

struct atom *found_stack(struct watched *thread, const struct task_look *look, int64_t now_ns)
{
	struct atom *site = python_stack_of(thread);

	if (site)
		return site;
	return look->sp ? native_stack_of_wait(look) : running_stack_of(thread, look, now_ns);
}

void found_stack_take_sample(struct watched *thread)
{
	struct watched_row *row = &thread->row;

	if (native_stack_take(&thread->native) && row->looks &&
	    row->look.state == HOST_STATE_RUNNING && !row->site &&
	    thread->native.runs_ns >= row->start_ns)
		row->site = thread->native.runs;
}
