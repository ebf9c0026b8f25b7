#include "mpi/tree.h"

#include "base/mix.h"
#include "base/packing.h"
#include "base/vector.h"
#include "mpi/file_shares.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TAG 1

/* MPI counts with int. */
#define MOST_BYTES_AT_ONCE (1 << 30)

static int rank_of_this(void)
{
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return rank;
}

static int count_processes(void)
{
	int count;

	MPI_Comm_size(MPI_COMM_WORLD, &count);
	return count;
}

static void send_bytes(const void *bytes, size_t size, int to)
{
	uint64_t announced = size;

	MPI_Send(&announced, 1, MPI_UINT64_T, to, TAG, MPI_COMM_WORLD);
	for (size_t sent = 0; sent < size;) {
		size_t part = size - sent < MOST_BYTES_AT_ONCE ? size - sent : MOST_BYTES_AT_ONCE;

		MPI_Send((const char *)bytes + sent, (int)part, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
		sent += part;
	}
}

/* malloc'ed. */
static void *receive_bytes(size_t *size, int from)
{
	uint64_t announced;
	char *bytes;

	MPI_Recv(&announced, 1, MPI_UINT64_T, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	*size = announced;
	bytes = memory_array(*size ? *size : 1, 1);
	for (size_t received = 0; received < *size;) {
		size_t part = *size - received < MOST_BYTES_AT_ONCE ? *size - received
								    : MOST_BYTES_AT_ONCE;

		MPI_Recv(bytes + received, (int)part, MPI_BYTE, from, TAG, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		received += part;
	}
	return bytes;
}

static uint64_t bytes_of(const char *path)
{
	struct stat status;

	return stat(path, &status) ? 0 : (uint64_t)status.st_size;
}

/* What process `to` is to read, one path behind the other. */
static struct packing pack_paths(char *const *paths, size_t count, const unsigned *process_of,
				 unsigned to)
{
	struct packing packing = {0};

	for (size_t i = 0; i < count; i++)
		if (process_of[i] == to)
			pack_bytes(&packing, paths[i], strlen(paths[i]));
	return packing;
}

static struct tree_files unpack_paths(const void *bytes, size_t size)
{
	struct unpacking unpacking = {bytes, size, false};
	VECTOR(char *) paths = {0};
	struct tree_files files;

	while (unpacking.size && !unpacking.is_damaged) {
		size_t length;
		const char *path = unpack_bytes(&unpacking, &length);

		*vector_add(&paths) = memory_format("%.*s", (int)length, path);
	}
	vector_move(&paths, files.paths, files.count);
	return files;
}

static struct tree_files spread_paths(char *const *paths, size_t count)
{
	unsigned processes = (unsigned)count_processes(), *process_of;
	uint64_t *bytes = memory_array(count ? count : 1, sizeof(*bytes));
	struct tree_files own = {0};

	for (size_t i = 0; i < count; i++)
		bytes[i] = bytes_of(paths[i]);
	process_of = spread_files(bytes, count, processes);
	for (unsigned to = 0; to < processes; to++) {
		struct packing packing = pack_paths(paths, count, process_of, to);

		if (to)
			send_bytes(packing.bytes, packing.size, (int)to);
		else
			own = unpack_paths(packing.bytes, packing.size);
		free(packing.bytes);
	}
	free(process_of);
	free(bytes);
	return own;
}

struct tree_files tree_spread(char *const *paths, size_t count)
{
	struct tree_files files;
	size_t size;
	void *bytes;

	if (rank_of_this() == 0)
		return spread_paths(paths, count);
	bytes = receive_bytes(&size, 0);
	files = unpack_paths(bytes, size);
	free(bytes);
	return files;
}

void tree_files_free(struct tree_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->paths[i]);
	free(files->paths);
	*files = (struct tree_files){0};
}

/* One without bytes could not be packed. */
static void send_job(struct job *job, int to)
{
	char *error = NULL;
	size_t size = 0;
	void *bytes = job_to_bytes(job, &size, &error);

	job_free(job);
	send_bytes(bytes, bytes ? size : 0, to);
	free(bytes);
	free(error);
}

static struct job *receive_job(int from)
{
	char *error = NULL, *who;
	size_t size;
	void *bytes = receive_bytes(&size, from);
	struct job *job = size ? job_from_bytes(bytes, size, &error) : NULL;

	if (!job) {
		who = memory_format("the files of process %d of streamtrace-mpi and behind", from);
		job = job_of_unread(who, error ? error : "their summaries cannot be sent");
		free(who);
	}
	free(error);
	free(bytes);
	return job;
}

struct job *tree_merge(struct job *own)
{
	int rank = rank_of_this(), processes = count_processes();

	for (int step = 1; step < processes && own; step *= 2)
		if (rank & step) {
			send_job(own, rank - step);
			own = NULL;
		} else if (rank + step < processes) {
			own = job_merge(own, receive_job(rank + step));
		}
	return own;
}

int tree_processes_beside(void)
{
	cpu_set_t processors;
	uint64_t hash = 1;
	MPI_Comm machine, beside;
	int count;

	CPU_ZERO(&processors);
	sched_getaffinity(0, sizeof(processors), &processors);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &processors))
			hash = mix(hash, (uint64_t)i);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
	MPI_Comm_split(machine, (int)(hash & INT_MAX), 0, &beside);
	MPI_Comm_size(beside, &count);
	MPI_Comm_free(&beside);
	MPI_Comm_free(&machine);
	return count;
}
