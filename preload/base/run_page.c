#include "base/run_page.h"

#include "base/loaded.h"
#include "base/options.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct run_page *page;
static pid_t counted; /* the process that counts as a program: not its forked children */
static bool is_traced;
static _Atomic bool has_ended;

/* Only a memfd that cannot shrink: memory behind the end of a file would kill the program. */
static struct run_page *map_page(int file)
{
	struct stat status;
	void *mapped;

	if (!(fcntl(file, F_GET_SEALS) & F_SEAL_SHRINK) || fstat(file, &status) ||
	    status.st_size != sizeof(*page))
		return NULL;
	mapped = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	return mapped == MAP_FAILED ? NULL : mapped;
}

void run_page_open(bool is_wanted)
{
	int file =
		*options.tell ? open(options.tell, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;

	if (file < 0)
		return;
	page = map_page(file);
	close(file);
	counted = getpid();
	is_traced = is_wanted;
	if (page)
		atomic_fetch_add(&page->programs, 1);
}

void run_page_tell(enum run_met met)
{
	if (page)
		atomic_fetch_or(&page->met, met);
}

static bool is_of_cuda(const struct loaded *library, void *unused)
{
	return !strncmp(library->file, "libcuda.so", 10) ||
	       !strncmp(library->file, "libcudart.so", 12);
}

static void tell_library(void)
{
	if (loaded_each(is_of_cuda, NULL))
		run_page_tell(is_traced ? RUN_MET_LIBRARY : RUN_MET_UNTRACED_LIBRARY);
}

static void tell_steps(uint32_t steps)
{
	uint32_t most = atomic_load(&page->steps);

	while (most < steps && !atomic_compare_exchange_weak(&page->steps, &most, steps))
		;
}

void run_page_tell_end(long steps)
{
	if (!page)
		return;
	tell_steps(steps < UINT32_MAX ? (uint32_t)steps : UINT32_MAX);
	if (getpid() != counted || atomic_exchange(&has_ended, true))
		return;
	tell_library();
	atomic_fetch_add(&page->ended, 1);
}

void run_page_tell_no_end(void)
{
	if (page && getpid() == counted && atomic_exchange(&has_ended, false))
		atomic_fetch_sub(&page->ended, 1);
}
