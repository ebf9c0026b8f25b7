#include "base/own_stack.h"

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

/* CUPTI's own needs were not found in its documentation: as much as a thread of the C library has on
 * some systems. What is not touched takes no memory. */
#define STACK_BYTES ((size_t)1 << 20)
#define GUARD_BYTES ((size_t)64 << 10) /* a page of any size */

/* At the upper end of the mapping, for both contexts together take 2 KB. */
struct switched {
	ucontext_t caller, own;
	void (*work)(void);
};

/* makecontext() hands over integers. */
static void begin(unsigned int low, unsigned int high)
{
	const struct switched *switched =
		(const struct switched *)((uintptr_t)high << 32 | (uintptr_t)low);

	switched->work();
}

static void let_faults_in(sigset_t *signals)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};

	sigfillset(signals);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(signals, faults[i]);
}

static void run_on(char *memory, void (*work)(void))
{
	struct switched *switched = (struct switched *)(memory + GUARD_BYTES + STACK_BYTES) - 1;
	const uint64_t address = (uint64_t)(uintptr_t)switched;

	switched->work = work;
	getcontext(&switched->own);
	switched->own.uc_stack = (stack_t){
		.ss_sp = memory + GUARD_BYTES,
		.ss_size = (size_t)((char *)switched - memory) - GUARD_BYTES,
	};
	switched->own.uc_link = &switched->caller;
	let_faults_in(&switched->own.uc_sigmask);
	makecontext(&switched->own, (void (*)(void))begin, 2, (unsigned int)address,
		    (unsigned int)(address >> 32));
	swapcontext(&switched->caller, &switched->own);
}

void own_stack_run(void (*work)(void))
{
	char *memory = MAP_FAILED;

/* Sanitizers know of a thread's own stack alone. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	memory = mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_NONE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
#endif
	if (memory == MAP_FAILED) {
		work();
		return;
	}
	if (mprotect(memory + GUARD_BYTES, STACK_BYTES, PROT_READ | PROT_WRITE))
		work();
	else
		run_on(memory, work);
	munmap(memory, GUARD_BYTES + STACK_BYTES);
}
