#include "host/native_stack.h"

#include "base/atoms.h"
#include "base/own_memory.h"

#define FRAMES_MOST 64

/* Between two samples of a thread: each costs it up to 25 us in a virtual machine. */
#define SAMPLE_NS 4000000

/* Of a waiting thread's stack, in pages: a wait lies at its end, whatever called it. */
#define STACK_PAGES 2
#define PAGE_BYTES  4096

static struct atom *intern_stack(const struct unwind_start *start)
{
	uint64_t words[FRAMES_MOST];
	const int count = unwind_words(start, words, FRAMES_MOST);

	if (!count)
		return NULL;
	return atom_intern(&(struct atom_text){.words = words,
					       .count = (uint16_t)count,
					       .kind = ATOM_STACK,
					       .frame_count = (uint8_t)count},
			   ATOM_ADD_SPARE);
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

struct atom *native_stack_of_wait(const struct task_look *look)
{
	static char memory[STACK_PAGES * PAGE_BYTES];
	const size_t first = PAGE_BYTES - look->sp % PAGE_BYTES;
	struct unwind_start start = {.known = 1u << UNWIND_RSP | 1u << UNWIND_RIP,
				     .memory = memory};

	/* By page: what is read ends where the stack does. */
	if (own_memory_read(memory, look->sp, first))
		start.bytes = first;
	if (start.bytes && own_memory_read(memory + first, look->sp + first, PAGE_BYTES))
		start.bytes += PAGE_BYTES;
	start.registers[UNWIND_RSP] = look->sp;
	start.registers[UNWIND_RIP] = look->pc;
	return intern_stack(&start);
}
