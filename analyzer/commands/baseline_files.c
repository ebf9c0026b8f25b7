#include "commands/baseline_files.h"

#include "base/folders.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/regular_file.h"
#include "base/text_file.h"
#include "commands/command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_MOST_BYTES 100
#define FILE_MODE	0644
#define FOLDER_MODE	0777

char *baseline_files_repository(void)
{
	char *folder = getcwd(NULL, 0), *slash;

	while (folder && *folder) {
		char *git = memory_format("%s/.git", folder);
		bool is_root = !access(git, F_OK);

		free(git);
		if (is_root)
			return folder;
		slash = strrchr(folder, '/');
		if (!slash)
			break;
		*slash = '\0';
	}
	free(folder);
	return NULL;
}

/* Relative paths in the environment do not count (XDG Base Directory Specification). */
static char *home_folder(void)
{
	const char *base = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (base && *base == '/')
		return memory_format("%s/streamtrace/baselines", base);
	if (home && *home == '/')
		return memory_format("%s/.local/share/streamtrace/baselines", home);
	command_fail(EXIT_UNREADABLE,
		     "no folder for baselines: the current folder is in no git repository, and "
		     "neither XDG_DATA_HOME nor HOME is an absolute path");
	return NULL;
}

char *baseline_files_folder(void)
{
	char *repository = baseline_files_repository();
	char *folder =
		repository ? memory_format("%s/.streamtrace/baselines", repository) : home_folder();

	free(repository);
	return folder;
}

bool baseline_files_check_name(const char *name)
{
	bool is_fine = isalnum((unsigned char)*name) && strlen(name) <= NAME_MOST_BYTES;

	for (const char *c = name; *c; c++)
		is_fine &= isalnum((unsigned char)*c) || strchr("._-+@", *c);
	if (!is_fine)
		command_fail(EXIT_USAGE,
			     "'%s' cannot name a baseline: letters, digits and ._-+@, the first a "
			     "letter or digit, %d at most",
			     name, NAME_MOST_BYTES);
	return is_fine;
}

char *baseline_files_path(const char *name)
{
	char *folder = baseline_files_check_name(name) ? baseline_files_folder() : NULL;
	char *path = folder ? memory_format("%s/%s.json", folder, name) : NULL;

	free(folder);
	return path;
}

/* False: *error says why. */
static bool read_path(struct saved_runs *saved, const char *name, const char *path, char **error)
{
	int file = regular_file_open(path);
	size_t size;
	char *text;
	bool ok;

	if (file < 0) {
		*error = memory_format("cannot be read");
		return false;
	}
	close(file);
	text = text_file_read(path, SAVED_RUNS_MOST_BYTES, &size, error);
	ok = text && saved_runs_read(saved, name, text, size, error);
	free(text);
	if (!ok && saved->runs)
		saved_runs_free(saved);
	return ok;
}

int baseline_files_read(struct saved_runs *saved, const char *name)
{
	char *path, *error = NULL;
	int status = EXIT_FINE;

	*saved = (struct saved_runs){0};
	if (!baseline_files_check_name(name))
		return EXIT_USAGE;
	path = baseline_files_path(name);
	if (!path)
		return EXIT_UNREADABLE;
	if (access(path, F_OK))
		status = command_fail(
			EXIT_UNREADABLE,
			"there is no baseline %s: streamtrace baseline list shows all", name);
	else if (!read_path(saved, name, path, &error))
		status = command_fail(EXIT_UNREADABLE, "%s: %s", path, error);
	free(error);
	free(path);
	return status;
}

/* Whether a file of another kind stands there, which was printed. *is_old: a baseline does. */
static bool is_taken(const char *name, const char *path, bool *is_old)
{
	struct saved_runs saved = {0};
	char *error = NULL;

	*is_old = false;
	if (access(path, F_OK))
		return false;
	*is_old = read_path(&saved, name, path, &error);
	saved_runs_free(&saved);
	if (!*is_old)
		command_fail(EXIT_UNREADABLE, "%s: not replaced: %s", path, error);
	free(error);
	return !*is_old;
}

static int write_path(const char *path, const struct gate_run *const *runs, size_t count)
{
	char *error = NULL;
	struct output *output;
	int status = EXIT_FINE;

	folders_make_above(path, FOLDER_MODE);
	output = output_open(path, FILE_MODE, &error);
	if (output && !saved_runs_write(output_stream(output), runs, count)) {
		output_drop(output);
		return command_fail(EXIT_UNREADABLE, "out of memory");
	}
	if (!output || !output_close(output, &error))
		status = command_fail(EXIT_UNREADABLE, "%s cannot be written: %s", path, error);
	free(error);
	return status;
}

int baseline_files_write(const char *name, const struct gate_run *const *runs, size_t count)
{
	char *path = baseline_files_path(name);
	bool is_old;
	int status;

	if (!path)
		return EXIT_UNREADABLE;
	status = is_taken(name, path, &is_old) ? EXIT_UNREADABLE : write_path(path, runs, count);
	if (status == EXIT_FINE)
		command_note("%s baseline %s: %s", is_old ? "replaced" : "saved", name, path);
	free(path);
	return status;
}
