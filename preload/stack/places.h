/*
 * Call sites that were seen before, found again by a few loads.
 *
 * A place is the key of a call site together with where on the stack its return addresses lie. A
 * later call that has the same return addresses in the same distances from its own, and the same
 * Python frames, has the same key: no frame needs to be looked up. Places that begin alike lead to
 * each other by the first return address that differs.
 *
 * On the calling thread, in signal handlers too: no lock, and no memory but the atoms'. A table of
 * fixed size remembers them; what it has no room for is walked each time.
 */
#ifndef STREAMTRACE_PLACES_H
#define STREAMTRACE_PLACES_H

#include "base/atoms.h"
#include "stack/caller.h"
#include "stack/walk.h"

/* From a layer of PyTorch up to the line that calls it there are five Python frames, from an
 * optimizer's step seven. */
#define PLACE_PYTHON_WORDS 8

/* A call on its way to its key. */
struct place {
	const struct caller *caller;
	const uint64_t *python; /* its words of python_frames.h */
	int python_count;
	uint32_t generation;	/* walk_generation before anything was read */
	_Atomic uint64_t *slot; /* where it is to be remembered; NULL: nowhere */
};

/* The atom of kind ATOM_KEY, or NULL: it is not remembered, and must be walked. Sets the last two
 * fields of `place`. */
struct atom *place_find(struct place *place);

/* The atom of kind ATOM_KEY of what was walked instead, from now on remembered; NULL: no room. */
struct atom *place_add(const struct place *place, const struct trail *trail);

#endif
