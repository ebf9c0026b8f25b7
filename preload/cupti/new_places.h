/*
 * Notices driver calls that are not recorded and may map device memory at an address: memory of
 * another process, of a graphics library, or of an imported pool. After each of them
 * content/memory_places.h must ask the driver again.
 */
#ifndef STREAMTRACE_NEW_PLACES_H
#define STREAMTRACE_NEW_PLACES_H

#include "cupti/cupti_library.h"

#include <stdbool.h>

/* Enables CUPTI's callbacks for these calls. */
void new_places_enable(CUpti_SubscriberHandle subscriber);

/* Handles a callback of the driver API, on its thread. Returns whether it was about one of these
 * calls. */
bool new_places_take(CUpti_CallbackId cbid);

#endif
