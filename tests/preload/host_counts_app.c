/* The traced program of host_counts_test.c: steps that touch new memory, and sleep in between. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_cuda.h"

#define STEPS	  50
#define NEW_BYTES (8 << 20)
#define PAGE	  4096
#define SLEEP_US  3000

static void touch_new_memory(void)
{
	char *memory =
		mmap(NULL, NEW_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || madvise(memory, NEW_BYTES, MADV_NOHUGEPAGE))
		exit(2);
	for (size_t at = 0; at < NEW_BYTES; at += PAGE)
		memory[at] = 1;
	munmap(memory, NEW_BYTES);
}

int main(void)
{
	if (cudaFree(NULL))
		return 2;
	for (int i = 0; i < STEPS; i++) {
		touch_new_memory();
		usleep(SLEEP_US);
	}
	return cudaFree(NULL) ? 2 : 0;
}
