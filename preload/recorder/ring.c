#include "recorder/ring.h"

#include <sys/mman.h>

struct ring *ring_create(void)
{
	void *memory = mmap(NULL, sizeof(struct ring), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}
