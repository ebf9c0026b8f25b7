#include "first_use/memory_kind.h"

#include "base/driver.h"
#include "first_use/pages.h"
#include "stack/thread_stack.h"

#include <stdio.h>
#include <sys/utsname.h>

#define PINNED 4096 /* allocations remembered at a time */

#define LAST_DEFAULT_STREAM 2 /* handles: 0 default, 1 legacy, 2 per-thread */

static struct {
	struct pinned items[PINNED];
	size_t count; /* items ever used */
} all_pinned;

bool memory_find_driver(void)
{
	const struct driver *driver = driver_functions();

	return driver->cuPointerGetAttributes && driver->cuStreamGetFlags &&
	       driver->cuCtxGetDevice && driver->cuDeviceGetAttribute &&
	       driver->cuStreamIsCapturing && driver->cuThreadExchangeStreamCaptureMode;
}

static __thread CUstreamCaptureMode capture_mode __attribute__((tls_model("initial-exec")));

void memory_queries_begin(void)
{
	capture_mode = CU_STREAM_CAPTURE_MODE_RELAXED;
	if (memory_find_driver())
		DRIVER_CALL(driver_functions(), cuThreadExchangeStreamCaptureMode)(&capture_mode);
}

void memory_queries_end(void)
{
	if (memory_find_driver())
		DRIVER_CALL(driver_functions(), cuThreadExchangeStreamCaptureMode)(&capture_mode);
}

bool memory_stream_is_captured(uint64_t stream)
{
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;

	return DRIVER_CALL(driver_functions(), cuStreamIsCapturing)((CUstream)stream, &status) ||
	       status != CU_STREAM_CAPTURE_STATUS_NONE;
}

enum memory_type memory_type_of(uint64_t address)
{
	CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
				       CU_POINTER_ATTRIBUTE_IS_MANAGED};
	unsigned int type = 0, is_managed = 0;
	void *data[] = {&type, &is_managed};

	if (!address ||
	    DRIVER_CALL(driver_functions(), cuPointerGetAttributes)(2, names, data, address) ||
	    is_managed)
		return MEMORY_TYPE_UNKNOWN;
	return type == CU_MEMORYTYPE_HOST     ? MEMORY_TYPE_PINNED
	       : type == CU_MEMORYTYPE_DEVICE ? MEMORY_TYPE_DEVICE
	       : type == 0		      ? MEMORY_TYPE_PAGEABLE
					      : MEMORY_TYPE_UNKNOWN;
}

bool memory_stream_is_blocking(uint64_t stream)
{
	unsigned int flags = CU_STREAM_NON_BLOCKING;

	if (stream <= LAST_DEFAULT_STREAM)
		return true;
	return !DRIVER_CALL(driver_functions(), cuStreamGetFlags)((CUstream)stream, &flags) &&
	       !(flags & CU_STREAM_NON_BLOCKING);
}

/* True also if the driver fails. */
static bool device_may(CUdevice_attribute attribute)
{
	CUdevice device;
	int answer = 1;

	return DRIVER_CALL(driver_functions(), cuCtxGetDevice)(&device) ||
	       DRIVER_CALL(driver_functions(), cuDeviceGetAttribute)(&answer, attribute, device) ||
	       answer;
}

bool memory_heap_is_reachable(void)
{
	return device_may(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS);
}

bool memory_has_host_tables(void)
{
	return device_may(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES);
}

bool memory_keeps_pages(void)
{
	enum { UNKNOWN, NO, YES };
	/* do_wp_page() copied any page with a second user from 5.9 on, until 5.19 knew which pages
	 * are exclusive. */
	const int copies_since = 509, keeps_since = 519;
	static _Atomic int answer;
	struct utsname name;
	int major, minor, version;

	if (answer == UNKNOWN) {
		answer = NO;
		if (!uname(&name) && sscanf(name.release, "%d.%d", &major, &minor) == 2) {
			version = major * 100 + minor;
			if (version < copies_since || version >= keeps_since)
				answer = YES;
		}
	}
	return answer == YES;
}

bool memory_is_on_stack(uint64_t address, uint64_t size_bytes)
{
	if (!thread_stack.high)
		thread_stack_find();
	return address < thread_stack.high && address + size_bytes > thread_stack.low;
}

void pinned_note(struct pinned pinned)
{
	size_t i = 0;

	while (i < all_pinned.count && all_pinned.items[i].size_bytes)
		i++;
	if (i == PINNED)
		return;
	all_pinned.count += i == all_pinned.count;
	all_pinned.items[i] = pinned;
}

static struct pinned *find_pinned(uintptr_t address)
{
	for (size_t i = 0; i < all_pinned.count; i++)
		if (address - all_pinned.items[i].address < all_pinned.items[i].size_bytes)
			return &all_pinned.items[i];
	return NULL;
}

struct pinned pinned_find(uintptr_t address)
{
	const struct pinned *found = find_pinned(address);

	return found ? *found : (struct pinned){0};
}

void pinned_forget(uintptr_t address)
{
	struct pinned *found = find_pinned(address);

	if (found)
		found->size_bytes = 0;
}

void pinned_keep(uintptr_t low, uintptr_t high)
{
	for (size_t i = 0; i < all_pinned.count; i++) {
		struct pinned *pinned = &all_pinned.items[i];

		if (pinned->address < high && low < pinned->address + pinned->size_bytes)
			pinned->is_read_only = true;
	}
}

void pinned_forget_all(void)
{
	all_pinned.count = 0;
}

enum { IS_MAPPED = 2, FLAGS = 7, WORDS_BYTES = 2 * sizeof(size_t) }; /* of the heap's words */

/* glibc gives a large block its own mapping: only the heap's two words before the address share its pages. */
static bool is_own_mapping(const size_t *words, uintptr_t address, size_t size_bytes)
{
	const size_t before = words[0], size = words[1] - IS_MAPPED;

	return (words[1] & FLAGS) == IS_MAPPED && before <= address &&
	       (address - WORDS_BYTES - before) % PAGE_BYTES == 0 &&
	       (before + size) % PAGE_BYTES == 0 && size >= size_bytes + WORDS_BYTES;
}

bool memory_has_own_pages(uintptr_t address, size_t size_bytes)
{
	const uintptr_t *block = (const uintptr_t *)address - 2;

	return address % WORDS_BYTES == 0 &&
	       is_own_mapping((const size_t[]){pages_word_at(block), pages_word_at(block + 1)},
			      address, size_bytes);
}

__attribute__((no_sanitize("address"))) static bool
find_own_mapping(uintptr_t address, size_t size_bytes, uintptr_t *low, uintptr_t *high)
{
	const size_t *words = (const size_t *)address - 2;
	size_t before, size;

	if (address % PAGE_BYTES < WORDS_BYTES || address % WORDS_BYTES)
		return false;
	before = words[0];
	size = words[1] - IS_MAPPED;
	if (!is_own_mapping((const size_t[]){before, words[1]}, address, size_bytes) ||
	    size > PAGE_UP(size_bytes) + 2 * PAGE_BYTES)
		return false;
	*low = address - WORDS_BYTES - before;
	*high = *low + before + size;
	return true;
}

void memory_find_pages(uint64_t address, uint64_t size_bytes, enum memory_type type,
		       const struct pinned *pinned, uintptr_t *low, uintptr_t *high)
{
	uintptr_t end = address + size_bytes;

	if (type == MEMORY_TYPE_PAGEABLE && find_own_mapping(address, size_bytes, low, high))
		return;
	*low = PAGE_UP((uintptr_t)address);
	*high = end & ~(uintptr_t)(PAGE_BYTES - 1);
	/* Memory allocated by CUDA shares its pages with nothing. */
	if (pinned->size_bytes && !pinned->is_registered && pinned->address % PAGE_BYTES == 0 &&
	    end == pinned->address + pinned->size_bytes)
		*high = PAGE_UP(end);
}
