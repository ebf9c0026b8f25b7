#include "host/asked.h"

#include "base/atoms.h"
#include "host/native_stack.h"

#include <stdatomic.h>

#define PYTHON_FRAMES_MOST 48

enum { ASKED_NOTHING, ASKED_OPEN, ASKED_ANSWERED };

/* The writer's, but while the state is ASKED_OPEN. */
static struct {
	_Atomic int state;
	uint32_t thread_id;
	struct caller caller;
	struct atom *site;
} asked;

void asked_begin(uint32_t thread_id, struct caller caller)
{
	if (atomic_load(&asked.state) == ASKED_OPEN)
		return;
	asked.thread_id = thread_id;
	asked.caller = caller;
	asked.site = NULL;
	atomic_store(&asked.state, ASKED_OPEN);
}

bool asked_take(struct atom **site)
{
	if (atomic_load(&asked.state) != ASKED_ANSWERED)
		return false;
	*site = asked.site;
	atomic_store(&asked.state, ASKED_NOTHING);
	return true;
}

bool asked_is_open(void)
{
	return atomic_load(&asked.state) == ASKED_OPEN;
}

static struct watched *find_thread(struct watched_list *list, uint32_t thread_id)
{
	for (int i = 0; i < list->count; i++)
		if (list->threads[i].id == thread_id)
			return &list->threads[i];
	return NULL;
}

static struct atom *find_stack(const struct watched *thread)
{
	uint64_t words[NATIVE_FRAMES_MOST + PYTHON_FRAMES_MOST];
	struct task_files files = {{0}};
	struct task_look look;
	int native, count;

	if (!task_look(asked.thread_id, &files, &look))
		look.sp = 0;
	task_files_close(&files);
	native = count = native_stack_of_call(&look, &asked.caller, words);
	if (thread && thread->python.state)
		count += python_threads_take(&thread->python, words + native, PYTHON_FRAMES_MOST);
	if (!count)
		return NULL;
	return atom_intern(&(struct atom_text){.words = words,
					       .count = (uint16_t)count,
					       .kind = ATOM_STACK,
					       .frame_count = (uint8_t)native},
			   ATOM_ADD);
}

void asked_answer(struct watched_list *list)
{
	if (asked.thread_id)
		asked.site = find_stack(find_thread(list, asked.thread_id));
	atomic_store(&asked.state, ASKED_ANSWERED);
}

void asked_after_fork(void)
{
	atomic_store(&asked.state, ASKED_NOTHING);
}
