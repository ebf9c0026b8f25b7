#include "commands/reach.h"

#include "base/memory.h"
#include "commands/elf_program.h"

#include <fcntl.h>
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

/* Whether the kernel runs the file with other rights than the caller's: the loader then ignores LD_PRELOAD. */
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

/* Of musl: libstrace.so is for glibc, and musl ends a program whose preloaded library cannot be. */
static bool is_of_musl(const char *loader)
{
	const char *slash = strrchr(loader, '/');

	return !strncmp(slash ? slash + 1 : loader, "ld-musl", 7);
}

struct reach reach_find(const char *program)
{
	struct reach reach = {0};
	struct elf_program elf;
	int file = open_program(program);

	if (file < 0)
		return reach;
	elf = elf_program_read(file);
	if (gains_rights(file))
		reach.obstacle = "it runs with other rights than yours (set-user-ID, "
				 "set-group-ID or capabilities)";
	else if (elf.is_program && !elf.loader[0])
		reach.obstacle = "it is linked statically";
	else if (elf.is_program && is_of_musl(elf.loader))
		reach = (struct reach){.obstacle = "it is linked with musl, and "
						   "libstrace.so needs glibc",
				       .is_refused = true};
	reach.needs_asan = elf.needs_asan;
	close(file);
	return reach;
}
