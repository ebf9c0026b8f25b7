/* Descriptors of our own get high numbers: low ones are the program's, which would get others than
 * untraced. */
#ifndef STREAMTRACE_HIGH_FILE_H
#define STREAMTRACE_HIGH_FILE_H

#include <fcntl.h>
#include <sys/resource.h>

/* Duplicates the descriptor to a high number, which closes at exec; the caller closes the old one.
 * -1: none is free. At most 1024: the kernel's table of files grows with the largest number. */
static inline int high_file(int file)
{
	struct rlimit limit;
	int high;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return -1;
	high = limit.rlim_cur < 1024 ? (int)limit.rlim_cur : 1024;
	return fcntl(file, F_DUPFD_CLOEXEC, high - high / 16);
}

#endif
