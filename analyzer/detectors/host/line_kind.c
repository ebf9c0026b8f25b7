#include "detectors/host/line_kind.h"

#include "base/minmax.h"
#include "base/thresholds.h"

#include <math.h>
#include <string.h>

/* The names of calls that make and unmake memory (preload/host/waits.def). */
static bool is_mapping(const char *name)
{
	static const char *const calls[] = {"mmap", "munmap", "mremap", "madvise", "brk"};

	for (size_t i = 0; name && i < sizeof(calls) / sizeof(*calls); i++)
		if (!strcmp(name, calls[i]))
			return true;
	return false;
}

/* A file has a path. */
enum host_kind line_kind_of_wait(const struct trace_host_state *state, enum host_frame_doing doing)
{
	if (doing == HOST_FRAME_COMPILE)
		return HOST_KIND_COMPILE;
	switch (state->state) {
	case HOST_STATE_THREAD:
		return host_is_lock(state) ? HOST_KIND_LOCK : HOST_KIND_LOADER;
	case HOST_STATE_INTERPRETER:
		return HOST_KIND_LOCK;
	case HOST_STATE_INPUT:
		if (state->name && state->name[0] == '/')
			return HOST_KIND_FILE;
		return doing == HOST_FRAME_WAIT_FOR_WORKER ? HOST_KIND_LOADER : HOST_KIND_WAIT;
	case HOST_STATE_KERNEL:
		return is_mapping(state->name) ? HOST_KIND_FAULTS : HOST_KIND_WORK;
	case HOST_STATE_GARBAGE:
		return HOST_KIND_GARBAGE;
	default:
		return HOST_KIND_WAIT;
	}
}

void line_sum_add(struct line_sum *sum, const struct host_piece *piece, int64_t ns,
		  enum host_frame_doing doing)
{
	const double faults = host_faults_in(piece->state, piece->span);
	const double system_ns = host_system_ns_in(piece->state, piece->span);

	sum->running_ns += ns;
	sum->compile_ns += doing == HOST_FRAME_COMPILE ? ns : 0;
	sum->file_ns += doing == HOST_FRAME_READ_FILE ? ns : 0;
	sum->faults += faults > 0 ? faults : 0;
	sum->system_ns += system_ns > 0 ? system_ns : 0;
	sum->is_system_unknown |= system_ns < 0;
}

static bool is_half(double part, int64_t of_ns)
{
	return of_ns > 0 && 2 * part >= (double)of_ns;
}

/* The line's time in the kernel, as far as its faults can have taken that: pages differ in size. Where that
 * time is unknown, what so many faults of small pages take. */
static double time_in_faults(const struct line_sum *sum, double fault_ns)
{
	if (sum->is_system_unknown)
		return sum->faults * fault_ns;
	return fmin(sum->system_ns, sum->faults * PAGE_FAULT_MOST_NS);
}

static enum host_kind kind_of_line(const struct line_sum *sum, double fault_ns)
{
	if (is_half((double)sum->compile_ns, sum->running_ns))
		return HOST_KIND_COMPILE;
	if (is_half((double)sum->file_ns, sum->running_ns))
		return HOST_KIND_FILE;
	if (is_half(time_in_faults(sum, fault_ns), sum->running_ns))
		return HOST_KIND_FAULTS;
	return HOST_KIND_WORK;
}

static void settle_part(struct host_part *part, const struct line_sum *sum, double fault_ns)
{
	const double share = time_in_faults(sum, fault_ns) / (double)max_ns(1, sum->running_ns);

	part->kind = kind_of_line(sum, fault_ns);
	/* Only that part of the time is lost. */
	if (part->kind == HOST_KIND_FAULTS && share < 1) {
		part->ns = (int64_t)((double)part->ns * share);
		part->idle_ns = (int64_t)((double)part->idle_ns * share);
	}
}

/* The objects that a line makes let Python collect garbage: who does the line's work does that, too. */
static bool is_garbage_of_work(const struct host_part *part, const struct line_sum *sum,
			       double fault_ns)
{
	return part->kind == HOST_KIND_GARBAGE && sum->garbage_ns < sum->running_ns &&
	       kind_of_line(sum, fault_ns) == HOST_KIND_WORK;
}

/* What compiles, reads files or touches new memory on the way to a launch is that. */
static bool is_launch_of_other(const struct host_part *part, const struct line_sum *sum,
			       double fault_ns)
{
	return part->kind == HOST_KIND_LAUNCH && kind_of_line(sum, fault_ns) != HOST_KIND_WORK;
}

/* Whether others work for a line that compiles. */
static bool is_help_for_compiling(const struct host_part *part, const struct line_sum *sum,
				  double fault_ns)
{
	return (part->kind == HOST_KIND_LIBRARY || part->kind == HOST_KIND_WORK) &&
	       kind_of_line(sum, fault_ns) == HOST_KIND_COMPILE;
}

void line_kind_settle(struct host_part *part, const struct line_sum *sum, double fault_ns)
{
	if (part->kind == HOST_KIND_COUNT || is_launch_of_other(part, sum, fault_ns) ||
	    is_garbage_of_work(part, sum, fault_ns))
		settle_part(part, sum, fault_ns);
	else if (is_help_for_compiling(part, sum, fault_ns))
		part->kind = HOST_KIND_COMPILE;
}
