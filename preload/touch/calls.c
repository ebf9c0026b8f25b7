/* Functions that give the program's memory to the kernel, which does not fault but fails. */
#include "touch/touch.h"

#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#undef fwrite_unlocked /* inline functions are made of these */
#undef fread_unlocked

/* A buffer of so many bytes. */
#define BUFFER(result, name, params, args, memory, bytes)                                          \
	EXPORT result name params;                                                                 \
	FIND_REAL(name)                                                                            \
	EXPORT result name params                                                                  \
	{                                                                                          \
		touch_use(memory, bytes, FIRST_USE_SYSTEM_CALL, CALLER);                           \
		return REAL(name) args;                                                            \
	}

/* Several. */
#define VECTOR(result, name, params, args, vector, count)                                          \
	EXPORT result name params;                                                                 \
	FIND_REAL(name)                                                                            \
	EXPORT result name params                                                                  \
	{                                                                                          \
		use_vector(vector, (size_t)(count), CALLER);                                       \
		return REAL(name) args;                                                            \
	}

static void use_vector(const struct iovec *vector, size_t count, uintptr_t caller)
{
	for (size_t i = 0; touch_active() && i < count; i++)
		touch_use(vector[i].iov_base, vector[i].iov_len, FIRST_USE_SYSTEM_CALL, caller);
}

static void use_messages(const struct mmsghdr *messages, size_t count, uintptr_t caller)
{
	for (size_t i = 0; touch_active() && i < count; i++)
		use_vector(messages[i].msg_hdr.msg_iov, messages[i].msg_hdr.msg_iovlen, caller);
}

BUFFER(ssize_t, write, (int fd, const void *buffer, size_t bytes), (fd, buffer, bytes), buffer,
       bytes)
BUFFER(ssize_t, pwrite, (int fd, const void *buffer, size_t bytes, off_t at),
       (fd, buffer, bytes, at), buffer, bytes)
BUFFER(ssize_t, pwrite64, (int fd, const void *buffer, size_t bytes, off64_t at),
       (fd, buffer, bytes, at), buffer, bytes)
BUFFER(ssize_t, read, (int fd, void *buffer, size_t bytes), (fd, buffer, bytes), buffer, bytes)
BUFFER(ssize_t, pread, (int fd, void *buffer, size_t bytes, off_t at), (fd, buffer, bytes, at),
       buffer, bytes)
BUFFER(ssize_t, pread64, (int fd, void *buffer, size_t bytes, off64_t at), (fd, buffer, bytes, at),
       buffer, bytes)
BUFFER(ssize_t, send, (int fd, const void *buffer, size_t bytes, int flags),
       (fd, buffer, bytes, flags), buffer, bytes)
BUFFER(ssize_t, sendto,
       (int fd, const void *buffer, size_t bytes, int flags, const struct sockaddr *to,
	socklen_t to_bytes),
       (fd, buffer, bytes, flags, to, to_bytes), buffer, bytes)
BUFFER(ssize_t, recv, (int fd, void *buffer, size_t bytes, int flags), (fd, buffer, bytes, flags),
       buffer, bytes)
BUFFER(ssize_t, recvfrom,
       (int fd, void *buffer, size_t bytes, int flags, struct sockaddr *from,
	socklen_t *from_bytes),
       (fd, buffer, bytes, flags, from, from_bytes), buffer, bytes)
BUFFER(size_t, fwrite, (const void *buffer, size_t size, size_t count, FILE *file),
       (buffer, size, count, file), buffer, size *count)
BUFFER(size_t, fwrite_unlocked, (const void *buffer, size_t size, size_t count, FILE *file),
       (buffer, size, count, file), buffer, size *count)
BUFFER(size_t, fread, (void *buffer, size_t size, size_t count, FILE *file),
       (buffer, size, count, file), buffer, size *count)
BUFFER(size_t, fread_unlocked, (void *buffer, size_t size, size_t count, FILE *file),
       (buffer, size, count, file), buffer, size *count)

VECTOR(ssize_t, writev, (int fd, const struct iovec *vector, int count), (fd, vector, count),
       vector, count)
VECTOR(ssize_t, readv, (int fd, const struct iovec *vector, int count), (fd, vector, count), vector,
       count)
VECTOR(ssize_t, pwritev, (int fd, const struct iovec *vector, int count, off_t at),
       (fd, vector, count, at), vector, count)
VECTOR(ssize_t, pwritev64, (int fd, const struct iovec *vector, int count, off64_t at),
       (fd, vector, count, at), vector, count)
VECTOR(ssize_t, preadv, (int fd, const struct iovec *vector, int count, off_t at),
       (fd, vector, count, at), vector, count)
VECTOR(ssize_t, preadv64, (int fd, const struct iovec *vector, int count, off64_t at),
       (fd, vector, count, at), vector, count)
VECTOR(ssize_t, pwritev2, (int fd, const struct iovec *vector, int count, off_t at, int flags),
       (fd, vector, count, at, flags), vector, count)
VECTOR(ssize_t, preadv2, (int fd, const struct iovec *vector, int count, off_t at, int flags),
       (fd, vector, count, at, flags), vector, count)
VECTOR(ssize_t, vmsplice, (int fd, const struct iovec *vector, size_t count, unsigned int flags),
       (fd, vector, count, flags), vector, count)
VECTOR(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags),
       message->msg_iov, message->msg_iovlen)
VECTOR(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags),
       message->msg_iov, message->msg_iovlen)

FIND_REAL(sendmmsg)
EXPORT int sendmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags)
{
	use_messages(messages, count, CALLER);
	return REAL(sendmmsg)(fd, messages, count, flags);
}

FIND_REAL(recvmmsg)
EXPORT int recvmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags,
		    struct timespec *timeout)
{
	use_messages(messages, count, CALLER);
	return REAL(recvmmsg)(fd, messages, count, flags, timeout);
}

/* Their variants under _FORTIFY_SOURCE. `room`: the size that the compiler knows of. */
BUFFER(ssize_t, __read_chk, (int fd, void *buffer, size_t bytes, size_t room),
       (fd, buffer, bytes, room), buffer, bytes)
BUFFER(ssize_t, __pread_chk, (int fd, void *buffer, size_t bytes, off_t at, size_t room),
       (fd, buffer, bytes, at, room), buffer, bytes)
BUFFER(ssize_t, __pread64_chk, (int fd, void *buffer, size_t bytes, off64_t at, size_t room),
       (fd, buffer, bytes, at, room), buffer, bytes)
BUFFER(ssize_t, __recv_chk, (int fd, void *buffer, size_t bytes, size_t room, int flags),
       (fd, buffer, bytes, room, flags), buffer, bytes)
BUFFER(ssize_t, __recvfrom_chk,
       (int fd, void *buffer, size_t bytes, size_t room, int flags, struct sockaddr *from,
	socklen_t *from_bytes),
       (fd, buffer, bytes, room, flags, from, from_bytes), buffer, bytes)
BUFFER(size_t, __fread_chk, (void *buffer, size_t room, size_t size, size_t count, FILE *file),
       (buffer, room, size, count, file), buffer, size *count)
BUFFER(size_t, __fread_unlocked_chk,
       (void *buffer, size_t room, size_t size, size_t count, FILE *file),
       (buffer, room, size, count, file), buffer, size *count)
