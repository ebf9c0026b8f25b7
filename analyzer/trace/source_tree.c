#include "trace/source_tree.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Removes ".", ".." and double slashes from the path's text. Does not follow links: the files may
 * be on another machine. */
static char *normalize_path(const char *path)
{
	char *clean = memory_format("%s", path);
	size_t used = 0, least = path[0] == '/' ? 1 : 0;

	while (*path) {
		size_t length = strcspn(path, "/");

		if (length == 2 && !strncmp(path, "..", 2) && used > 0) {
			while (used > 0 && clean[used - 1] != '/')
				used--;
			used -= used > least;
		} else if (length > 0 && !(length == 1 && path[0] == '.')) {
			if (used > 0 && clean[used - 1] != '/')
				clean[used++] = '/';
			memmove(clean + used, path, length);
			used += length;
		} else if (used == 0 && path[0] == '/') {
			clean[used++] = '/';
		}
		path += length;
		path += *path == '/';
	}
	clean[used] = '\0';
	return clean;
}

/* Whether path is folder or lies below it; the rest, without a slash, in *rest. */
static bool is_below(const char *path, const char *folder, const char **rest)
{
	size_t length = strlen(folder);

	if (strncmp(path, folder, length) != 0)
		return false;
	if (length > 0 && folder[length - 1] == '/')
		length--;
	if (path[length] && path[length] != '/')
		return false;
	*rest = path + length + (path[length] == '/');
	return true;
}

static size_t common_length(const char *a, const char *b)
{
	size_t same = 0, i;

	for (i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			same = i;
	if ((!a[i] && (!b[i] || b[i] == '/')) || (!b[i] && a[i] == '/'))
		same = i;
	return same;
}

static int count_components(const char *path, size_t length)
{
	int count = 0;

	for (size_t i = 0; i + 1 < length; i++)
		count += path[i] == '/' && path[i + 1] != '/';
	return count;
}

/* PROJECT/src: the headers may be in PROJECT/include. */
static void drop_source_folder(char *root)
{
	static const char *const names[] = {"src", "source", "sources"};
	char *slash = strrchr(root, '/');

	for (size_t i = 0; slash && i < COUNT(names); i++)
		if (!strcmp(slash + 1, names[i]) && count_components(root, strlen(root)) > 2) {
			*slash = '\0';
			return;
		}
}

/* The folder that contains both, if it can be a project's: not one that a whole machine or user
 * shares. */
static char *find_root(const char *folder, const char *source_folder)
{
	const char *rest;
	size_t length;
	int least = starts_with(folder, "/home/") ? 3 : 2;
	char *root;

	if (is_below(source_folder, folder, &rest))
		return memory_format("%s", folder);
	length = common_length(folder, source_folder);
	if (length == strlen(source_folder) || count_components(folder, length) >= least)
		return memory_format("%.*s", (int)length, folder);
	root = memory_format("%s", source_folder);
	drop_source_folder(root);
	return root;
}

struct source_tree source_tree_of(const char *folder, const char *source)
{
	struct source_tree tree = {0};
	char *joined, *path, *slash;

	if (folder && folder[0] == '/')
		tree.folder = normalize_path(folder);
	if (!source || (source[0] != '/' && !tree.folder)) {
		tree.root = tree.folder ? memory_format("%s", tree.folder) : NULL;
		return tree;
	}
	joined = source[0] == '/' ? memory_format("%s", source)
				  : memory_format("%s/%s", tree.folder, source);
	path = normalize_path(joined);
	free(joined);
	slash = strrchr(path, '/');
	if (slash)
		*slash = '\0';
	tree.root = tree.folder ? find_root(tree.folder, path) : memory_format("%s", path);
	free(path);
	/* All files are below the root folder: that says nothing. */
	if (tree.root[0] != '/' || !tree.root[1]) {
		free(tree.root);
		tree.root = NULL;
	}
	return tree;
}

void source_tree_free(struct source_tree *tree)
{
	free(tree->root);
	free(tree->folder);
	*tree = (struct source_tree){0};
}

bool source_is_header(const char *file)
{
	static const char *const kinds[] = {"h",   "hh",  "hpp", "hxx", "h++", "cuh", "inl",
					    "inc", "ipp", "tcc", "tpp", "txx", "ixx", "def"};
	const char *slash = strrchr(file, '/'), *dot;

	/* <vector>, <Eigen/Dense> */
	dot = strrchr(slash ? slash : file, '.');
	if (!dot)
		return true;
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (!strcasecmp(dot + 1, kinds[i]))
			return true;
	return false;
}

/* A component of the path is the name, or the name with a version: eigen-3.4.0. */
static bool has_component(const char *path, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = path; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (!strncasecmp(at, name, length) &&
		    (at[length] == '/' || (at[length] == '-' && strchr(at, '/'))))
			return true;
	}
	return false;
}

/* A copy of another project: by the usual folders for those, or between the project's own files by
 * the names of header libraries. */
static bool is_copy(const char *path)
{
	static const char *const folders[] = {
		"third_party", "third-party", "thirdparty", "3rdparty",	  "3rd_party",
		"external",    "externals",   "extern",	    "vendor",	  "vendored",
		"_deps",       "deps",	      "submodules", "subprojects"};
	static const char *const libraries[] = {
		"thrust",  "cub",   "libcudacxx", "cccl", "eigen", "eigen3", "kokkos",
		"cutlass", "boost", "mdspan",	  "rmm",  "raja",  "raft",   "arrayfire"};

	for (size_t i = 0; i < COUNT(folders); i++)
		if (has_component(path, folders[i]))
			return true;
	for (size_t i = 0; i < COUNT(libraries); i++)
		if (has_component(path, libraries[i]))
			return true;
	return false;
}

static bool is_installed(const char *path)
{
	static const char *const folders[] = {"/usr/", "/lib/", "/lib64/", "/opt/",
					      "/nix/", "/gnu/", "/snap/"};

	for (size_t i = 0; i < COUNT(folders); i++)
		if (starts_with(path, folders[i]))
			return true;
	return strstr(path, "/site-packages/") || strstr(path, "/dist-packages/");
}

/* ../include/app.h, as the compiler was given it: people write that of their own files. */
static bool is_beside(const char *file, const char *path, const struct source_tree *unit)
{
	const char *rest;

	if (is_installed(path))
		return false;
	if (file[0] != '/')
		return true;
	return unit->folder && is_below(file, unit->folder, &rest) && starts_with(rest, "../");
}

bool source_is_library(const char *file, const struct source_tree *program,
		       const struct source_tree *unit)
{
	char *path = normalize_path(file);
	const char *rest;
	bool is_library;

	if (program->root && is_below(path, program->root, &rest))
		is_library = is_copy(rest);
	else if (unit->root && is_below(path, unit->root, &rest))
		is_library = is_copy(program->root ? path : rest) || is_installed(path);
	else if (is_beside(file, path, unit))
		is_library = is_copy(path);
	else
		is_library = source_is_header(path) || is_copy(path) || is_installed(path);
	free(path);
	return is_library;
}
