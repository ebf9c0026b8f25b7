#include "job/folder.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/rank_order.h"
#include "base/vector.h"
#include "job/folder_runs.h"
#include "job/summary.h"
#include "trace/trace.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool folder_is_at(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A file of the folder, and what became of it. */
struct listed {
	char *path;
	char *why; /* NULL: it is a member */
	bool is_readable;
	struct folder_file file;
};

struct listing {
	struct listed *items;
	size_t count;
};

static bool has_ending(const char *name)
{
	size_t length = strlen(name);

	return length > 3 && strcmp(name + length - 3, ".db") == 0;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(((const struct listed *)a)->path, ((const struct listed *)b)->path);
}

/* False: errno says why. */
static bool list_folder(const char *path, struct listing *listing)
{
	VECTOR(struct listed) items = {0};
	size_t length = strlen(path);
	DIR *folder = opendir(path);
	struct dirent *entry;

	if (!folder)
		return false;
	while ((entry = readdir(folder)))
		if (has_ending(entry->d_name))
			*vector_add(&items) = (struct listed){
				.path = memory_format("%s%s%s", path,
						      length && path[length - 1] == '/' ? "" : "/",
						      entry->d_name)};
	closedir(folder);
	vector_sort(&items, compare_paths);
	vector_move(&items, listing->items, listing->count);
	return true;
}

static char *copy_text(const char *text)
{
	return text ? memory_format("%s", text) : NULL;
}

/* 0: none. */
static int64_t rank_number(const char *text)
{
	long long value = text ? strtoll(text, NULL, 10) : 0;

	return value > 0 ? value : 0;
}

static void take_trace(struct listed *listed)
{
	struct trace *trace = trace_load_metadata(listed->path, &listed->why);

	if (!trace)
		return;
	listed->is_readable = true;
	listed->file.rank = copy_text(trace_metadata(trace, "rank"));
	listed->file.ranks = copy_text(trace_metadata(trace, "ranks"));
	listed->file.host = copy_text(trace_metadata(trace, "host"));
	listed->file.run = copy_text(trace_metadata(trace, "run"));
	listed->file.traced_by = copy_text(trace_metadata(trace, "traced_by"));
	listed->file.boot_id = copy_text(trace_metadata(trace, "boot_id"));
	listed->file.process_id = rank_number(trace_metadata(trace, "process_id"));
	listed->file.start_ns = rank_number(trace_metadata(trace, "start_ns"));
	listed->file.end_ns = rank_number(trace_metadata(trace, "end_ns"));
	trace_close(trace);
}

static void take_summary(struct listed *listed)
{
	struct summary *summary = summary_read_facts(listed->path, &listed->why);

	if (!summary)
		return;
	listed->is_readable = true;
	listed->file.is_summary = true;
	if (summary->rank != SUMMARY_NO_RANK)
		listed->file.rank = memory_format("%" PRId64, summary->rank);
	if (summary->ranks)
		listed->file.ranks = memory_format("%" PRId64, summary->ranks);
	listed->file.host = copy_text(summary->host);
	listed->file.run = copy_text(summary->run);
	listed->file.traced_by = copy_text(summary->traced_by);
	listed->file.boot_id = copy_text(summary->boot_id);
	listed->file.process_id = summary->process_id > 0 ? summary->process_id : 0;
	listed->file.start_ns = summary->start_ns;
	listed->file.end_ns = summary->end_ns;
	summary_free(summary);
}

static uint64_t bytes_of(const char *path)
{
	struct stat status;

	return stat(path, &status) ? 0 : (uint64_t)status.st_size;
}

static void take_name(void *context, size_t index)
{
	struct listed *listed = &((struct listing *)context)->items[index];

	listed->file.path = copy_text(listed->path);
	listed->file.bytes = bytes_of(listed->path);
	if (summary_is_at(listed->path))
		take_summary(listed);
	else
		take_trace(listed);
}

static int compare_files(const void *a, const void *b)
{
	const struct folder_file *x = a, *y = b;
	int order = rank_order(x->rank, y->rank);

	if (!order)
		order = strcmp(x->host ? x->host : "", y->host ? y->host : "");
	if (!order)
		order = (x->process_id > y->process_id) - (x->process_id < y->process_id);
	return order ? order : strcmp(x->path, y->path);
}

static void free_file(struct folder_file *file)
{
	free(file->path);
	free(file->rank);
	free(file->ranks);
	free(file->host);
	free(file->run);
	free(file->traced_by);
	free(file->boot_id);
}

/* Members and others apart; takes what is listed. */
static struct folder *divide_listing(struct listing *listing)
{
	struct folder *folder = memory_array(1, sizeof(*folder));
	VECTOR(struct folder_left_out) left_out = {0};
	VECTOR(struct folder_file) files = {0};

	for (size_t i = 0; i < listing->count; i++) {
		struct listed *listed = &listing->items[i];

		if (listed->why) {
			*vector_add(&left_out) = (struct folder_left_out){listed->path, listed->why,
									  listed->is_readable};
			free_file(&listed->file);
		} else {
			*vector_add(&files) = listed->file;
			free(listed->path);
		}
	}
	free(listing->items);
	vector_sort(&files, compare_files);
	vector_move(&files, folder->files, folder->file_count);
	vector_move(&left_out, folder->left_out, folder->left_out_count);
	return folder;
}

/* Says of those that are of other runs that they are. */
static void choose_run(struct listing *listing)
{
	const struct folder_file **files = memory_array(listing->count, sizeof(*files));
	size_t *indexes = memory_array(listing->count, sizeof(*indexes)), count = 0;
	bool *is_chosen;

	for (size_t i = 0; i < listing->count; i++) {
		if (listing->items[i].why)
			continue;
		files[count] = &listing->items[i].file;
		indexes[count++] = i;
	}
	is_chosen = folder_runs_choose(files, count);
	for (size_t i = 0; i < count; i++)
		if (!is_chosen[i])
			listing->items[indexes[i]].why = memory_format("is of another run");
	free(is_chosen);
	free(indexes);
	free(files);
}

static struct folder *read_listed(struct listing *listing)
{
	parallel_run(listing->count, take_name, listing);
	choose_run(listing);
	return divide_listing(listing);
}

struct folder *folder_read(const char *path, char **error)
{
	struct listing listing = {0};

	*error = NULL;
	if (!list_folder(path, &listing)) {
		*error = memory_format("%s", strerror(errno));
		return NULL;
	}
	return read_listed(&listing);
}

struct folder *folder_of_files(const char *const *paths, size_t count)
{
	struct listing listing = {memory_array(count ? count : 1, sizeof(*listing.items)), count};

	for (size_t i = 0; i < count; i++)
		listing.items[i].path = copy_text(paths[i]);
	return read_listed(&listing);
}

void folder_free(struct folder *folder)
{
	size_t i;

	for (i = 0; i < folder->file_count; i++)
		free_file(&folder->files[i]);
	for (i = 0; i < folder->left_out_count; i++) {
		free(folder->left_out[i].path);
		free(folder->left_out[i].why);
	}
	free(folder->files);
	free(folder->left_out);
	free(folder);
}
