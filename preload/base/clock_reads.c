#include "base/clock_reads.h"

#include "base/interpose.h"

#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>

__thread bool clock_read_is_awaited;

static void (*_Atomic tell)(uintptr_t return_address);

FIND_REAL(clock_gettime)
FIND_REAL(gettimeofday)

void clock_reads_tell(void (*function)(uintptr_t return_address))
{
	atomic_store(&tell, function);
}

static __attribute__((noinline)) void note_read(uintptr_t return_address)
{
	void (*function)(uintptr_t) = atomic_load_explicit(&tell, memory_order_relaxed);

	clock_read_is_awaited = false;
	if (function)
		function(return_address);
}

int clock_read(clockid_t clock, struct timespec *now)
{
	return REAL(clock_gettime)(clock, now);
}

bool clock_is_libc_s(void)
{
	int (*function)(clockid_t, struct timespec *) = REAL(clock_gettime);
	struct dl_find_object found;
	void *address;

	memcpy(&address, &function, sizeof(address));
	return !_dl_find_object(address, &found) && strstr(found.dlfo_link_map->l_name, "/libc.so");
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *now)
{
	int result = REAL(clock_gettime)(clock, now);

	if (__builtin_expect(clock_read_is_awaited, 0))
		note_read((uintptr_t)__builtin_return_address(0));
	return result;
}

EXPORT int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	int result = REAL(gettimeofday)(now, zone);

	if (__builtin_expect(clock_read_is_awaited, 0))
		note_read((uintptr_t)__builtin_return_address(0));
	return result;
}
