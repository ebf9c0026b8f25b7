/*
 * CUPTI's callbacks: the driver calls of driver_calls.def, and the creation and destruction of
 * streams and graph nodes.
 *
 * They run on the program's threads, inside its calls; errno is left alone. A driver call costs a
 * table lookup and one record; a stream a few words of memory until the writer takes them.
 */
#ifndef STREAMTRACE_CUPTI_LISTENER_H
#define STREAMTRACE_CUPTI_LISTENER_H

#include "store/store.h"

#include <cupti.h>

/* Becomes the process's subscriber; one a process. */
CUptiResult cupti_listener_subscribe(CUpti_SubscriberHandle *subscriber);

/* Asks for what is to be recorded. An older CUPTI does not know the newest ids, and reports no such
 * calls. */
void cupti_listener_enable(CUpti_SubscriberHandle subscriber);

/* Between windows only the callbacks come that are needed there too: for memory that a launch may be
 * given, for host functions, for what begins and ends. Writer thread. */
void cupti_listener_pause(CUpti_SubscriberHandle subscriber, bool is_paused);

/* Stores the streams that were created and destroyed. Writer thread. */
void cupti_listener_store_streams(struct store *store);

/* In a forked child where CUPTI was started in the parent: CUPTI must not be called. */
void cupti_listener_after_fork(void);

#endif
