#include "rewrite/patch.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CONTEXT 3 /* lines around a change, as diff -u has them */

void patch_add(patch *changes, struct piece piece, const char *format, ...)
{
	va_list values;
	char *text = NULL;

	for (size_t i = 0; i < changes->count; i++)
		if (changes->items[i].piece.start == piece.start &&
		    changes->items[i].piece.end == piece.end)
			return;
	va_start(values, format);
	if (vasprintf(&text, format, values) < 0)
		text = memory_array(1, 1);
	va_end(values);
	*vector_add(changes) = (struct change){piece, text};
}

void patch_remove_lines(patch *changes, const struct code *code, struct piece piece)
{
	while (piece.start && code->text[piece.start - 1] != '\n')
		piece.start--;
	while (piece.end < code->length && code->text[piece.end - 1] != '\n')
		piece.end++;
	patch_add(changes, piece, "%s", "");
}

void patch_free(patch *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		free(changes->items[i].text);
	vector_free(changes);
}

static int compare_starts(const void *a, const void *b)
{
	const struct change *left = a, *right = b;

	return left->piece.start < right->piece.start ? -1 : left->piece.start > right->piece.start;
}

/* Of sorted changes. */
static bool has_overlap(const patch *changes)
{
	for (size_t i = 1; i < changes->count; i++)
		if (changes->items[i].piece.start < changes->items[i - 1].piece.end)
			return true;
	return false;
}

char *patch_apply(patch *changes, const char *text, size_t length)
{
	size_t bytes = 0, from = 0;
	char *result = NULL;
	FILE *out;

	vector_sort(changes, compare_starts);
	out = has_overlap(changes) ? NULL : open_memstream(&result, &bytes);
	if (!out)
		return NULL;
	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->items[i];

		fwrite(text + from, 1, change->piece.start - from, out);
		fputs(change->text, out);
		from = change->piece.end;
	}
	fwrite(text + from, 1, length - from, out);
	fclose(out);
	return result;
}

typedef VECTOR(struct piece) lines;

static lines split_lines(const char *text)
{
	lines result = {0};

	for (size_t start = 0; text[start];) {
		size_t length = strcspn(text + start, "\n");

		length += text[start + length] == '\n';
		*vector_add(&result) = (struct piece){start, start + length};
		start += length;
	}
	return result;
}

struct diffing {
	FILE *out;
	const char *before, *after;
	lines old, new;
};

static bool is_equal(const struct diffing *diffing, size_t old, size_t new)
{
	struct piece a = diffing->old.items[old], b = diffing->new.items[new];

	return a.end - a.start == b.end - b.start &&
	       !memcmp(diffing->before + a.start, diffing->after + b.start, a.end - a.start);
}

/* [old_start, old_end) became [new_start, new_end); lines. */
struct hunk {
	size_t old_start, old_end, new_start, new_end;
};

/* How many lines from there on are equal on both sides, at most `most`. */
static size_t count_equal(const struct diffing *diffing, size_t old, size_t new, size_t most)
{
	size_t count = 0;

	while (count < most && old + count < diffing->old.count &&
	       new + count < diffing->new.count &&is_equal(diffing, old + count, new + count))
		count++;
	return count;
}

/* The shortest difference that begins at old and new and after which CONTEXT + 1 lines, or all that are left,
 * are equal again. Changes are small: this tries all sums of lines in turn. */
static struct hunk next_difference(const struct diffing *diffing, size_t old, size_t new)
{
	size_t old_left = diffing->old.count - old, new_left = diffing->new.count - new;

	for (size_t sum = 1; sum <= old_left + new_left; sum++)
		for (size_t gone = sum < old_left ? sum : old_left;; gone--) {
			size_t come = sum - gone, left;

			if (come > new_left)
				break;
			left = old_left - gone < CONTEXT + 1 ? old_left - gone : CONTEXT + 1;
			if (count_equal(diffing, old + gone, new + come, left) == left &&
			    (left == CONTEXT + 1 || new_left - come == left))
				return (struct hunk){old, old + gone, new, new + come};
			if (!gone)
				break;
		}
	return (struct hunk){old, diffing->old.count, new, diffing->new.count};
}

static void print_line(const struct diffing *diffing, char mark, const char *text,
		       struct piece line)
{
	fprintf(diffing->out, "%c%.*s", mark, (int)(line.end - line.start), text + line.start);
	if (text[line.end - 1] != '\n')
		fputs("\n\\ No newline at end of file\n", diffing->out);
}

static void print_range(const struct diffing *diffing, size_t start, size_t count)
{
	/* An empty range is named by the line before it. */
	fprintf(diffing->out, "%zu", count ? start + 1 : start);
	if (count != 1)
		fprintf(diffing->out, ",%zu", count);
}

/* Changes that are near each other make one hunk. */
static void print_hunk(const struct diffing *diffing, const struct hunk *parts, size_t count)
{
	const struct hunk *first = &parts[0], *last = &parts[count - 1];
	size_t before = first->old_start < CONTEXT ? first->old_start : CONTEXT;
	size_t left = diffing->old.count - last->old_end, after = left < CONTEXT ? left : CONTEXT;
	size_t old = first->old_start - before;

	fputs("@@ -", diffing->out);
	print_range(diffing, old, last->old_end + after - old);
	fputs(" +", diffing->out);
	print_range(diffing, first->new_start - before,
		    last->new_end + after - (first->new_start - before));
	fputs(" @@\n", diffing->out);
	for (size_t i = 0; i < count; i++) {
		for (; old < parts[i].old_start; old++)
			print_line(diffing, ' ', diffing->before, diffing->old.items[old]);
		for (; old < parts[i].old_end; old++)
			print_line(diffing, '-', diffing->before, diffing->old.items[old]);
		for (size_t new = parts[i].new_start; new < parts[i].new_end; new ++)
			print_line(diffing, '+', diffing->after, diffing->new.items[new]);
	}
	for (; old < last->old_end + after; old++)
		print_line(diffing, ' ', diffing->before, diffing->old.items[old]);
}

typedef VECTOR(struct hunk) hunks;

static hunks find_differences(const struct diffing *diffing)
{
	hunks found = {0};
	size_t old = 0, new = 0;

	while (old < diffing->old.count || new < diffing->new.count) {
		size_t same = count_equal(diffing, old, new, SIZE_MAX);
		struct hunk hunk;

		old += same;
		new += same;
		if (old == diffing->old.count && new == diffing->new.count)
			break;
		hunk = next_difference(diffing, old, new);
		*vector_add(&found) = hunk;
		old = hunk.old_end;
		new = hunk.new_end;
	}
	return found;
}

char *patch_diff(const char *name, const char *before, const char *after)
{
	struct diffing diffing = {.before = before, .after = after};
	size_t bytes = 0, count;
	char *diff = NULL;
	hunks found;

	diffing.out = open_memstream(&diff, &bytes);
	if (!diffing.out)
		return memory_format("%s", "");
	diffing.old = split_lines(before);
	diffing.new = split_lines(after);
	found = find_differences(&diffing);
	fprintf(diffing.out, "--- a/%s\n+++ b/%s\n", name, name);
	for (size_t i = 0; i < found.count; i += count) {
		count = 1;
		while (i + count < found.count &&
		       found.items[i + count].old_start <=
			       found.items[i + count - 1].old_end + 2 * CONTEXT)
			count++;
		print_hunk(&diffing, &found.items[i], count);
	}
	vector_free(&found);
	vector_free(&diffing.old);
	vector_free(&diffing.new);
	fclose(diffing.out);
	return diff;
}
