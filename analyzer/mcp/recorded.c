#include "mcp/recorded.h"

#include "mcp/roots.h"
#include "trace/file_kind.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_DEPTH 12
/* A root can be a home folder: half a second. */
#define MOST_ENTRIES 200000

struct searching {
	path_list *paths;
	size_t entries;
	bool is_flat; /* not in folders below */
};

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_trace(const char *path)
{
	const size_t length = strlen(path);

	return length > 3 && !strcmp(path + length - 3, ".db") && file_kind_at(path) == FILE_TRACE;
}

static void search_folder(struct searching *searching, const char *path, int depth)
{
	DIR *folder = depth < MOST_DEPTH ? opendir(path) : NULL;
	struct stat status;

	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		char *name;

		if (entry->d_name[0] == '.' || searching->entries == MOST_ENTRIES)
			continue;
		searching->entries++;
		name = memory_format("%s/%s", path[1] ? path : "", entry->d_name);
		if (lstat(name, &status))
			status.st_mode = 0;
		if (S_ISDIR(status.st_mode) && !searching->is_flat)
			search_folder(searching, name, depth + 1);
		if (S_ISREG(status.st_mode) && is_trace(name)) {
			*vector_add(searching->paths) = name;
			name = NULL;
		}
		free(name);
	}
	if (folder)
		closedir(folder);
}

json_t *recorded_traces(const char *folder)
{
	path_list paths = {0};
	struct searching searching = {.paths = &paths, .is_flat = true};
	json_t *array = json_array();

	search_folder(&searching, folder, 0);
	vector_sort(&paths, compare_paths);
	for (size_t i = 0; i < paths.count; i++)
		json_array_append_new(array, json_string(paths.items[i]));
	recorded_free(&paths);
	return array;
}

void recorded_find(const struct roots *roots, path_list *paths)
{
	struct searching searching = {.paths = paths};
	size_t count = 0;

	for (size_t i = 0; i < roots->folders.count; i++)
		search_folder(&searching, roots->folders.items[i], 0);
	vector_sort(paths, compare_paths);
	for (size_t i = 0; i < paths->count; i++)
		if (count && !strcmp(paths->items[i], paths->items[count - 1]))
			free(paths->items[i]);
		else
			paths->items[count++] = paths->items[i];
	paths->count = count;
}

void recorded_free(path_list *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->items[i]);
	vector_free(paths);
}
