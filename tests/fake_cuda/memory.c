#include <stdlib.h>
#include <string.h>

#include "runtime.h"

static struct memory *memories;

static struct memory *add(void *address, size_t size, CUpti_ActivityMemoryKind kind,
			  bool is_registered)
{
	struct memory *memory = malloc(sizeof(*memory));

	if (!memory)
		fake_cuda_abort("out of memory");
	*memory = (struct memory){.next = memories,
				  .address = address,
				  .size = size,
				  .kind = kind,
				  .is_registered = is_registered};
	memories = memory;
	return memory;
}

static size_t allocated_bytes(CUpti_ActivityMemoryKind kind)
{
	size_t bytes = 0;

	for (const struct memory *memory = memories; memory; memory = memory->next)
		bytes += memory->kind == kind ? memory->size : 0;
	return bytes;
}

size_t fake_cuda_allocated_bytes(CUpti_ActivityMemoryKind kind)
{
	size_t bytes;

	device_lock();
	bytes = allocated_bytes(kind);
	device_unlock();
	return bytes;
}

/* Page faults move so many bytes a nanosecond. */
enum { RATE_FAULTS = 1 };

void fake_cuda_touch(void *address)
{
	struct memory *memory, moved;
	struct span span;
	bool is_moved;

	device_lock();
	memory = memory_owned(address, CUPTI_ACTIVITY_MEMORY_KIND_MANAGED,
			      CUPTI_ACTIVITY_MEMORY_KIND_MANAGED, false);
	is_moved = memory->place == PLACE_DEVICE;
	memory->place = PLACE_HOST;
	moved = *memory;
	span.start_ns = device_now_ns();
	span.end_ns = span.start_ns + memory->size / RATE_FAULTS;
	device_unlock();
	if (!is_moved)
		return;
	record_migration(&moved, true, span);
	device_sleep_until(span.end_ns);
}

uint64_t memory_fault_ns(const struct memory *memory)
{
	return memory->place == PLACE_HOST ? memory->size / RATE_FAULTS : 0;
}

static size_t limit_of(CUpti_ActivityMemoryKind kind)
{
	const char *limit = kind == CUPTI_ACTIVITY_MEMORY_KIND_DEVICE ? getenv("FAKE_DEVICE_BYTES")
			    : kind == CUPTI_ACTIVITY_MEMORY_KIND_PINNED
				    ? getenv("FAKE_PINNED_BYTES")
				    : NULL;

	return limit ? strtoull(limit, NULL, 10) : SIZE_MAX;
}

struct memory *memory_allocate(CUpti_ActivityMemoryKind kind, size_t size)
{
	/* cudaMalloc gives at least 256; pinned memory has its pages for itself. */
	const size_t alignment = kind == CUPTI_ACTIVITY_MEMORY_KIND_PINNED ? 4096 : 512;
	void *address;

	if (size > limit_of(kind) || allocated_bytes(kind) > limit_of(kind) - size)
		return NULL;
	address = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
	return address ? add(address, size, kind, false) : NULL;
}

void memory_register(void *address, size_t size)
{
	add(address, size, CUPTI_ACTIVITY_MEMORY_KIND_PINNED, true);
}

struct memory *memory_find(const void *address)
{
	for (struct memory *memory = memories; memory; memory = memory->next)
		if ((const uint8_t *)address >= memory->address &&
		    (const uint8_t *)address < memory->address + memory->size)
			return memory;
	return NULL;
}

CUpti_ActivityMemoryKind fake_cuda_memory_kind(const void *address)
{
	const struct memory *memory;
	CUpti_ActivityMemoryKind kind;

	device_lock();
	memory = memory_find(address);
	kind = memory ? memory->kind : CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
	device_unlock();
	return kind;
}

bool fake_cuda_host_flags(const void *address, unsigned int *flags)
{
	const struct memory *memory;
	bool is_pinned;

	device_lock();
	memory = memory_find(address);
	is_pinned = memory && memory->kind == CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
	if (is_pinned)
		*flags = memory->flags;
	device_unlock();
	return is_pinned;
}

struct memory *memory_owned(void *address, CUpti_ActivityMemoryKind a, CUpti_ActivityMemoryKind b,
			    bool is_registered)
{
	struct memory *memory = memory_find(address);

	if (!memory || memory->address != address || memory->is_registered != is_registered ||
	    (memory->kind != a && memory->kind != b))
		fake_cuda_abort("%p is not an allocation of this kind, or was freed before",
				address);
	return memory;
}

void memory_release(struct memory *memory)
{
	struct memory **link = &memories;

	while (*link != memory)
		link = &(*link)->next;
	*link = memory->next;
	if (!memory->is_registered)
		free(memory->address);
	free(memory);
}

void memory_release_pinned(void)
{
	struct memory *memory = memories, *next;

	for (; memory; memory = next) {
		next = memory->next;
		if (memory->kind == CUPTI_ACTIVITY_MEMORY_KIND_PINNED)
			memory_release(memory);
	}
}
