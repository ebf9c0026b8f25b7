/* Runs a target on the inputs of a file, one a line, in hexadecimal: replay TARGET FILE. */
#include "build_trace.h"
#include "targets.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t digit(char c)
{
	const char *digits = "0123456789abcdef", *found = strchr(digits, c);

	if (!c || !found)
		errx(2, "not hexadecimal: %c", c);
	return (uint8_t)(found - digits);
}

static void replay(const struct fuzz_target *target, const char *line)
{
	size_t size = strlen(line) / 2;
	uint8_t *bytes = malloc(size + 1);

	if (!bytes)
		err(2, "malloc");
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(digit(line[2 * i]) << 4 | digit(line[2 * i + 1]));
	target->run(bytes, size);
	free(bytes);
}

int main(int argc, char **argv)
{
	const struct fuzz_target *target = argc == 3 ? fuzz_target_find(argv[1]) : NULL;
	char *text, *rest;
	int count = 0;

	if (!target)
		errx(2, "usage: replay TARGET FILE");
	target->set_up();
	text = rest = read_file(argv[2], NULL);
	for (char *line; (line = strsep(&rest, "\n")); count += *line != '\0')
		if (*line)
			replay(target, line);
	printf("%d inputs\n", count);
	free(text);
	return count ? 0 : 1;
}
