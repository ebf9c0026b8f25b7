/*
 * Driver calls that are not recorded, and after which an address may be the device's: memory of another
 * process, of a graphics library, of a pool that was imported. What is known of places is forgotten then.
 */
#ifndef STREAMTRACE_NEW_PLACES_H
#define STREAMTRACE_NEW_PLACES_H

#include "cupti/library.h"

#include <stdbool.h>

void new_places_enable(CUpti_SubscriberHandle subscriber);

/* True where the callback is of one of these calls. */
bool new_places_take(CUpti_CallbackId cbid);

#endif
