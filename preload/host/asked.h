/*
 * What the writer thread asks the looker for, when something has happened: the rows in the making, and the stack of a
 * thread that is in a call. One question at a time.
 */
#ifndef STREAMTRACE_HOST_ASKED_H
#define STREAMTRACE_HOST_ASKED_H

#include "host/watched.h"
#include "stack/caller.h"

/* Asks. thread_id: of the thread that is in a call made from caller; 0: no stack is wanted. Writer thread. */
void asked_begin(uint32_t thread_id, struct caller caller);

/* True, once, when all that was asked for is there: the rows are in the queue, and *site is the stack or NULL. Writer
 * thread. */
bool asked_take(struct atom **site);

/* Whether there is a question. The looker only, like the next one. */
bool asked_is_open(void);

/* Answers: finds the stack. The looker has pushed its rows. */
void asked_answer(struct watched_list *list);

/* Call in a forked child. */
void asked_after_fork(void);

#endif
