#include "commands/reach.h"

#include "base/memory.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

/* As execvp() finds it: -1 if it does not. */
static int open_program(const char *program)
{
	const char *path = getenv("PATH"), *end;
	char *name;
	int file = -1;

	if (strchr(program, '/'))
		return open(program, O_RDONLY | O_CLOEXEC);
	if (!path)
		path = "/bin:/usr/bin";
	for (; file < 0 && *path; path = *end ? end + 1 : end) {
		end = strchrnul(path, ':');
		name = memory_format("%.*s%s%s", (int)(end - path), path, end > path ? "/" : "",
				     program);
		if (access(name, X_OK) == 0)
			file = open(name, O_RDONLY | O_CLOEXEC);
		free(name);
	}
	return file;
}

/* The kernel runs it with other rights than the caller's, and the loader takes no LD_PRELOAD
 * then. */
static bool gains_rights(int file)
{
	struct stat status;
	struct statvfs system;

	if (fstat(file, &status) || fstatvfs(file, &system) || system.f_flag & ST_NOSUID)
		return false;
	return (status.st_mode & S_ISUID && status.st_uid != getuid()) ||
	       (status.st_mode & S_ISGID && status.st_mode & S_IXGRP &&
		status.st_gid != getgid()) ||
	       (getuid() && fgetxattr(file, "security.capability", NULL, 0) > 0);
}

/* An x86-64 program without an interpreter: no loader runs. */
static bool is_static(int file)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	int i;

	if (pread(file, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(segment))
		return false;
	for (i = 0; i < header.e_phnum; i++) {
		off_t offset = (off_t)(header.e_phoff + (Elf64_Off)i * sizeof(segment));

		if (pread(file, &segment, sizeof(segment), offset) != sizeof(segment) ||
		    segment.p_type == PT_INTERP)
			return false;
	}
	return true;
}

const char *reach_obstacle(const char *program)
{
	const char *obstacle = NULL;
	int file = open_program(program);

	if (file < 0)
		return NULL;
	if (gains_rights(file))
		obstacle = "it runs with other rights than yours (set-user-ID, set-group-ID or "
			   "capabilities)";
	else if (is_static(file))
		obstacle = "it is linked statically";
	close(file);
	return obstacle;
}
