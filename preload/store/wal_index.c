#include "store/wal_index.h"

#include "store/own_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* walformat.html, 2.1: the header's two copies, then fields for the checkpoint's progress and the
 * readers' marks. */
enum { COPY_BYTES = 48, HEADER_BYTES = 136, CHUNK_BYTES = 4096 };

/* A part of the index: SQLite's memory, and how much of it is in the file. */
struct region {
	struct region *next; /* the part before it in the file */
	off_t offset;
	size_t size;
	char *memory, *published;
};

static struct {
	int file;
	struct region *last;
} shared = {.file = -1};

/* False: the descriptor is no longer ours. *is_cut: somebody has truncated the file. */
static bool find_file(bool *is_cut)
{
	struct stat now;

	if (!shared.last || !own_files_has(shared.file) || fstat(shared.file, &now))
		return false;
	*is_cut = now.st_size < shared.last->offset + (off_t)shared.last->size;
	return true;
}

static bool publish_part(struct region *region, size_t from, size_t to, bool is_cut)
{
	const size_t size = to - from;

	if (!is_cut && memcmp(region->memory + from, region->published + from, size) == 0)
		return true;
	/* The comparison may take long: the number is looked at once more. */
	if (!own_files_has(shared.file) || pwrite(shared.file, region->memory + from, size,
						  region->offset + (off_t)from) != (ssize_t)size)
		return false;
	memcpy(region->published + from, region->memory + from, size);
	return true;
}

/* The first chunk of the first region begins with the header, which is written last. */
static bool publish_frames(struct region *region, bool is_cut)
{
	size_t from = region->offset ? 0 : HEADER_BYTES, to;

	for (; from < region->size; from = to) {
		to = (from / CHUNK_BYTES + 1) * CHUNK_BYTES;
		if (!publish_part(region, from, to < region->size ? to : region->size, is_cut))
			return false;
	}
	return true;
}

/* Writes the header's words after its copies; some belong to other processes. */
static void publish_marks(struct region *first, bool is_cut)
{
	for (size_t at = 2 * COPY_BYTES; at < HEADER_BYTES; at += sizeof(uint32_t))
		if (!publish_part(first, at, at + sizeof(uint32_t), is_cut))
			return;
}

/* Readers start with the first copy of the header, and use neither while they differ. */
static void publish_header(void)
{
	struct region *first = NULL;
	bool is_cut;

	if (!find_file(&is_cut))
		return;
	for (struct region *region = shared.last; region; first = region, region = region->next)
		if (!publish_frames(region, is_cut))
			return;
	if (publish_part(first, COPY_BYTES, 2 * COPY_BYTES, is_cut) &&
	    publish_part(first, 0, COPY_BYTES, is_cut))
		publish_marks(first, is_cut);
}

static void adopt_frames(struct region *region)
{
	const size_t from = region->offset ? 0 : HEADER_BYTES, size = region->size - from;

	if (pread(shared.file, region->memory + from, size, region->offset + (off_t)from) ==
	    (ssize_t)size)
		memcpy(region->published + from, region->memory + from, size);
}

/* Reads other processes' changes of the header's words after its copies. */
static void adopt_marks(struct region *first, const char header[HEADER_BYTES])
{
	for (size_t at = 2 * COPY_BYTES; at < HEADER_BYTES; at += sizeof(uint32_t)) {
		if (memcmp(header + at, first->published + at, sizeof(uint32_t)) == 0)
			continue;
		memcpy(first->memory + at, header + at, sizeof(uint32_t));
		memcpy(first->published + at, header + at, sizeof(uint32_t));
	}
}

/* Another connection has written. */
static bool has_new_frames(const struct region *first, const char header[HEADER_BYTES])
{
	static const char none[COPY_BYTES];

	return memcmp(header, first->published, COPY_BYTES) != 0 &&
	       memcmp(header, header + COPY_BYTES, COPY_BYTES) == 0 &&
	       memcmp(header, none, COPY_BYTES) != 0;
}

static void adopt_header(void)
{
	struct region *first = shared.last;
	char header[HEADER_BYTES];
	bool is_cut;

	if (!find_file(&is_cut) || is_cut ||
	    pread(shared.file, header, sizeof(header), 0) != (ssize_t)sizeof(header))
		return;
	while (first->next)
		first = first->next;
	adopt_marks(first, header);
	if (!has_new_frames(first, header))
		return;
	/* The header as read before, not the current one: its frames may lie in parts already
	 * read. */
	for (struct region *region = shared.last; region; region = region->next)
		adopt_frames(region);
	memcpy(first->memory, header, 2 * COPY_BYTES);
	memcpy(first->published, header, 2 * COPY_BYTES);
}

/* SQLite's fcntl(). */
static int lock_index(int file, int command, ...)
{
	struct flock *lock;
	va_list list;
	int number, result;

	if (!own_files_has(file)) {
		errno = EBADF;
		return -1;
	}
	va_start(list, command);
	if (command != F_SETLK && command != F_SETLKW && command != F_GETLK) {
		number = va_arg(list, int);
		va_end(list);
		return fcntl(file, command, number);
	}
	lock = va_arg(list, struct flock *);
	va_end(list);
	if (file != shared.file || command == F_GETLK)
		return fcntl(file, command, lock);
	if (lock->l_type == F_UNLCK)
		publish_header();
	/* Whoever takes a lock after this sees our writes, and we see what was written before. */
	atomic_thread_fence(memory_order_seq_cst);
	result = fcntl(file, command, lock);
	if (lock->l_type != F_UNLCK && result == 0)
		adopt_header();
	return result;
}

/* SQLite's mmap(), used only for the index: store_initialize() forbids mapping databases. */
static void *map_index(void *where, size_t size, int protection, int flags, int file, off_t offset)
{
	const size_t all = 2 * size + sizeof(struct region);
	char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct region *region;

	if (memory == MAP_FAILED)
		return MAP_FAILED;
	region = (struct region *)(void *)(memory + 2 * size);
	*region = (struct region){shared.last, offset, size, memory, memory + size};
	if (!shared.last)
		shared.file = file;
	shared.last = region;
	if (pread(file, memory, size, offset) > 0)
		memcpy(region->published, memory, size);
	return memory;
}

static int unmap_index(void *memory, size_t size)
{
	for (struct region **at = &shared.last; *at; at = &(*at)->next) {
		if ((*at)->memory != memory)
			continue;
		*at = (*at)->next;
		size = 2 * size + sizeof(struct region);
		break;
	}
	if (!shared.last)
		shared.file = -1;
	return munmap(memory, size);
}

void wal_index_initialize(sqlite3_vfs *vfs)
{
	vfs->xSetSystemCall(vfs, "fcntl", (sqlite3_syscall_ptr)lock_index);
	vfs->xSetSystemCall(vfs, "mmap", (sqlite3_syscall_ptr)map_index);
	vfs->xSetSystemCall(vfs, "munmap", (sqlite3_syscall_ptr)unmap_index);
}

void wal_index_after_fork(void)
{
	shared.file = -1;
	shared.last = NULL;
}
