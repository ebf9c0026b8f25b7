#include "trial/mappings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES = 128 }; /* what comes before a file's name takes less */

/* A line is "low-high rw-p offset device inode name". */
static bool is_private(const char *line, uintptr_t *low, uintptr_t *high)
{
	unsigned long from, to, offset, inode;
	unsigned int major, minor;
	char access[5];

	if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu", &from, &to, access, &offset, &major, &minor,
		   &inode) != 7)
		return false;
	*low = from;
	*high = to;
	return !strncmp(access, "rw", 2) && access[3] == 'p' && !inode;
}

/* Reads up to the line's end; cuts what is too long. False: the end of the file. */
static bool read_line(FILE *file, char line[LINE_BYTES])
{
	int rest = 0;

	if (!fgets(line, LINE_BYTES, file))
		return false;
	while (!strchr(line, '\n') && rest != EOF && rest != '\n')
		rest = fgetc(file);
	return true;
}

bool mappings_are_private(uintptr_t low, uintptr_t high)
{
	const int saved_errno = errno;
	FILE *file = fopen("/proc/self/maps", "re");
	uintptr_t from = 0, to = 0, known = low; /* known: private up to here */
	char line[LINE_BYTES];

	while (file && known < high && read_line(file, line))
		if (is_private(line, &from, &to) && from <= known && known < to)
			known = to;
	if (file)
		fclose(file);
	errno = saved_errno;
	return known >= high;
}
