/*
 * Functions whose system call fails with EFAULT if it meets watched memory, without having done
 * anything that matters. Then all memory is made accessible, and the function is called again, so
 * it need not be known what the call reads or writes. Nor is it known which watched memory was
 * touched: no watch records the touch.
 *
 * kernel_calls.c has the functions that may have done something before they fail, and those whose touch is
 * worth recording.
 */
#include "touch/touch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

/* errno as before the first call, so that the second runs like the first. */
#define AGAIN(result, name, params, args, has_failed)                                              \
	FIND_REAL(name)                                                                            \
	EXPORT result name params                                                                  \
	{                                                                                          \
		const int saved_errno = errno;                                                     \
		result outcome = REAL(name) args;                                                  \
                                                                                                   \
		if (__builtin_expect((has_failed), 0) && touch_end_all()) {                        \
			errno = saved_errno;                                                       \
			outcome = REAL(name) args;                                                 \
		}                                                                                  \
		return outcome;                                                                    \
	}
#define NUMBER(result, name, params, args)                                                         \
	AGAIN(result, name, params, args, outcome == -1 && errno == EFAULT)
#define POINTER(result, name, params, args)                                                        \
	AGAIN(result, name, params, args, !outcome && errno == EFAULT)
/* errno is not set. */
#define ERROR(name, params, args) AGAIN(int, name, params, args, outcome == EFAULT)

/* File names, and what is told of files. */
NUMBER(int, access, (const char *path, int mode), (path, mode))
NUMBER(int, faccessat, (int at, const char *path, int mode, int flags), (at, path, mode, flags))
NUMBER(int, chdir, (const char *path), (path))
NUMBER(int, mkdir, (const char *path, mode_t mode), (path, mode))
NUMBER(int, mkdirat, (int at, const char *path, mode_t mode), (at, path, mode))
NUMBER(int, rmdir, (const char *path), (path))
NUMBER(int, unlink, (const char *path), (path))
NUMBER(int, unlinkat, (int at, const char *path, int flags), (at, path, flags))
NUMBER(int, rename, (const char *from, const char *to), (from, to))
NUMBER(int, renameat, (int at, const char *from, int to_at, const char *to), (at, from, to_at, to))
NUMBER(int, link, (const char *from, const char *to), (from, to))
NUMBER(int, symlink, (const char *from, const char *to), (from, to))
NUMBER(int, chmod, (const char *path, mode_t mode), (path, mode))
NUMBER(int, chown, (const char *path, uid_t user, gid_t group), (path, user, group))
NUMBER(int, truncate, (const char *path, off_t bytes), (path, bytes))
NUMBER(ssize_t, readlink, (const char *restrict path, char *restrict buffer, size_t bytes),
       (path, buffer, bytes))
NUMBER(ssize_t, readlinkat,
       (int at, const char *restrict path, char *restrict buffer, size_t bytes),
       (at, path, buffer, bytes))
POINTER(char *, getcwd, (char *buffer, size_t bytes), (buffer, bytes))
NUMBER(int, stat, (const char *restrict path, struct stat *restrict status), (path, status))
NUMBER(int, stat64, (const char *restrict path, struct stat64 *restrict status), (path, status))
NUMBER(int, lstat, (const char *restrict path, struct stat *restrict status), (path, status))
NUMBER(int, lstat64, (const char *restrict path, struct stat64 *restrict status), (path, status))
NUMBER(int, fstat, (int file, struct stat *status), (file, status))
NUMBER(int, fstat64, (int file, struct stat64 *status), (file, status))
NUMBER(int, fstatat, (int at, const char *restrict path, struct stat *restrict status, int flags),
       (at, path, status, flags))
NUMBER(int, fstatat64,
       (int at, const char *restrict path, struct stat64 *restrict status, int flags),
       (at, path, status, flags))
NUMBER(int, statx,
       (int at, const char *restrict path, int flags, unsigned int mask,
	struct statx *restrict status),
       (at, path, flags, mask, status))
NUMBER(int, statfs, (const char *path, struct statfs *status), (path, status))
NUMBER(int, fstatfs, (int file, struct statfs *status), (file, status))
NUMBER(int, utimensat, (int at, const char *path, const struct timespec times[2], int flags),
       (at, path, times, flags))
NUMBER(ssize_t, getdents64, (int file, void *buffer, size_t bytes), (file, buffer, bytes))
NUMBER(ssize_t, getxattr, (const char *path, const char *name, void *value, size_t bytes),
       (path, name, value, bytes))
NUMBER(int, setxattr,
       (const char *path, const char *name, const void *value, size_t bytes, int flags),
       (path, name, value, bytes, flags))

/* Programs, and what they are given. posix_spawn() returns the error. */
NUMBER(int, execve, (const char *path, char *const argv[], char *const envp[]), (path, argv, envp))
NUMBER(int, execv, (const char *path, char *const argv[]), (path, argv))
NUMBER(int, execvp, (const char *file, char *const argv[]), (file, argv))
NUMBER(int, execvpe, (const char *file, char *const argv[], char *const envp[]), (file, argv, envp))
NUMBER(int, fexecve, (int file, char *const argv[], char *const envp[]), (file, argv, envp))
NUMBER(int, execveat, (int at, const char *path, char *const *argv, char *const *envp, int flags),
       (at, path, argv, envp, flags))
ERROR(posix_spawn,
      (pid_t *restrict child, const char *restrict path,
       const posix_spawn_file_actions_t *restrict actions,
       const posix_spawnattr_t *restrict attributes, char *const *restrict argv,
       char *const *restrict envp),
      (child, path, actions, attributes, argv, envp))
ERROR(posix_spawnp,
      (pid_t *restrict child, const char *restrict path,
       const posix_spawn_file_actions_t *restrict actions,
       const posix_spawnattr_t *restrict attributes, char *const *restrict argv,
       char *const *restrict envp),
      (child, path, actions, attributes, argv, envp))

/* Files and sockets. */
NUMBER(int, poll, (struct pollfd * files, nfds_t count, int timeout_ms), (files, count, timeout_ms))
NUMBER(int, select,
       (int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict others,
	struct timeval *restrict timeout),
       (count, reads, writes, others, timeout))
NUMBER(int, epoll_ctl, (int file, int operation, int of, struct epoll_event *event),
       (file, operation, of, event))
NUMBER(int, epoll_wait, (int file, struct epoll_event *events, int most, int timeout_ms),
       (file, events, most, timeout_ms))
NUMBER(int, bind, (int file, const struct sockaddr *address, socklen_t bytes),
       (file, address, bytes))
NUMBER(int, connect, (int file, const struct sockaddr *address, socklen_t bytes),
       (file, address, bytes))
NUMBER(int, getsockname, (int file, struct sockaddr *restrict address, socklen_t *restrict bytes),
       (file, address, bytes))
NUMBER(int, getpeername, (int file, struct sockaddr *restrict address, socklen_t *restrict bytes),
       (file, address, bytes))
NUMBER(int, getsockopt,
       (int file, int level, int option, void *restrict value, socklen_t *restrict bytes),
       (file, level, option, value, bytes))
NUMBER(int, setsockopt, (int file, int level, int option, const void *value, socklen_t bytes),
       (file, level, option, value, bytes))
NUMBER(int, pipe, (int files[2]), (files))
NUMBER(int, pipe2, (int files[2], int flags), (files, flags))
NUMBER(int, socketpair, (int domain, int type, int protocol, int files[2]),
       (domain, type, protocol, files))

/* Random numbers, and facts about the system, the process and time. */
NUMBER(ssize_t, getrandom, (void *buffer, size_t bytes, unsigned int flags), (buffer, bytes, flags))
NUMBER(int, getentropy, (void *buffer, size_t bytes), (buffer, bytes))
NUMBER(int, uname, (struct utsname * name), (name))
NUMBER(int, sysinfo, (struct sysinfo * info), (info))
NUMBER(int, getrusage, (__rusage_who_t who, struct rusage *usage), (who, usage))
NUMBER(int, getrlimit, (__rlimit_resource_t resource, struct rlimit *limit), (resource, limit))
NUMBER(int, setrlimit, (__rlimit_resource_t resource, const struct rlimit *limit),
       (resource, limit))
NUMBER(int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left))
ERROR(clock_nanosleep,
      (clockid_t clock, int flags, const struct timespec *time, struct timespec *left),
      (clock, flags, time, left))
NUMBER(int, setitimer,
       (__itimer_which_t which, const struct itimerval *restrict value,
	struct itimerval *restrict old),
       (which, value, old))
NUMBER(int, sched_setaffinity, (pid_t thread, size_t bytes, const cpu_set_t *cpus),
       (thread, bytes, cpus))
NUMBER(int, sched_getaffinity, (pid_t thread, size_t bytes, cpu_set_t *cpus), (thread, bytes, cpus))
NUMBER(ssize_t, process_vm_readv,
       (pid_t process, const struct iovec *local, unsigned long local_count,
	const struct iovec *remote, unsigned long remote_count, unsigned long flags),
       (process, local, local_count, remote, remote_count, flags))
NUMBER(ssize_t, process_vm_writev,
       (pid_t process, const struct iovec *local, unsigned long local_count,
	const struct iovec *remote, unsigned long remote_count, unsigned long flags),
       (process, local, local_count, remote, remote_count, flags))

/* Functions with an optional last argument: it is passed on unread. */
#define OPTIONAL(result, name, params, args, last)                                                 \
	FIND_REAL(name)                                                                            \
	EXPORT result name params                                                                  \
	{                                                                                          \
		const int saved_errno = errno;                                                     \
		result outcome;                                                                    \
		va_list list;                                                                      \
		long more;                                                                         \
                                                                                                   \
		va_start(list, last);                                                              \
		more = va_arg(list, long);                                                         \
		va_end(list);                                                                      \
		outcome = REAL(name) args;                                                         \
		if (__builtin_expect(outcome == -1 && errno == EFAULT, 0) && touch_end_all()) {    \
			errno = saved_errno;                                                       \
			outcome = REAL(name) args;                                                 \
		}                                                                                  \
		return outcome;                                                                    \
	}
OPTIONAL(int, ioctl, (int file, unsigned long request, ...), (file, request, more), request)
OPTIONAL(int, fcntl, (int file, int command, ...), (file, command, more), command)
OPTIONAL(int, fcntl64, (int file, int command, ...), (file, command, more), command)
OPTIONAL(int, open, (const char *path, int flags, ...), (path, flags, more), flags)
OPTIONAL(int, open64, (const char *path, int flags, ...), (path, flags, more), flags)
OPTIONAL(int, openat, (int at, const char *path, int flags, ...), (at, path, flags, more), flags)
OPTIONAL(int, openat64, (int at, const char *path, int flags, ...), (at, path, flags, more), flags)

/* The program's own system calls. libstrace.so makes one to test whether memory is accessible
 * (first_use/pages.c). */
FIND_REAL(syscall)
EXPORT long syscall(long number, ...)
{
	const int saved_errno = errno;
	long arguments[6], outcome;
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	outcome = REAL(syscall)(number, arguments[0], arguments[1], arguments[2], arguments[3],
				arguments[4], arguments[5]);
	if (__builtin_expect(outcome == -1 && errno == EFAULT, 0) && number != SYS_rt_sigprocmask &&
	    touch_end_all()) {
		errno = saved_errno;
		outcome = REAL(syscall)(number, arguments[0], arguments[1], arguments[2],
					arguments[3], arguments[4], arguments[5]);
	}
	return outcome;
}
