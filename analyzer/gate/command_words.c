#include "gate/command_words.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

static const char *name_in(const char *path, size_t length)
{
	while (length && path[length - 1] != '/')
		length--;
	return path + length;
}

const char *command_file_name(const char *path)
{
	return name_in(path, strlen(path));
}

/* Python's file has its version in the name, and a command line seldom: "python3" of "python3.12". */
static bool is_program(const char *name, size_t length, const char *program)
{
	static const char python[] = "python";
	const size_t stem = sizeof(python) - 1;

	if (length == strlen(program) && !strncmp(name, program, length))
		return true;
	return length >= stem && !strncmp(name, python, stem) && !strncmp(program, python, stem);
}

/* Where the program's path ends. */
static const char *skip_program(const char *line, const char *program)
{
	for (const char *end = line; program; end++) {
		const char *name;

		end += strcspn(end, " ");
		name = name_in(line, (size_t)(end - line));
		if (is_program(name, (size_t)(end - name), program))
			return end;
		if (!*end)
			break;
	}
	return line + strcspn(line, " ");
}

/* Copies a word to out, and returns out's new end. An address of a network has no folders. */
static char *copy_word(char *out, const char *word, size_t length)
{
	const char *path = memchr(word, '=', length), *name;
	size_t kept;

	path = path ? path + 1 : word;
	kept = (size_t)(path - word);
	length -= kept;
	name = path;
	if (!memmem(path, length, "://", 3)) {
		while (length > 1 && path[length - 1] == '/')
			length--;
		name = length > 1 ? name_in(path, length) : path;
	}
	memcpy(out, word, kept);
	length -= (size_t)(name - path);
	memcpy(out + kept, name, length);
	return out + kept + length;
}

char *command_words(const char *command_line, const char *program)
{
	const char *word = skip_program(command_line, program ? command_file_name(program) : NULL);
	char *words = memory_array(strlen(word) + 1, 1), *out = words;

	for (word += strspn(word, " "); *word; word += strspn(word, " ")) {
		size_t length = strcspn(word, " ");

		if (out > words)
			*out++ = ' ';
		out = copy_word(out, word, length);
		word += length;
	}
	return words;
}
