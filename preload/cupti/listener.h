/*
 * CUPTI's callbacks: for the driver calls of driver_calls.def, and for the creation and destruction
 * of streams and graph nodes.
 *
 * The callbacks run on the program's threads, inside its calls; errno is left alone. A driver call
 * costs a table lookup and one record, a stream a few words of memory until the writer takes them.
 */
#ifndef STREAMTRACE_CUPTI_LISTENER_H
#define STREAMTRACE_CUPTI_LISTENER_H

#include "store/store.h"

#include <cupti.h>

/* Subscribes our callback and stores CUPTI's handle in *subscriber. Returns CUPTI's result: an
 * error if the process has another subscriber. Call once, on a thread of the program, after
 * cupti_library_load(). */
CUptiResult cupti_listener_subscribe(CUpti_SubscriberHandle *subscriber);

/* Enables the callbacks for all that is recorded. An older CUPTI rejects the newest ids and does
 * not report their calls. Call once, after cupti_listener_subscribe() on the same thread, before
 * any cupti_listener_pause(). */
void cupti_listener_enable(CUpti_SubscriberHandle subscriber);

/* is_paused: disables the callbacks of recorded driver calls, except for calls that allocate, pin
 * or unpin memory or pass host functions. Callbacks of other calls and of resources (streams,
 * contexts, modules, graph nodes) stay. False: enables the callbacks again. No effect with
 * STREAMTRACE_FIRST_USE. Writer thread. */
void cupti_listener_pause(CUpti_SubscriberHandle subscriber, bool is_paused);

/* Stores the streams created and destroyed since the last call. Writer thread. */
void cupti_listener_store_streams(struct store *store);

/* Call in a forked child whose parent had started CUPTI: CUPTI is not called any more. */
void cupti_listener_after_fork(void);

#endif
