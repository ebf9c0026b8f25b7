/*
 * The ways out of a process: exit() and quick_exit(), whose handlers end the tracing, and _exit(),
 * _Exit(), abort() and exec, which run no handlers.
 *
 * All are interposed. In the traced process only (forked and vforked children pass at once) the
 * writer gets a bounded time for what is still in the rings, then the real function runs. Only
 * futexes, clocks and getpid() are used, which are async-signal-safe. Ends that glibc makes itself
 * (a failed assertion, system(), posix_spawn()) are not seen.
 */
#include "base/interpose.h"
#include "life/lifecycle.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

FIND_REAL(exit)
FIND_REAL(quick_exit)
FIND_REAL(_exit)
FIND_REAL(_Exit)
FIND_REAL(abort)
FIND_REAL(execv)
FIND_REAL(execve)
FIND_REAL(execvp)
FIND_REAL(execvpe)
FIND_REAL(fexecve)
FIND_REAL(execveat)

EXPORT void exit(int status)
{
	lifecycle_enter_exit(true);
	REAL(exit)(status);
	__builtin_unreachable();
}

EXPORT void quick_exit(int status)
{
	lifecycle_enter_exit(false);
	REAL(quick_exit)(status);
	__builtin_unreachable();
}

EXPORT void _exit(int status)
{
	lifecycle_end(WRITER_END_DIRECT_EXIT);
	REAL(_exit)(status);
	__builtin_unreachable();
}

EXPORT void _Exit(int status)
{
	lifecycle_end(WRITER_END_DIRECT_EXIT);
	REAL(_Exit)(status);
	__builtin_unreachable();
}

EXPORT void abort(void)
{
	lifecycle_end(WRITER_END_ABORT);
	REAL(abort)();
	__builtin_unreachable();
}

/* If the exec returns, it has failed, and the program goes on. */
#define EXEC(name, ...)                                                                            \
	do {                                                                                       \
		const bool is_flushed_ = lifecycle_before_exec();                                  \
		const int result_ = REAL(name)(__VA_ARGS__);                                       \
                                                                                                   \
		lifecycle_after_exec(is_flushed_);                                                 \
		return result_;                                                                    \
	} while (0)

EXPORT int execv(const char *path, char *const argv[])
{
	EXEC(execv, path, argv);
}

EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
	EXEC(execve, path, argv, envp);
}

EXPORT int execvp(const char *file, char *const argv[])
{
	EXEC(execvp, file, argv);
}

EXPORT int execvpe(const char *file, char *const argv[], char *const envp[])
{
	EXEC(execvpe, file, argv, envp);
}

EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
	EXEC(fexecve, fd, argv, envp);
}

EXPORT int execveat(int folder, const char *path, char *const argv[], char *const envp[], int flags)
{
	EXEC(execveat, folder, path, argv, envp, flags);
}

/* Collects the arguments in an array on the caller's stack, because a forked child may not
 * allocate. Leaves `list` after the terminating NULL. */
#define GATHER(argv, first, list)                                                                  \
	do {                                                                                       \
		size_t count_ = 1;                                                                 \
		va_list counted_;                                                                  \
                                                                                                   \
		va_copy(counted_, list);                                                           \
		for (const char *a_ = first; a_; a_ = va_arg(counted_, const char *))              \
			count_++;                                                                  \
		va_end(counted_);                                                                  \
		argv = __builtin_alloca(count_ * sizeof(*argv));                                   \
		argv[0] = (char *)first;                                                           \
		for (size_t i_ = 0; argv[i_]; i_++)                                                \
			argv[i_ + 1] = va_arg(list, char *);                                       \
	} while (0)

#define EXEC_LIST(name, vector_name)                                                               \
	EXPORT int name(const char *path, const char *arg, ...)                                    \
	{                                                                                          \
		va_list list;                                                                      \
		char **argv;                                                                       \
                                                                                                   \
		va_start(list, arg);                                                               \
		GATHER(argv, arg, list);                                                           \
		va_end(list);                                                                      \
		EXEC(vector_name, path, argv);                                                     \
	}
EXEC_LIST(execl, execv)
EXEC_LIST(execlp, execvp)

EXPORT int execle(const char *path, const char *arg, ...)
{
	char *const *envp;
	va_list list;
	char **argv;

	va_start(list, arg);
	GATHER(argv, arg, list);
	envp = va_arg(list, char *const *);
	va_end(list);
	EXEC(execve, path, argv, envp);
}
