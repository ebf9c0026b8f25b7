#include "commands/destination.h"

#include "base/memory.h"
#include "commands/command.h"
#include "commands/targets.h"
#include "facts/output_name.h"
#include "trace/file_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Why the file at the name is not replaced, by the rules of libstrace.so: it replaces a trace or an empty
 * file. NULL: no reason. */
static const char *obstacle_at(const char *output)
{
	static const char foreign[] = "a file that is not a trace is there";
	struct stat status;
	enum file_kind kind;
	int file;

	if (lstat(output, &status))
		return NULL;
	if (!S_ISREG(status.st_mode))
		return foreign;
	file = open(output, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (file < 0)
		return strerror(errno);
	kind = file_kind_of(file);
	close(file);
	return kind == FILE_EMPTY || kind == FILE_TRACE ? NULL : foreign;
}

/* Why the trace cannot be created, as far as can be told before the program runs. NULL: nothing known. */
static const char *file_obstacle(const char *output)
{
	const char *slash = strrchr(output, '/');
	char *folder = slash ? memory_format("%.*s", (int)(slash - output + 1), output)
			     : memory_format(".");
	const bool is_writable = strchr(folder, '%') || access(folder, W_OK) == 0;

	free(folder);
	if (!is_writable)
		return strerror(errno);
	if (strchr(output, '%') || output_name_is_folder(output))
		return NULL;
	return target_is_of_database(output)
		       ? "the name is that of a file that belongs to a database"
		       : obstacle_at(output);
}

static bool is_folder(const char *name)
{
	struct stat status;

	return output_name_is_folder(name) || (stat(name, &status) == 0 && S_ISDIR(status.st_mode));
}

/* With its percent signs doubled, and a slash behind; takes `folder`. */
static char *name_folder(char *folder)
{
	char *name = memory_array(strlen(folder) + 1, 2), *out = name;

	for (const char *c = folder; *c; c++) {
		if (*c == '%')
			*out++ = '%';
		*out++ = *c;
	}
	*out = '/';
	free(folder);
	return name;
}

static bool has_field(const char *name)
{
	static const char letters[] = {
#define OUTPUT_FIELD(letter, name, meaning) letter,
#include "facts/output_name.def"
#undef OUTPUT_FIELD
	};

	for (; (name = strchr(name, '%')); name++)
		if (memchr(letters, name[1], sizeof(letters)))
			return true;
	return false;
}

/* The program may go to another folder before its first CUDA call, and its workers to others. */
static const char *prepare_folder(struct destination *output)
{
	char *real;

	/* The value of a name with fields is known only to the program's processes. */
	if (has_field(output->asked)) {
		output->name = memory_format("%s", output->asked);
		return NULL;
	}
	if (mkdir(output->asked, 0777) && errno != EEXIST)
		return strerror(errno);
	real = realpath(output->asked, NULL);
	if (!real)
		return strerror(errno);
	output->name = name_folder(real);
	return NULL;
}

bool destination_prepare(struct destination *output, const char *name)
{
	const char *obstacle = NULL;

	*output = (struct destination){.is_folder = is_folder(name)};
	output->asked = memory_format("%s%s", name,
				      output->is_folder && !output_name_is_folder(name) ? "/" : "");
	if (output->is_folder)
		obstacle = prepare_folder(output);
	else
		output->name = memory_format("%s", name);
	if (!obstacle)
		obstacle = file_obstacle(output->asked);
	if (!obstacle)
		return true;
	command_note("%s: cannot be created: %s", name, obstacle);
	destination_free(output);
	return false;
}

void destination_free(struct destination *output)
{
	free(output->asked);
	free(output->name);
	*output = (struct destination){0};
}
