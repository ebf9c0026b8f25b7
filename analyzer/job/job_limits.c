#include "job/job_limits.h"

#include "base/vector.h"

#include <string.h>

/* A note of a row. ordinal: how many notes with the same `what` come before it in the row. */
struct entry {
	const struct summary_note *note;
	size_t row, ordinal, index;
};

typedef VECTOR(struct entry) entry_vector;

static int compare_kinds(const struct entry *a, const struct entry *b)
{
	int order = strcmp(a->note->what, b->note->what);

	return order ? order : (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = compare_kinds(a, b);

	return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* What most rows have first, of equals what the first row says first. */
static int compare_limits(const void *left, const void *right)
{
	const struct job_limit *a = left, *b = right;
	int order = (a->row_count < b->row_count) - (a->row_count > b->row_count);

	order = order ? order : (a->rows[0] > b->rows[0]) - (a->rows[0] < b->rows[0]);
	return order ? order : (a->place > b->place) - (a->place < b->place);
}

static void add_notes(entry_vector *entries, const struct summary *summary, size_t row)
{
	for (size_t i = 0; i < summary->note_count; i++) {
		size_t ordinal = 0;

		for (size_t k = 0; k < i; k++)
			ordinal += !strcmp(summary->notes[k].what, summary->notes[i].what);
		*vector_add(entries) = (struct entry){&summary->notes[i], row, ordinal, i};
	}
}

static struct job_limit make_limit(const struct entry *entries, size_t count)
{
	struct job_limit limit = {.what = entries->note->what,
				  .why = entries->note->why,
				  .place = entries->index,
				  .is_same = true,
				  .rows = memory_array(count, sizeof(*limit.rows)),
				  .row_count = count};

	for (size_t i = 0; i < count; i++) {
		limit.rows[i] = (uint32_t)entries[i].row;
		limit.is_same &= !strcmp(entries[i].note->why, limit.why);
	}
	return limit;
}

void limits_find(struct job_report *report)
{
	VECTOR(struct job_limit) limits = {0};
	entry_vector entries = {0};

	for (size_t row = 0; row < report->row_count; row++)
		add_notes(&entries, report->rows[row].member->summary, row);
	vector_sort(&entries, compare_entries);
	for (size_t i = 0, end; i < entries.count; i = end) {
		for (end = i;
		     end < entries.count && !compare_kinds(&entries.items[i], &entries.items[end]);)
			end++;
		*vector_add(&limits) = make_limit(entries.items + i, end - i);
	}
	vector_sort(&limits, compare_limits);
	vector_free(&entries);
	vector_move(&limits, report->limits, report->limit_count);
}

void limits_free(struct job_report *report)
{
	for (size_t i = 0; i < report->limit_count; i++)
		free(report->limits[i].rows);
	free(report->limits);
}

char *limits_of_idle(const struct summary *summary)
{
	static const char *const reasons[] = {"GPU operations", "window"};

	for (size_t i = 0; i < summary->note_count; i++)
		for (size_t k = 0; k < sizeof(reasons) / sizeof(*reasons); k++)
			if (!strcmp(summary->notes[i].what, reasons[k]))
				return memory_format("no GPU operations: %s",
						     summary->notes[i].why);
	return memory_format("no GPU work");
}
