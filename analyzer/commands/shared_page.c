#include "commands/shared_page.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct shared_page shared_page_make(size_t bytes)
{
	struct shared_page page = {
		.bytes = bytes,
		.file = memfd_create("streamtrace", MFD_CLOEXEC | MFD_ALLOW_SEALING),
	};
	struct stat status;
	void *mapped;

	if (page.file < 0 || fstat(page.file, &status) || ftruncate(page.file, (off_t)bytes) ||
	    fcntl(page.file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW))
		return page;
	mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, page.file, 0);
	if (mapped == MAP_FAILED)
		return page;
	page.memory = mapped;
	page.inode = status.st_ino;
	snprintf(page.path, sizeof(page.path), "/proc/%d/fd/%d", (int)getpid(), page.file);
	return page;
}

void shared_page_free(struct shared_page *page)
{
	if (page->memory)
		munmap(page->memory, page->bytes);
	if (page->file >= 0)
		close(page->file);
}
