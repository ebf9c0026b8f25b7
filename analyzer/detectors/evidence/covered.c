#include "detectors/evidence/covered.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/search.h"

#include <stdlib.h>

void covered_add(struct covered *covered, struct span span)
{
	const size_t count = covered->spans.count;

	if (count && span.start_ns <= covered->spans.items[count - 1].end_ns) {
		struct span *last = &covered->spans.items[count - 1];

		last->end_ns = max_ns(last->end_ns, span.end_ns);
		return;
	}
	*vector_add(&covered->spans) = span;
}

void covered_end(struct covered *covered)
{
	int64_t before_ns = 0;

	covered->before_ns = memory_array(covered->spans.count, sizeof(*covered->before_ns));
	for (size_t i = 0; i < covered->spans.count; i++) {
		covered->before_ns[i] = before_ns;
		before_ns += covered->spans.items[i].end_ns - covered->spans.items[i].start_ns;
	}
}

static int64_t covered_until(const struct covered *covered, int64_t time_ns)
{
	size_t low = search(covered->spans.count, i, covered->spans.items[i].start_ns < time_ns);
	const struct span *before;

	if (!low)
		return 0;
	before = &covered->spans.items[low - 1];
	return covered->before_ns[low - 1] + min_ns(time_ns, before->end_ns) - before->start_ns;
}

int64_t covered_within(const struct covered *covered, struct span span)
{
	return covered_until(covered, span.end_ns) - covered_until(covered, span.start_ns);
}

void covered_free(struct covered *covered)
{
	vector_free(&covered->spans);
	free(covered->before_ns);
}
