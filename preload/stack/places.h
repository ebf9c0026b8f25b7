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
#define PLACE_PYTHON_WORDS TRAIL_LEAD

/* The atom of kind ATOM_KEY of a call with these words of python_frames.h, or NULL: it is not
 * remembered, and must be walked. */
struct atom *place_find(const struct caller *caller, const uint64_t *python, int python_count);

struct place {
	const struct caller *caller;
	const uint64_t *python;
	int python_count;
	uint32_t generation; /* walk_generation before the walk */
	uint64_t
		modules; /* of its frames' modules, that of another one at the same addresses differs */
};

/* The atom of kind ATOM_KEY of what was walked, from now on remembered; NULL: no room. The trail is changed. */
struct atom *place_add(const struct place *place, struct trail *trail);

#endif
