/*
 * In a damaged file a search can end where its id is not: what is read in ranges of ids must then not be
 * taken for the table.
 */
#include "build_trace.h"
#include "cmocka_test.h"
#include "test_folder.h"
#include "trace/trace_private.h"

#include <stdlib.h>
#include <string.h>

static const char rows[] =
	"INSERT INTO functions VALUES (1, 'cudaLaunchKernel', 'launch');"
	"WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1000)"
	"INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path,"
	" per_thread_stream) SELECT n, 100, 1, n * 1000000, n * 1000000 + 5000, 0, 0, 0 FROM n"
	" WHERE n % 3;";

/* https://sqlite.org/fileformat.html, 1.6: pages that only lead to others, in the tree of a table. */
#define PAGE_BYTES 512 /* of build_trace() */
#define INNER_PAGE 5   /* its first byte */
#define INNER_HEADER                                                                               \
	12 /* before the places of its cells: the number of a page, the last id there */
#define CHILD_BYTES 4

static int64_t number_at(const char *bytes)
{
	return (int64_t)(unsigned char)bytes[0] << 8 | (unsigned char)bytes[1];
}

/* Where the last id of the page's cell is, as one byte of seven bits or two. */
static char *key_at(char *page, int64_t cell)
{
	return page + number_at(page + INNER_HEADER + 2 * cell) + CHILD_BYTES;
}

static int64_t read_key(const char *key)
{
	const unsigned char first = (unsigned char)key[0], second = (unsigned char)key[1];

	return first & 0x80 ? (first & 0x7f) << 7 | second : first;
}

static void write_key(char *key, int64_t id)
{
	key[0] = (char)(id >> 7 | 0x80);
	key[1] = (char)(id & 0x7f);
}

/* Calls with an id from first to before end: each third is missing. */
static int64_t calls_between(int64_t first, int64_t end)
{
	return (end - first) - ((end - 1) / 3 - (first - 1) / 3);
}

/* The first page that leads to others by keys of two bytes, many of them; how many. */
static char *find_page(char *bytes, size_t size, int64_t *cells)
{
	*cells = 0;
	for (char *page = bytes + PAGE_BYTES; page < bytes + size; page += PAGE_BYTES) {
		*cells = number_at(page + 3);
		if (*page == INNER_PAGE && *cells > 20 && read_key(key_at(page, *cells - 1)) < 1000)
			return page;
	}
	fail_msg("no page leads to so many others");
	return NULL;
}

/* The cell that leads to the id. */
static int64_t find_cell(char *page, int64_t id)
{
	int64_t cell = 0;

	while (read_key(key_at(page, cell)) < id)
		cell++;
	return cell;
}

/* In ranges of so many ids some calls are read twice, and as many by none: a search for the first id of
 * one range ends a page too early, that of a later one a page too late. False: it cannot be made. */
static bool damage(char *page, int64_t cells, int64_t shard_ids)
{
	const int64_t first = 128 + shard_ids - 127 % shard_ids,
		      last = read_key(key_at(page, cells - 1));

	for (int64_t early = first; early <= last; early += shard_ids)
		for (int64_t late = early + shard_ids; late <= last; late += shard_ids) {
			const int64_t before = find_cell(page, early) - 1,
				      at = find_cell(page, late);

			if (before < 0 || read_key(key_at(page, before)) < 128 ||
			    at <= before + 2 ||
			    calls_between(read_key(key_at(page, before)) + 1, early) !=
				    calls_between(late, read_key(key_at(page, at)) + 1))
				continue;
			write_key(key_at(page, before), early);
			write_key(key_at(page, at), late - 1);
			return true;
		}
	return false;
}

TEST_IN_FOLDER(test_a_damaged_tree_is_no_other_trace)
{
	int64_t shard_ids = 5, cells;
	char *bytes, *page, *error;
	struct trace *trace;
	size_t size;

	build_trace(path, NULL, rows);
	bytes = read_file(path, &size);
	page = find_page(bytes, size, &cells);

	while (!damage(page, cells, shard_ids))
		assert_true(++shard_ids < 100);
	write_file(path, bytes, size);
	trace = trace_load_as(path, &(struct load_options){.shard_ids = (size_t)shard_ids}, &error);
	assert_null(trace);
	assert_non_null(strstr(error, "is a duplicate or out of order"));
	free(error);
	free(bytes);
}

RUN_TESTS(NULL, NULL)
