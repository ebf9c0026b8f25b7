/*
 * Notices driver calls that are not recorded and may map device memory at an address: memory of
 * another process, of a graphics library, or of an imported pool. Because of them
 * content/memory_places.h must ask the driver again: new_places_take() tells it so.
 */
#ifndef STREAMTRACE_NEW_PLACES_H
#define STREAMTRACE_NEW_PLACES_H

#include "cupti/cupti_library.h"

#include <stdbool.h>

/* Enables CUPTI's callbacks for these calls. */
void new_places_enable(CUpti_SubscriberHandle subscriber);

/* Call for each callback of the driver API, at a call's entry and at its exit, on the callback's
 * thread. True: the call is one of these, and places_forget() was called. False: another call;
 * nothing was done. */
bool new_places_take(CUpti_CallbackId cbid);

#endif
