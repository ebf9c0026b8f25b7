#include "commands/job_files.h"

#include "base/vector.h"
#include "job/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct finding_files {
	struct job_files *files;
	VECTOR(struct folder *) folders; /* of which one may be of files that were named */
};

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* As a summary has it. */
static int64_t rank_of(const struct folder_file *file)
{
	char *end;
	long long rank;

	if (!file->rank)
		return SUMMARY_NO_RANK;
	errno = 0;
	rank = strtoll(file->rank, &end, 10);
	return errno || end == file->rank || *end || rank < 0 || rank > INT32_MAX ? SUMMARY_NO_RANK
										  : rank;
}

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_processes(const struct folder_file *a, const struct folder_file *b)
{
	int order = compare_numbers(rank_of(a), rank_of(b));

	order = order ? order : strcmp(a->host ? a->host : "", b->host ? b->host : "");
	order = order ? order : compare_numbers(a->process_id, b->process_id);
	return order ? order : compare_numbers(a->start_ns, b->start_ns);
}

/* Sorts the files of a process: the one to use comes first, its summary or else the first path. */
static int compare_files(const void *left, const void *right)
{
	const struct folder_file *a = *(const struct folder_file *const *)left;
	const struct folder_file *b = *(const struct folder_file *const *)right;
	int order = compare_processes(a, b);

	order = order ? order : (int)b->is_summary - (int)a->is_summary;
	return order ? order : strcmp(a->path, b->path);
}

/* Each process once, however many of the operands have it. */
static void take_members(const struct finding_files *finding)
{
	VECTOR(const struct folder_file *) members = {0};
	VECTOR(char *) paths = {0};

	for (size_t i = 0; i < finding->folders.count; i++)
		for (size_t k = 0; k < finding->folders.items[i]->file_count; k++)
			*vector_add(&members) = &finding->folders.items[i]->files[k];
	vector_sort(&members, compare_files);
	for (size_t i = 0; i < members.count; i++)
		if (!i || !members.items[i]->process_id ||
		    compare_processes(members.items[i - 1], members.items[i]) != 0)
			*vector_add(&paths) = memory_format("%s", members.items[i]->path);
	vector_free(&members);
	vector_move(&paths, finding->files->paths, finding->files->count);
}

static void leave_out(struct job_files *files, const struct folder *folder)
{
	struct job_pile pile = {0};

	for (size_t i = 0; i < folder->left_out_count; i++) {
		const struct folder_left_out *left_out = &folder->left_out[i];
		struct job *job = job_of_unread(left_out->path, left_out->why);

		job->unread->is_readable = left_out->is_readable;
		job_pile_add(&pile, job);
	}
	files->left_out = job_merge(files->left_out, job_pile_take(&pile));
}

/* Whether somebody said that they belong together. */
static bool are_together(const struct folder *folder)
{
	size_t ranks = 0;

	for (size_t i = 0; i < folder->file_count; i++) {
		const struct folder_file *file = &folder->files[i];

		ranks += file->rank && !(i && is_same(file->rank, file[-1].rank));
		if (i && ((file->traced_by && is_same(file->traced_by, file[-1].traced_by)) ||
			  (file->run && is_same(file->run, file[-1].run))))
			return true;
	}
	return ranks > 1;
}

/* Whether one is of a job of several, or is a summary, which is made for nothing else. */
static bool has_ranks(const struct folder *folder)
{
	for (size_t i = 0; i < folder->file_count; i++)
		if (folder->files[i].is_summary ||
		    (folder->files[i].ranks && strcmp(folder->files[i].ranks, "1") != 0))
			return true;
	return false;
}

static bool take_folder(struct finding_files *finding, const char *path)
{
	char *error;
	struct folder *folder = folder_read(path, &error);

	free(error);
	if (!folder)
		return false;
	finding->files->is_job |= are_together(folder) || has_ranks(folder) ||
				  (!folder->file_count && folder->left_out_count);
	leave_out(finding->files, folder);
	*vector_add(&finding->folders) = folder;
	return true;
}

static void take_files(struct finding_files *finding, const char *const *asked, size_t count)
{
	struct folder *folder = folder_of_files(asked, count);
	bool has_others = false;

	for (size_t i = 0; i < folder->left_out_count; i++)
		has_others |= folder->left_out[i].is_readable;
	finding->files->is_job |= count > 1 && !has_others && are_together(folder);
	for (size_t i = 0; i < folder->file_count; i++)
		finding->files->is_job |= folder->files[i].is_summary;
	leave_out(finding->files, folder);
	*vector_add(&finding->folders) = folder;
}

bool job_files_find(struct job_files *files, char *const *asked, size_t count)
{
	struct finding_files finding = {.files = files};
	VECTOR(const char *) single = {0};
	bool ok = true;

	*files = (struct job_files){.left_out = job_create()};
	for (size_t i = 0; i < count; i++)
		if (folder_is_at(asked[i]))
			ok &= take_folder(&finding, asked[i]);
		else
			*vector_add(&single) = asked[i];
	if (single.count)
		take_files(&finding, single.items, single.count);
	take_members(&finding);
	for (size_t i = 0; i < finding.folders.count; i++)
		folder_free(finding.folders.items[i]);
	vector_free(&finding.folders);
	vector_free(&single);
	return ok;
}

void job_files_free(struct job_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->paths[i]);
	free(files->paths);
	job_free(files->left_out);
	*files = (struct job_files){0};
}
