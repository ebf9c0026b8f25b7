/*
 * Places: call sites seen before, recognized by a few loads.
 *
 * A place is a call site's key (sites.h) together with the distances on the stack between its
 * return addresses. A call with the same return addresses at the same distances and the same Python
 * frames has the same key, so no frame is looked up. Places that begin alike are chained by the
 * first return address that differs.
 *
 * The functions run on the calling thread, in signal handlers too: no lock; memory comes from
 * atoms. The table has a fixed size: a place without room is walked at each call.
 */
#ifndef STREAMTRACE_PLACES_H
#define STREAMTRACE_PLACES_H

#include "base/atoms.h"
#include "base/hot.h"
#include "stack/caller.h"
#include "stack/walk.h"

/* The innermost Python frames in a key: from a layer of PyTorch to the line that calls it are five,
 * from an optimizer's step seven. */
#define PLACE_PYTHON_WORDS TRAIL_LEAD

/* Returns the ATOM_KEY of the calling place. python: the words of python_frames_key(). NULL: the
 * place is not known, and the caller must walk the stack. */
HOT struct atom *place_find(const struct caller *caller, const uint64_t *python, int python_count);

/* Returns the ATOM_STACK of the calling place on a thread without Python, as known from its first
 * call. NULL: not known, and the caller must use place_find(). */
HOT struct atom *place_stack(const struct caller *caller);

#define PLACE_KEY_BYTES	 320 /* fetched of a key: all of one with Python's frames */
#define PLACE_LINE_BYTES 64  /* of the caches */

/* The last place that the thread found; NULL: none yet. */
extern __thread struct atom *place_last __attribute__((tls_model("initial-exec")));

/* For sites_foresee(): fetches the place that will probably be found next. */
static inline void place_foresee(void)
{
	const struct atom *key =
		place_last ? atomic_load_explicit(&place_last->follower, memory_order_relaxed)
			   : NULL;

	if (key)
		for (int at = 0; at < PLACE_KEY_BYTES; at += PLACE_LINE_BYTES)
			__builtin_prefetch((const char *)key + at);
}

struct place {
	const struct caller *caller;
	const uint64_t *python;
	int python_count;
	uint32_t generation; /* walk_generation as read before the walk */
	uint64_t modules;    /* hash of its frames' module numbers: other modules, another key */
};

/* Adds the place of a walk and returns its ATOM_KEY; NULL: no room. Overwrites the trail. */
struct atom *place_add(const struct place *place, struct trail *trail);

#endif
