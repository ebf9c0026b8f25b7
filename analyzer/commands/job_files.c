#include "commands/job_files.h"

#include "base/vector.h"
#include "job/folder.h"

#include <stdlib.h>
#include <string.h>

typedef VECTOR(char *) path_vector;

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* A process has one place in the order of a folder. */
static bool is_same_process(const struct folder_file *a, const struct folder_file *b)
{
	return is_same(a->rank, b->rank) && is_same(a->host, b->host) && a->process_id &&
	       a->process_id == b->process_id && a->start_ns == b->start_ns;
}

/* Of the files of a process one counts: its summary, or else the first. */
static bool is_chosen(const struct folder *folder, size_t index)
{
	const struct folder_file *files = folder->files, *file = &files[index];

	for (size_t i = index; i-- > 0 && is_same_process(&files[i], file);)
		if (files[i].is_summary || !file->is_summary)
			return false;
	for (size_t i = index + 1; i < folder->file_count && is_same_process(&files[i], file); i++)
		if (files[i].is_summary && !file->is_summary)
			return false;
	return true;
}

static void take_members(struct folder *folder, path_vector *paths)
{
	for (size_t i = 0; i < folder->file_count; i++)
		if (is_chosen(folder, i))
			*vector_add(paths) = memory_format("%s", folder->files[i].path);
}

static void leave_out(struct job_files *files, const struct folder *folder)
{
	struct job_pile pile = {0};
	struct arena arena = {0};

	for (size_t i = 0; i < folder->left_out_count; i++)
		job_pile_add(&pile, job_of_unread(arena_text(&arena, folder->left_out[i].path),
						  folder->left_out[i].why));
	files->left_out = job_merge(files->left_out, job_pile_take(&pile));
	arena_free(&arena);
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

static bool take_folder(struct job_files *files, const char *path, path_vector *paths)
{
	char *error;
	struct folder *folder = folder_read(path, &error);

	free(error);
	if (!folder)
		return false;
	files->is_job |= are_together(folder) || has_ranks(folder) ||
			 (!folder->file_count && folder->left_out_count);
	take_members(folder, paths);
	leave_out(files, folder);
	folder_free(folder);
	return true;
}

static void take_files(struct job_files *files, const char *const *asked, size_t count,
		       path_vector *paths)
{
	struct folder *folder = folder_of_files(asked, count);
	bool has_others = folder->left_out_count > 0;

	files->is_job |= count > 1 && !has_others && are_together(folder);
	for (size_t i = 0; i < folder->file_count; i++)
		files->is_job |= folder->files[i].is_summary;
	take_members(folder, paths);
	leave_out(files, folder);
	folder_free(folder);
}

bool job_files_find(struct job_files *files, char *const *asked, size_t count)
{
	VECTOR(const char *) single = {0};
	path_vector paths = {0};
	bool ok = true;

	*files = (struct job_files){.left_out = job_create()};
	for (size_t i = 0; i < count; i++)
		if (folder_is_at(asked[i]))
			ok &= take_folder(files, asked[i], &paths);
		else
			*vector_add(&single) = asked[i];
	if (single.count)
		take_files(files, single.items, single.count, &paths);
	vector_free(&single);
	vector_move(&paths, files->paths, files->count);
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
