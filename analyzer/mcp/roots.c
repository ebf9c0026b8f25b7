#include "mcp/roots.h"

#include "base/folders.h"
#include "base/printable.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

bool roots_have(const struct roots *roots, const char *path)
{
	for (size_t i = 0; i < roots->folders.count; i++)
		if (folders_is_below(path, roots->folders.items[i],
				     strlen(roots->folders.items[i])))
			return true;
	return false;
}

bool roots_add(struct roots *roots, const char *path)
{
	char *real = realpath(path, NULL);
	const bool is_there = real && is_folder(real);

	if (is_there && !roots_have(roots, real))
		*vector_add(&roots->folders) = real;
	else
		free(real);
	return is_there;
}

static int value_of_digit(char c)
{
	return isdigit((unsigned char)c)    ? c - '0'
	       : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
					    : -1;
}

char *roots_decode(const char *text)
{
	char *path = memory_array(strlen(text) + 1, 1), *out = path;

	for (; *text; text++) {
		const int high = *text == '%' ? value_of_digit(text[1]) : 0;
		const int low = *text == '%' && high >= 0 ? value_of_digit(text[2]) : 0;

		*out = *text;
		if (*text == '%') {
			if (high < 0 || low < 0 || (!high && !low)) {
				free(path);
				return NULL;
			}
			*out = (char)(high << 4 | low);
			text += 2;
		}
		out++;
	}
	return path;
}

bool roots_add_uri(struct roots *roots, const char *uri)
{
	static const char *const beginnings[] = {"file://localhost/", "file:///"};
	bool is_added = false;
	char *path;

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++) {
		const size_t length = strlen(beginnings[i]);

		if (strncmp(uri, beginnings[i], length) != 0)
			continue;
		path = roots_decode(uri + length - 1);
		is_added = path && roots_add(roots, path);
		free(path);
	}
	return is_added;
}

void roots_narrow(struct roots *roots, const struct roots *outer)
{
	struct roots both = {0};

	for (size_t i = 0; i < roots->folders.count; i++)
		if (roots_have(outer, roots->folders.items[i]))
			roots_add(&both, roots->folders.items[i]);
	for (size_t i = 0; i < outer->folders.count; i++)
		if (roots_have(roots, outer->folders.items[i]))
			roots_add(&both, outer->folders.items[i]);
	roots_free(roots);
	*roots = both;
}

/* "NAME: no such file below A, B". */
static char *say_missing(const struct roots *roots, const char *name)
{
	char *text = memory_format("%s: no such file or folder below ", name), *longer;

	for (size_t i = 0; i < roots->folders.count; i++) {
		longer = memory_format("%s%s%s", text, i ? ", " : "", roots->folders.items[i]);
		free(text);
		text = longer;
	}
	if (!roots->folders.count) {
		longer = memory_format("%sany root: there is none", text);
		free(text);
		text = longer;
	}
	printable_make(text);
	return text;
}

static char *find_name(const struct roots *roots, const char *name)
{
	char *path, *real;

	if (!roots->folders.count)
		return NULL;
	path = *name == '/' ? memory_format("%s", name)
			    : memory_format("%s/%s", roots->folders.items[0], name);
	real = realpath(path, NULL);
	free(path);
	if (real && roots_have(roots, real))
		return real;
	free(real);
	return NULL;
}

static bool is_trace_name(const char *name)
{
	const size_t length = strlen(name);

	return length > 3 && !strcmp(name + length - 3, ".db");
}

/* Whether a link leads from the folder's traces to a file elsewhere. */
static bool leads_outside(const struct roots *roots, const char *path)
{
	DIR *folder = opendir(path);
	bool is_outside = false;

	for (struct dirent *entry; folder && !is_outside && (entry = readdir(folder));) {
		char *file, *real;

		if (!is_trace_name(entry->d_name))
			continue;
		file = memory_format("%s/%s", path, entry->d_name);
		real = realpath(file, NULL);
		is_outside = real && !roots_have(roots, real);
		free(real);
		free(file);
	}
	if (folder)
		closedir(folder);
	return is_outside;
}

char *roots_find(const struct roots *roots, const char *name, char **why)
{
	char *real = find_name(roots, name);

	if (real && !(is_folder(real) && leads_outside(roots, real)))
		return real;
	*why = real ? memory_format("%s: has a trace that is a link to a file elsewhere", name)
		    : say_missing(roots, name);
	printable_make(*why);
	free(real);
	return NULL;
}

char *roots_find_new(const struct roots *roots, const char *name, char **why)
{
	const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
	char *above =
		slash ? memory_format("%.*s/", (int)(slash - name), name) : memory_format(".");
	char *folder = find_name(roots, above), *path = NULL;

	if (folder && *last && strcmp(last, ".") != 0 && strcmp(last, "..") != 0 &&
	    strlen(last) <= NAME_MAX)
		path = memory_format("%s/%s", folder, last);
	else
		*why = say_missing(roots, folder ? name : above);
	free(folder);
	free(above);
	return path;
}

void roots_free(struct roots *roots)
{
	for (size_t i = 0; i < roots->folders.count; i++)
		free(roots->folders.items[i]);
	vector_free(&roots->folders);
}
