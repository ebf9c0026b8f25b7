#include "first_use/pages.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A system call, because libstrace_touch.so interposes libc's function. */
static bool protect_pages(uintptr_t low, uintptr_t high, int protection)
{
	return syscall(SYS_mprotect, low, high - low, protection) == 0;
}

/* The kernel reads the signal set before it rejects the invalid request. */
static bool is_readable(uintptr_t address)
{
	const long no_request = -1;

	return syscall(SYS_rt_sigprocmask, no_request, address, NULL, sizeof(uint64_t)) == 0 ||
	       errno != EFAULT;
}

uintptr_t pages_word_at(const uintptr_t *word)
{
	return is_readable((uintptr_t)word) ? *word : 0;
}

/* The program may have unmapped the memory, and mapped something new there: pages that are readable
 * and should not be, or the other way round, are not ours. */
void pages_open(uintptr_t low, uintptr_t high, enum pages_access access)
{
	const bool ours = access == PAGES_READ_ONLY;
	uintptr_t last = high - PAGE_BYTES;

	if (is_readable(low) == ours && is_readable(last) == ours) {
		protect_pages(low, high, PROT_READ | PROT_WRITE);
		return;
	}
	for (uintptr_t page = low; page < high; page += PAGE_BYTES)
		if (is_readable(page) == ours)
			protect_pages(page, page + PAGE_BYTES, PROT_READ | PROT_WRITE);
}

bool pages_close(uintptr_t low, uintptr_t high, enum pages_access access)
{
	return protect_pages(low, high, access == PAGES_READ_ONLY ? PROT_READ : PROT_NONE);
}
