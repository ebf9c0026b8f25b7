#include "host/native_stack.h"

#include "base/atoms.h"
#include "base/own_memory.h"
#include "stack/caller.h"
#include "stack/modules.h"

#include <string.h>

#define FRAMES_MOST NATIVE_FRAMES_MOST

/* Between two samples of a thread: each costs it up to 25 us in a virtual machine. */
#define SAMPLE_NS 4000000

/* Of a waiting thread's stack, in pages: a wait lies at its end, whatever called it. */
#define STACK_PAGES 2
#define CALL_PAGES  16 /* of one in a call: from CUDA's frames to main() */
#define PAGE_BYTES  4096

static struct atom *intern_stack(const struct unwind_start *start)
{
	uint64_t words[FRAMES_MOST];
	const int count = unwind_words(start, words, FRAMES_MOST);

	if (!count)
		return NULL;
	return atom_intern_looked(words, count, count);
}

bool native_stack_take(struct native_stack *native)
{
	struct thread_sample sample;

	if (!thread_samples_take(&native->samples, &sample))
		return false;
	native->runs = intern_stack(&sample.start);
	native->runs_ns = sample.time_ns;
	return native->runs != NULL;
}

void native_stack_ask(struct native_stack *native, uint32_t thread_id, int64_t now_ns)
{
	if (now_ns - native->asked_ns < SAMPLE_NS)
		return;
	native->asked_ns = now_ns;
	thread_samples_ask(&native->samples, thread_id);
}

/* Where the thread was, with a copy of its stack of at most `pages`: by page, as what can be read ends where the
 * stack does. start->bytes is 0 where nothing can be read. */
static void copy_stack(struct unwind_start *start, uint64_t sp, uint64_t pc, int pages)
{
	static char memory[CALL_PAGES * PAGE_BYTES];
	size_t next = PAGE_BYTES - sp % PAGE_BYTES;

	*start = (struct unwind_start){.known = 1u << UNWIND_RSP | 1u << UNWIND_RIP,
				       .memory = memory};
	start->registers[UNWIND_RSP] = sp;
	start->registers[UNWIND_RIP] = pc;
	while (pages-- > 0 && own_memory_read(memory + start->bytes, sp + start->bytes, next)) {
		start->bytes += next;
		next = PAGE_BYTES;
	}
}

struct atom *native_stack_of_wait(const struct task_look *look)
{
	struct unwind_start start;

	copy_stack(&start, look->sp, look->pc, STACK_PAGES);
	return intern_stack(&start);
}

/* Moves the frames from the caller on to the front; 0: it is not among them. */
static int frames_from(uint64_t address, uint64_t *words, int count)
{
	int first = 0;

	while (first < count && MODULE_ADDRESS(words[first]) != address)
		first++;
	memmove(words, words + first, (size_t)(count - first) * sizeof(*words));
	return count - first;
}

int native_stack_of_call(const struct task_look *look, const struct caller *caller, uint64_t *words)
{
	struct unwind_start start;
	int count = 0;

	/* From within, where more registers are found on the way. */
	if (look->sp) {
		copy_stack(&start, look->sp, look->pc, CALL_PAGES - 1);
		count = unwind_words(&start, words, FRAMES_MOST);
		count = frames_from(caller->return_address, words, count);
	}
	if (!count && caller->cfa) {
		copy_stack(&start, caller->cfa, caller->return_address - 1, CALL_PAGES - 1);
		count = unwind_words(&start, words, FRAMES_MOST);
	}
	return count;
}
