/*
 * How much the times of operations vary that do the same.
 *
 * A replay gives each operation the time that it took. In the fixed run it takes another: as far as
 * that is chance, like operations show by how much.
 */
#ifndef STREAMTRACE_SPREAD_H
#define STREAMTRACE_SPREAD_H

#include "replay/edits/edits.h"
#include "replay/observed/evidence.h"

/* Half the distance between the quartiles of like operations (the same kernel with as many blocks, or
 * copies of the same size in the same direction), as a share of their median; of all groups of four
 * and more, weighed by their time. Groups that vary by more than 0.1 do different work by their data,
 * and do not count; 0 where there is none. One thread. */
double spread_measure(const struct trace *trace);

/* What calls that a fix takes away took, and how much of that is chance. */
struct spread_calls {
	int64_t gone_ns, spread_ns;
};

/* Those that waited for nothing: they take their own time. The same share of it as above, by function
 * and size, but at most a half: the times of like calls vary much. */
struct spread_calls spread_measure_gone(const struct trace *trace, const struct edits *edits,
					const struct evidence *evidence);

#endif
