#include "commands/operands.h"

#include "base/memory.h"
#include "base/vector.h"
#include "commands/command.h"
#include "job/folder.h"

#include <stdlib.h>

typedef VECTOR(char *) path_vector;

static char *copy_path(const char *path)
{
	return memory_format("%s", path);
}

static void take_folder(const struct folder *folder, const char *path, path_vector *paths)
{
	size_t traces = 0, of_others = 0, i;

	for (i = 0; i < folder->file_count; i++)
		traces += !folder->files[i].is_summary;
	for (i = 0; i < folder->file_count; i++)
		if (!traces || !folder->files[i].is_summary)
			*vector_add(paths) = copy_path(folder->files[i].path);
	for (i = 0; i < folder->left_out_count; i++)
		if (folder->left_out[i].is_readable)
			of_others++;
		else
			*vector_add(paths) = copy_path(folder->left_out[i].path);
	if (of_others == 1)
		command_note("%s: left out: a trace of another run", path);
	else if (of_others)
		command_note("%s: left out: %zu traces of other runs", path, of_others);
}

static bool expand_folder(const char *path, path_vector *paths)
{
	size_t before = paths->count;
	char *error;
	struct folder *folder = folder_read(path, &error);

	if (!folder) {
		command_note("%s: %s", path, error);
		free(error);
		return false;
	}
	take_folder(folder, path, paths);
	folder_free(folder);
	if (paths->count == before)
		command_note("%s: is a folder without traces (*.db)", path);
	return paths->count > before;
}

bool operands_expand(struct operands *operands, char *const *asked, size_t count)
{
	path_vector paths = {0};
	bool ok = true;

	for (size_t i = 0; i < count; i++)
		if (!folder_is_at(asked[i]))
			*vector_add(&paths) = copy_path(asked[i]);
		else if (!expand_folder(asked[i], &paths))
			ok = false;
	vector_move(&paths, operands->paths, operands->count);
	return ok;
}

void operands_free(struct operands *operands)
{
	for (size_t i = 0; i < operands->count; i++)
		free(operands->paths[i]);
	free(operands->paths);
	*operands = (struct operands){0};
}
