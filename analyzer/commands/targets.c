#include "commands/targets.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/regular_file.h"
#include "commands/command.h"
#include "trace/file_kind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NEW_FILE_MODE 0666

/* The one name of a file that may not be there yet; malloc'ed, NULL: its folder is not there. */
static char *find_place(const char *path)
{
	char *target = output_target(path), *slash = target ? strrchr(target, '/') : NULL;
	char *folder, *real, *place;

	if (!target)
		return NULL;
	folder = memory_format("%.*s.", slash ? (int)(slash - target + 1) : 0, target);
	real = realpath(folder, NULL);
	place = real ? memory_format("%s/%s", real, slash ? slash + 1 : target) : NULL;
	free(real);
	free(folder);
	free(target);
	return place;
}

/* Devices and pipes take what several write, and what was read from them. */
static bool is_same_target(const char *a, const char *b)
{
	char *place, *other;
	struct stat status;
	bool is_same;

	if (!stat(a, &status))
		return S_ISREG(status.st_mode) && is_same_file(a, b);
	place = find_place(a);
	other = find_place(b);
	is_same = place && other && !strcmp(place, other);
	free(place);
	free(other);
	return is_same;
}

bool target_is_of_database(const char *path)
{
	static const char *const endings[] = {"-wal", "-shm", "-journal"};
	char *database = find_place(path);
	size_t length = database ? strlen(database) : 0;
	bool is_of_database = false;

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		size_t ending = strlen(endings[i]);

		if (length <= ending || strcmp(database + length - ending, endings[i]))
			continue;
		database[length - ending] = '\0';
		is_of_database = file_kind_at(database) != FILE_OTHER;
		break;
	}
	free(database);
	return is_of_database;
}

/* EXIT_FINE, or why the file must not be written. */
static int check_target(const char *output, const char *const *inputs, size_t input_count)
{
	enum file_kind kind = file_kind_at(output);

	if (kind == FILE_TRACE || kind == FILE_SUMMARY)
		return command_fail(EXIT_USAGE, "%s: is a %s, which would be replaced", output,
				    kind == FILE_TRACE ? "trace" : "summary of a trace");
	for (size_t i = 0; i < input_count; i++)
		if (is_same_target(output, inputs[i]))
			return command_fail(EXIT_USAGE, "%s: is read, and would be replaced",
					    output);
	if (target_is_of_database(output))
		return command_fail(EXIT_USAGE,
				    "%s: is the name of a file that belongs to a database", output);
	return EXIT_FINE;
}

int targets_check(const char *const *outputs, size_t output_count, const char *const *inputs,
		  size_t input_count)
{
	for (size_t i = 0; i < output_count; i++) {
		if (outputs[i] && check_target(outputs[i], inputs, input_count) != EXIT_FINE)
			return EXIT_USAGE;
		for (size_t k = 0; k < i; k++)
			if (outputs[i] && outputs[k] && is_same_target(outputs[i], outputs[k]))
				return command_fail(EXIT_USAGE,
						    "%s: two outputs would be written to it",
						    outputs[i]);
	}
	return EXIT_FINE;
}

static int fail_target(const char *path, char *error)
{
	command_fail(EXIT_UNREADABLE, "%s: %s", path, error);
	free(error);
	return EXIT_UNREADABLE;
}

int target_open(struct target *target, const char *path)
{
	char *error = NULL;

	*target = (struct target){.path = path, .out = stdout};
	if (!path)
		return EXIT_FINE;
	target->output = output_open(path, NEW_FILE_MODE, &error);
	if (!target->output)
		return fail_target(path, error);
	target->out = output_stream(target->output);
	return EXIT_FINE;
}

int target_close(struct target *target, bool is_made, int status)
{
	struct output *output = target->output;
	char *error = NULL;

	target->output = NULL;
	if (!is_made)
		output_drop(output);
	else if (output && !output_close(output, &error))
		return fail_target(target->path, error);
	return status;
}
