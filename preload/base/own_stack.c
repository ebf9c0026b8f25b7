#include "base/own_stack.h"

#include <signal.h>
#include <sys/mman.h>

/* A thread's default stack on some systems: how much CUPTI needs was not found in its
 * documentation. Untouched pages take no memory. */
#define STACK_BYTES ((size_t)1 << 20)
#define GUARD_BYTES ((size_t)64 << 10) /* at least one page, of whatever size */

/* Zeros above the stack: an unwinder finds a zero return address there, and stops. */
#define END_BYTES 1024

static void let_faults_in(sigset_t *signals)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};

	sigfillset(signals);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(signals, faults[i]);
}

/* Not swapcontext(): it does nothing where the program forbids rt_sigprocmask(), and in a program under
 * AddressSanitizer it prints a warning. */
static __attribute__((noinline)) void call_on(char *top, void (*work)(void))
{
#if defined(__x86_64__)
	__asm__ volatile("mov %%rsp, %%rbx\n\t"
			 "mov %[top], %%rsp\n\t"
			 "call *%[work]\n\t"
			 "mov %%rbx, %%rsp"
			 : [top] "+r"(top), [work] "+r"(work)
			 :
			 : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11",
			   "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
			   "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc",
			   "memory");
#else
	work();
#endif
}

static void run_on(char *memory, void (*work)(void))
{
	sigset_t signals, before;
	int failed;

	let_faults_in(&signals);
	failed = pthread_sigmask(SIG_SETMASK, &signals, &before);
	call_on(memory + GUARD_BYTES + STACK_BYTES - END_BYTES, work);
	if (!failed)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void own_stack_run(void (*work)(void))
{
	char *memory = MAP_FAILED;

/* Sanitizers know only a thread's own stack. */
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
