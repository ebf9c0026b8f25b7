/* What changed between base and head in three numbers, a line each. */
#include "base/format.h"
#include "render/gate_report.h"
#include "render/page.h"

#include <stdlib.h>

#define INDENT 12

/* "1.54 s", "1.54 s (1.50..1.60 s, 7 runs)". */
static char *describe_times(const struct gate_times *times)
{
	struct format median, range;

	if (times->runs == 1)
		return memory_format("%s", format_time(&median, times->median_ns));
	return memory_format("%s (%s, %zu runs)", format_time(&median, times->median_ns),
			     format_time_range(&range, times->least_ns, times->most_ns),
			     times->runs);
}

/* "95 % interval 690..740 ms" in brackets; "": one run each. */
static char *describe_interval(const struct gate_change *change)
{
	struct format low, high;

	if (change->percent <= 0)
		return memory_format("%s", "");
	return memory_format(" (%d %% interval %s to %s)", change->percent,
			     format_time(&low, change->low_ns),
			     format_time(&high, change->high_ns));
}

/* "715 ms less (46.6 %)"; "the same". */
static char *describe_difference(const struct gate_change *change)
{
	int64_t less_ns = change->realised_ns;
	struct format time, share;

	if (!less_ns)
		return memory_format("%s", "the same");
	return memory_format("%s %s (%s)", format_time(&time, llabs(less_ns)),
			     less_ns < 0 ? "more" : "less",
			     format_percent(&share, llabs(less_ns), change->base.median_ns));
}

/* " (465 ms for base's work)"; "". */
static char *describe_scaled(const struct gate_change *change)
{
	struct format scaled;

	if (change->scale == 1)
		return memory_format("%s", "");
	return memory_format(
		" (%s for base's work)",
		format_time(&scaled, gate_ns((double)change->head.median_ns / change->scale)));
}

static void print_wall(const struct page *page, const struct gate_change *change)
{
	char *base = describe_times(&change->base), *head = describe_times(&change->head);
	char *scaled = describe_scaled(change), *difference = describe_difference(change);

	print_formatted(page, "wall time", INDENT, "%s -> %s%s: %s%s%s%s", base, head, scaled,
			difference, change->rank ? ", on rank " : "",
			change->rank ? change->rank : "",
			change->rank ? ", the slowest in base" : "");
	free(base);
	free(head);
	free(scaled);
	free(difference);
}

/* Start-up and the end vary by themselves, and a fix can move work there, such as pinning and freeing what is pinned: only
 * said where it matters. */
static bool is_other(const struct gate_change *change, int64_t base_ns, int64_t head_ns)
{
	return llabs(head_ns - base_ns) >= change->base.median_ns / 200;
}

static bool has_other_ends(const struct gate_change *change)
{
	return is_other(change, change->base.lead_ns, change->head.lead_ns) ||
	       is_other(change, change->base.tail_ns, change->head.tail_ns);
}

static void print_end(const struct page *page, const struct gate_change *change, const char *where,
		      int64_t base_ns, int64_t head_ns)
{
	struct format base, head;

	if (is_other(change, base_ns, head_ns))
		print_formatted(page, NULL, INDENT, "%s GPU operation %s -> %s", where,
				format_time(&base, base_ns), format_time(&head, head_ns));
}

static void print_ends(const struct page *page, const struct gate_change *change)
{
	print_end(page, change, "before the first", change->base.lead_ns, change->head.lead_ns);
	print_end(page, change, "after the last", change->base.tail_ns, change->head.tail_ns);
}

/* "realised 715 ms"; "realised 924 ms from the first GPU operation to the last, 715 ms in all". */
static char *describe_realised(const struct gate_change *change)
{
	char *interval = describe_interval(change), *text;
	struct format realised, between;

	text = memory_format(
		"realised %s%s%s%s%s",
		has_other_ends(change) ? format_time(&between, change->between_ns) : "",
		has_other_ends(change) ? " from the first GPU operation to the last, " : "",
		format_time(&realised, change->realised_ns),
		has_other_ends(change) ? " in all" : "", interval);
	free(interval);
	return text;
}

static void print_fixed(const struct page *page, const struct gate_change *change)
{
	char *realised = describe_realised(change);
	const char *plural = change->gone_count == 1 ? "" : "s";
	struct format predicted, range;

	if (!change->gone_count)
		print_formatted(page, "fixed", INDENT, "no finding is gone");
	else if (change->has_predicted)
		print_formatted(page, "fixed", INDENT,
				"%zu finding%s: predicted saving %s (range %s), %s",
				change->gone_count, plural,
				format_time(&predicted, change->predicted.estimate_ns),
				format_time_range(&range, change->predicted.low_ns,
						  change->predicted.high_ns),
				realised);
	else
		print_formatted(page, "fixed", INDENT,
				"%zu finding%s: predicted saving unknown (%s), %s",
				change->gone_count, plural, change->no_prediction, realised);
	free(realised);
}

static void print_left(const struct page *page, const struct gate_change *change)
{
	struct format left, share, range;

	if (!change->has_left)
		print_formatted(page, "left", INDENT, "unknown: the self-check of head failed");
	else if (!change->left_count)
		print_formatted(page, "left", INDENT, "no finding");
	else
		print_formatted(
			page, "left", INDENT,
			"%s (%s of the run, range %s) can be won back by overlap: "
			"%zu finding%s",
			format_time(&left, change->left.estimate_ns),
			format_percent(&share, change->left.estimate_ns, change->left_of_ns),
			format_time_range(&range, change->left.low_ns, change->left.high_ns),
			change->left_count, change->left_count == 1 ? "" : "s");
}

void gate_print_change(const struct page *page, const struct gate *gate)
{
	if (!gate->has_change)
		return;
	print_wall(page, &gate->change);
	print_ends(page, &gate->change);
	print_fixed(page, &gate->change);
	print_left(page, &gate->change);
	fputc('\n', page->out);
}
