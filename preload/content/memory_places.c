#include "content/memory_places.h"

#include "base/driver.h"
#include "base/hash.h"
#include "recorder/recorder.h"

#include <errno.h>

#define PLACE_BITS 6

/* The driver's answer, valid while places_number stays. */
struct place {
	uint64_t address, bytes;
	uint32_t number; /* places_number at the answer; 0: none */
	bool is_host, is_pinned;
};

_Static_assert(sizeof(struct place) << PLACE_BITS <= RING_NOTES_BYTES, "as the recorder has room");

static _Atomic uint32_t places_number = 1;

void places_forget(void)
{
	atomic_fetch_add_explicit(&places_number, 1, memory_order_relaxed);
}

/* All bytes of one CUDA copy are of one kind. Memory of a GPU, managed and write-combined memory is
 * slow to read, or migrates when read. */
static bool ask_driver(const struct driver *driver, uint64_t address, bool *is_pinned)
{
	CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
				       CU_POINTER_ATTRIBUTE_IS_MANAGED};
	unsigned int type = 0, is_managed = 0, flags = 0;
	void *data[] = {&type, &is_managed};

	if (DRIVER_CALL(driver, cuPointerGetAttributes)(2, names, data, address) || is_managed)
		return false;
	if (type == 0)
		return true;
	*is_pinned = true;
	return type == CU_MEMORYTYPE_HOST &&
	       !DRIVER_CALL(driver, cuMemHostGetFlags)(&flags, (void *)address) &&
	       !(flags & CU_MEMHOSTALLOC_WRITECOMBINED);
}

static __attribute__((noinline)) bool find_place(struct place *place, uint64_t address,
						 uint64_t bytes)
{
	/* Otherwise a running stream capture would be invalidated. */
	CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
	uint32_t number = atomic_load_explicit(&places_number, memory_order_relaxed);
	const struct driver *driver = driver_functions();
	int saved_errno = errno;

	*place = (struct place){.address = address, .bytes = bytes, .number = number};
	if (driver->cuPointerGetAttributes && driver->cuMemHostGetFlags &&
	    driver->cuThreadExchangeStreamCaptureMode) {
		DRIVER_CALL(driver, cuThreadExchangeStreamCaptureMode)(&mode);
		place->is_host = ask_driver(driver, address, &place->is_pinned);
		DRIVER_CALL(driver, cuThreadExchangeStreamCaptureMode)(&mode);
	}
	errno = saved_errno;
	return place->is_host;
}

/* NULL: the thread has no ring. */
static struct place *place_of(uint64_t address)
{
	struct place *places = recorder_notes();

	return places ? &places[hash_word(address) >> (64 - PLACE_BITS)] : NULL;
}

bool places_is_host(uint64_t address, uint64_t bytes)
{
	struct place *place = place_of(address);

	if (!place || address + bytes < address)
		return false;
	if (__builtin_expect(place->address == address && place->bytes >= bytes &&
				     place->number == atomic_load_explicit(&places_number,
									   memory_order_relaxed),
			     1))
		return place->is_host;
	return find_place(place, address, bytes);
}

bool places_is_pinned(uint64_t address, uint64_t bytes)
{
	return places_is_host(address, bytes) && place_of(address)->is_pinned;
}
