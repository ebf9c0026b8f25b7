/* Functions that pass the program's memory to the kernel, where a touch fails instead of
 * faulting. */
#include "touch/touch.h"

#include <aio.h>
#include <stdio.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#undef fwrite_unlocked /* inline functions are made of these */
#undef fread_unlocked

/* A buffer of so many bytes: FILLED by the call, or SENT. */
#define BUFFER(result, name, params, args, use, memory, bytes)                                     \
	EXPORT result name params;                                                                 \
	FIND_REAL(name)                                                                            \
	EXPORT result name params                                                                  \
	{                                                                                          \
		use(memory, bytes, CALLER);                                                        \
		return REAL(name) args;                                                            \
	}
#define SENT   touch_read
#define FILLED touch_filled

static void touch_filled(const void *memory, size_t bytes, uintptr_t caller)
{
	touch_use(memory, bytes, FIRST_USE_SYSTEM_CALL, caller);
}

/* Several. */
#define VECTOR(result, name, params, args, use, vector, count)                                     \
	EXPORT result name params;                                                                 \
	FIND_REAL(name)                                                                            \
	EXPORT result name params                                                                  \
	{                                                                                          \
		use_vector(use, vector, (size_t)(count), CALLER);                                  \
		return REAL(name) args;                                                            \
	}

typedef void use_function(const void *memory, size_t bytes, uintptr_t caller);

static void use_vector(use_function *use, const struct iovec *vector, size_t count,
		       uintptr_t caller)
{
	for (size_t i = 0; touch_active() && i < count; i++)
		use(vector[i].iov_base, vector[i].iov_len, caller);
}

static void use_messages(use_function *use, const struct mmsghdr *messages, size_t count,
			 uintptr_t caller)
{
	for (size_t i = 0; touch_active() && i < count; i++)
		use_vector(use, messages[i].msg_hdr.msg_iov, messages[i].msg_hdr.msg_iovlen,
			   caller);
}

BUFFER(ssize_t, write, (int fd, const void *buffer, size_t bytes), (fd, buffer, bytes), SENT,
       buffer, bytes)
BUFFER(ssize_t, pwrite, (int fd, const void *buffer, size_t bytes, off_t at),
       (fd, buffer, bytes, at), SENT, buffer, bytes)
BUFFER(ssize_t, pwrite64, (int fd, const void *buffer, size_t bytes, off64_t at),
       (fd, buffer, bytes, at), SENT, buffer, bytes)
BUFFER(ssize_t, read, (int fd, void *buffer, size_t bytes), (fd, buffer, bytes), FILLED, buffer,
       bytes)
BUFFER(ssize_t, pread, (int fd, void *buffer, size_t bytes, off_t at), (fd, buffer, bytes, at),
       FILLED, buffer, bytes)
BUFFER(ssize_t, pread64, (int fd, void *buffer, size_t bytes, off64_t at), (fd, buffer, bytes, at),
       FILLED, buffer, bytes)
BUFFER(ssize_t, send, (int fd, const void *buffer, size_t bytes, int flags),
       (fd, buffer, bytes, flags), SENT, buffer, bytes)
BUFFER(ssize_t, sendto,
       (int fd, const void *buffer, size_t bytes, int flags, const struct sockaddr *to,
	socklen_t to_bytes),
       (fd, buffer, bytes, flags, to, to_bytes), SENT, buffer, bytes)
BUFFER(ssize_t, recv, (int fd, void *buffer, size_t bytes, int flags), (fd, buffer, bytes, flags),
       FILLED, buffer, bytes)
BUFFER(size_t, fwrite, (const void *buffer, size_t size, size_t count, FILE *file),
       (buffer, size, count, file), SENT, buffer, size *count)
BUFFER(size_t, fwrite_unlocked, (const void *buffer, size_t size, size_t count, FILE *file),
       (buffer, size, count, file), SENT, buffer, size *count)
BUFFER(size_t, fread, (void *buffer, size_t size, size_t count, FILE *file),
       (buffer, size, count, file), FILLED, buffer, size *count)
BUFFER(size_t, fread_unlocked, (void *buffer, size_t size, size_t count, FILE *file),
       (buffer, size, count, file), FILLED, buffer, size *count)

VECTOR(ssize_t, writev, (int fd, const struct iovec *vector, int count), (fd, vector, count), SENT,
       vector, count)
VECTOR(ssize_t, readv, (int fd, const struct iovec *vector, int count), (fd, vector, count), FILLED,
       vector, count)
VECTOR(ssize_t, pwritev, (int fd, const struct iovec *vector, int count, off_t at),
       (fd, vector, count, at), SENT, vector, count)
VECTOR(ssize_t, pwritev64, (int fd, const struct iovec *vector, int count, off64_t at),
       (fd, vector, count, at), SENT, vector, count)
VECTOR(ssize_t, preadv, (int fd, const struct iovec *vector, int count, off_t at),
       (fd, vector, count, at), FILLED, vector, count)
VECTOR(ssize_t, preadv64, (int fd, const struct iovec *vector, int count, off64_t at),
       (fd, vector, count, at), FILLED, vector, count)
VECTOR(ssize_t, pwritev2, (int fd, const struct iovec *vector, int count, off_t at, int flags),
       (fd, vector, count, at, flags), SENT, vector, count)
VECTOR(ssize_t, preadv2, (int fd, const struct iovec *vector, int count, off_t at, int flags),
       (fd, vector, count, at, flags), FILLED, vector, count)
VECTOR(ssize_t, vmsplice, (int fd, const struct iovec *vector, size_t count, unsigned int flags),
       (fd, vector, count, flags), SENT, vector, count)
VECTOR(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags),
       SENT, message->msg_iov, message->msg_iovlen)

/* What comes beside the data: an address, and file descriptors. */
FIND_REAL(recvmsg)
EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	use_vector(FILLED, message->msg_iov, message->msg_iovlen, CALLER);
	touch_use(message->msg_name, message->msg_namelen, FIRST_USE_SYSTEM_CALL, CALLER);
	touch_use(message->msg_control, message->msg_controllen, FIRST_USE_SYSTEM_CALL, CALLER);
	return REAL(recvmsg)(fd, message, flags);
}

/* Whom it is from: once told, it is gone. */
static void use_address(const struct sockaddr *from, const socklen_t *from_bytes, uintptr_t caller)
{
	if (from && from_bytes) {
		touch_use(from_bytes, sizeof(*from_bytes), FIRST_USE_SYSTEM_CALL, caller);
		touch_use(from, *from_bytes, FIRST_USE_SYSTEM_CALL, caller);
	}
}

FIND_REAL(recvfrom)
EXPORT ssize_t recvfrom(int fd, void *restrict buffer, size_t bytes, int flags,
			struct sockaddr *restrict from, socklen_t *restrict from_bytes)
{
	touch_use(buffer, bytes, FIRST_USE_SYSTEM_CALL, CALLER);
	use_address(from, from_bytes, CALLER);
	return REAL(recvfrom)(fd, buffer, bytes, flags, from, from_bytes);
}

FIND_REAL(accept)
EXPORT int accept(int fd, struct sockaddr *restrict from, socklen_t *restrict from_bytes)
{
	use_address(from, from_bytes, CALLER);
	return REAL(accept)(fd, from, from_bytes);
}

FIND_REAL(accept4)
EXPORT int accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict from_bytes,
		   int flags)
{
	use_address(from, from_bytes, CALLER);
	return REAL(accept4)(fd, from, from_bytes, flags);
}

FIND_REAL(sendmmsg)
EXPORT int sendmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags)
{
	use_messages(SENT, messages, count, CALLER);
	return REAL(sendmmsg)(fd, messages, count, flags);
}

FIND_REAL(recvmmsg)
EXPORT int recvmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags,
		    struct timespec *timeout)
{
	use_messages(FILLED, messages, count, CALLER);
	return REAL(recvmmsg)(fd, messages, count, flags, timeout);
}

/* An ended child and a message are reported only once; a request runs on a thread of libc. */
BUFFER(pid_t, waitpid, (pid_t child, int *status, int options), (child, status, options), FILLED,
       status, status ? sizeof(*status) : 0)
BUFFER(pid_t, wait, (int *status), (status), FILLED, status, status ? sizeof(*status) : 0)
BUFFER(ssize_t, msgrcv, (int queue, void *message, size_t bytes, long type, int flags),
       (queue, message, bytes, type, flags), FILLED, message, bytes + sizeof(long))
BUFFER(int, aio_read, (struct aiocb * request), (request), FILLED, (const void *)request->aio_buf,
       request->aio_nbytes)
BUFFER(int, aio_write, (struct aiocb * request), (request), SENT, (const void *)request->aio_buf,
       request->aio_nbytes)

/* The _FORTIFY_SOURCE variants. `room`: the buffer's size as the compiler knows it. */
BUFFER(ssize_t, __read_chk, (int fd, void *buffer, size_t bytes, size_t room),
       (fd, buffer, bytes, room), FILLED, buffer, bytes)
BUFFER(ssize_t, __pread_chk, (int fd, void *buffer, size_t bytes, off_t at, size_t room),
       (fd, buffer, bytes, at, room), FILLED, buffer, bytes)
BUFFER(ssize_t, __pread64_chk, (int fd, void *buffer, size_t bytes, off64_t at, size_t room),
       (fd, buffer, bytes, at, room), FILLED, buffer, bytes)
BUFFER(ssize_t, __recv_chk, (int fd, void *buffer, size_t bytes, size_t room, int flags),
       (fd, buffer, bytes, room, flags), FILLED, buffer, bytes)
BUFFER(ssize_t, __recvfrom_chk,
       (int fd, void *buffer, size_t bytes, size_t room, int flags, struct sockaddr *from,
	socklen_t *from_bytes),
       (fd, buffer, bytes, room, flags, from, from_bytes), FILLED, buffer, bytes)
BUFFER(size_t, __fread_chk, (void *buffer, size_t room, size_t size, size_t count, FILE *file),
       (buffer, room, size, count, file), FILLED, buffer, size *count)
BUFFER(size_t, __fread_unlocked_chk,
       (void *buffer, size_t room, size_t size, size_t count, FILE *file),
       (buffer, room, size, count, file), FILLED, buffer, size *count)
