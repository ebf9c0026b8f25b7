#include "base/run_page.h"

#include "base/loaded.h"
#include "base/options.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct run_page *page;

/* Only a memfd that cannot shrink: memory behind the end of a file would kill the program. */
static struct run_page *map_page(int file)
{
	const int seals = fcntl(file, F_GET_SEALS); /* -1: no memfd */
	struct stat status;
	void *mapped;

	if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(file, &status) ||
	    status.st_size != sizeof(*page))
		return NULL;
	mapped = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	return mapped == MAP_FAILED ? NULL : mapped;
}

void run_page_open(void)
{
	int file =
		*options.tell ? open(options.tell, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;

	if (file < 0)
		return;
	page = map_page(file);
	close(file);
	if (page)
		atomic_fetch_add(&page->programs, 1);
}

void run_page_tell(enum run_met met)
{
	if (page)
		atomic_fetch_or(&page->met, met);
}

void run_page_tell_steps(uint32_t steps)
{
	uint32_t most = page ? atomic_load(&page->steps) : UINT32_MAX;

	while (most < steps && !atomic_compare_exchange_weak(&page->steps, &most, steps))
		;
}

static bool is_of_cuda(const struct loaded *library, void *unused)
{
	return !strncmp(library->file, "libcuda.so", 10) || !strncmp(library->file, "libcudart", 9);
}

void run_page_tell_library(void)
{
	if (page && loaded_each(is_of_cuda, NULL))
		run_page_tell(RUN_MET_LIBRARY);
}
