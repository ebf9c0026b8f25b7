/* A job as bytes, for another process of the same version. */
#include "base/packing.h"
#include "job/merge.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC "streamtrace job 2"

static bool pack_member(struct packing *packing, const struct job_member *member, char **error)
{
	size_t size;
	void *bytes = summary_to_bytes(member->summary, &size, error);

	if (!bytes)
		return false;
	pack_bytes(packing, bytes, size);
	free(bytes);
	pack_number(packing, member->id);
	pack_number(packing, member->presence_count);
	for (size_t i = 0; i < member->presence_count; i++) {
		const struct job_presence *presence = &member->presences[i];

		pack_number(packing, presence->communicator);
		pack_number(packing, presence->first);
		pack_number(packing, presence->last);
		pack_number(packing, presence->step);
		pack_signed(packing, presence->sum_ns);
	}
	return true;
}

static void pack_collective(struct packing *packing, const struct job_collective *item)
{
	pack_number(packing, item->communicator);
	pack_number(packing, item->sequence);
	pack_number(packing, item->operation);
	pack_number(packing, item->bytes);
	pack_number(packing, item->ranks);
	pack_number(packing, item->seen);
	pack_signed(packing, item->least_ns);
	pack_signed(packing, item->second_ns);
	pack_signed(packing, item->sum_ns);
	pack_number(packing, item->last);
	pack_signed(packing, item->launch_ns);
}

static void pack_sums(struct packing *packing, const struct job_collectives *collectives)
{
	pack_number(packing, collectives->done_count);
	for (size_t i = 0; i < collectives->done_count; i++) {
		pack_number(packing, collectives->done[i].communicator);
		pack_number(packing, collectives->done[i].count);
		pack_signed(packing, collectives->done[i].least_ns);
	}
	pack_number(packing, collectives->late_count);
	for (size_t i = 0; i < collectives->late_count; i++) {
		pack_number(packing, collectives->late[i].communicator);
		pack_number(packing, collectives->late[i].member);
		pack_number(packing, collectives->late[i].last_count);
		pack_signed(packing, collectives->late[i].late_ns);
		pack_signed(packing, collectives->late[i].alone_ns);
		pack_signed(packing, collectives->late[i].launch_ns);
	}
}

static void pack_communicators(struct packing *packing,
			       const struct job_communicators *communicators)
{
	pack_number(packing, communicators->count);
	for (size_t i = 0; i < communicators->count; i++) {
		pack_number(packing, communicators->items[i].unique_id);
		pack_number(packing, communicators->items[i].least_ranks);
		pack_number(packing, communicators->items[i].most_ranks);
		pack_number(packing, communicators->items[i].members);
	}
}

static void pack_paths(struct packing *packing, const struct paths *paths)
{
	size_t size = 0;
	void *bytes = paths ? paths_pack(paths, &size) : NULL;

	pack_bytes(packing, bytes, size);
	free(bytes);
}

void *job_to_bytes(const struct job *job, size_t *size, char **error)
{
	struct packing packing = {0};

	*error = NULL;
	pack_text(&packing, MAGIC);
	pack_number(&packing, job->doubled);
	pack_number(&packing, job->member_count);
	for (size_t i = 0; i < job->member_count; i++)
		if (!pack_member(&packing, &job->members[i], error)) {
			free(packing.bytes);
			return NULL;
		}
	pack_number(&packing, job->unread_count);
	for (size_t i = 0; i < job->unread_count; i++) {
		pack_text(&packing, job->unread[i].path);
		pack_text(&packing, job->unread[i].why);
		pack_number(&packing, job->unread[i].is_readable);
	}
	pack_number(&packing, job->collectives.count);
	for (size_t i = 0; i < job->collectives.count; i++)
		pack_collective(&packing, &job->collectives.items[i]);
	pack_sums(&packing, &job->collectives);
	pack_communicators(&packing, &job->collectives.communicators);
	clock_ends_pack(&job->clocks, &packing);
	pack_paths(&packing, job->paths);
	*size = packing.size;
	return packing.bytes;
}

static int64_t unpack_time(struct unpacking *unpacking)
{
	int64_t ns = unpack_signed(unpacking);

	unpacking->is_damaged |= ns < 0;
	return ns;
}

static uint32_t unpack_small(struct unpacking *unpacking)
{
	uint64_t number = unpack_number(unpacking);

	unpacking->is_damaged |= number > UINT32_MAX;
	return (uint32_t)number;
}

static void unpack_member(struct unpacking *unpacking, struct job_member *member, char **error)
{
	size_t size;
	const void *bytes = unpack_bytes(unpacking, &size);

	if (!unpacking->is_damaged)
		member->summary = summary_from_bytes(bytes, size, error);
	unpacking->is_damaged |= !member->summary;
	member->id = unpack_number(unpacking);
	member->presence_count = unpack_count(unpacking);
	member->presences = memory_array(member->presence_count ? member->presence_count : 1,
					 sizeof(*member->presences));
	for (size_t i = 0; i < member->presence_count && !unpacking->is_damaged; i++) {
		struct job_presence *presence = &member->presences[i];

		presence->communicator = unpack_number(unpacking);
		presence->first = unpack_small(unpacking);
		presence->last = unpack_small(unpacking);
		presence->step = unpack_small(unpacking);
		presence->sum_ns = unpack_time(unpacking);
		unpacking->is_damaged |= !presence->step || presence->last < presence->first;
	}
}

static void unpack_collective(struct unpacking *unpacking, struct job_collective *item)
{
	int64_t least_sum_ns;

	item->communicator = unpack_number(unpacking);
	item->sequence = unpack_small(unpacking);
	item->operation = unpack_small(unpacking);
	item->bytes = unpack_number(unpacking);
	item->ranks = unpack_small(unpacking);
	item->seen = unpack_small(unpacking);
	item->least_ns = unpack_time(unpacking);
	item->second_ns = unpack_time(unpacking);
	item->sum_ns = unpack_time(unpacking);
	item->last = unpack_number(unpacking);
	item->launch_ns = unpack_time(unpacking);
	if (__builtin_mul_overflow(item->least_ns, (int64_t)item->seen, &least_sum_ns))
		least_sum_ns = INT64_MAX;
	unpacking->is_damaged |=
		!item->seen || item->second_ns < item->least_ns || item->sum_ns < least_sum_ns;
}

static void unpack_unread(struct unpacking *unpacking, struct job *job)
{
	size_t count = unpack_count(unpacking);

	job->unread = memory_array(count ? count : 1, sizeof(*job->unread));
	while (job->unread_count < count && !unpacking->is_damaged) {
		struct job_unread *unread = &job->unread[job->unread_count++];

		unread->path = unpack_text(unpacking);
		unread->why = unpack_text(unpacking);
		unread->is_readable = unpack_number(unpacking) != 0;
	}
}

static void unpack_collectives(struct unpacking *unpacking, struct job_collectives *collectives)
{
	size_t count = unpack_count(unpacking);

	collectives->items = memory_array(count ? count : 1, sizeof(*collectives->items));
	while (collectives->count < count && !unpacking->is_damaged)
		unpack_collective(unpacking, &collectives->items[collectives->count++]);
}

static void unpack_sums(struct unpacking *unpacking, struct job_collectives *collectives)
{
	size_t count = unpack_count(unpacking);

	collectives->done = memory_array(count ? count : 1, sizeof(*collectives->done));
	while (collectives->done_count < count && !unpacking->is_damaged) {
		struct job_done *done = &collectives->done[collectives->done_count++];

		done->communicator = unpack_number(unpacking);
		done->count = unpack_number(unpacking);
		done->least_ns = unpack_time(unpacking);
	}
	count = unpack_count(unpacking);
	collectives->late = memory_array(count ? count : 1, sizeof(*collectives->late));
	while (collectives->late_count < count && !unpacking->is_damaged) {
		struct job_straggler *late = &collectives->late[collectives->late_count++];

		late->communicator = unpack_number(unpacking);
		late->member = unpack_number(unpacking);
		late->last_count = unpack_number(unpacking);
		late->late_ns = unpack_time(unpacking);
		late->alone_ns = unpack_time(unpacking);
		late->launch_ns = unpack_time(unpacking);
		unpacking->is_damaged |= !late->last_count;
	}
}

static void unpack_communicators(struct unpacking *unpacking,
				 struct job_communicators *communicators)
{
	size_t count = unpack_count(unpacking);

	communicators->items = memory_array(count, sizeof(*communicators->items));
	while (communicators->count < count && !unpacking->is_damaged) {
		struct job_communicator *to = &communicators->items[communicators->count++];

		to->unique_id = unpack_number(unpacking);
		to->least_ranks = unpack_small(unpacking);
		to->most_ranks = unpack_small(unpacking);
		to->members = unpack_number(unpacking);
	}
}

static struct paths *unpack_paths(struct unpacking *unpacking)
{
	size_t size;
	const void *bytes = unpack_bytes(unpacking, &size);
	struct paths *paths = size ? paths_unpack(bytes, size) : NULL;

	unpacking->is_damaged |= size && !paths;
	return paths;
}

struct job *job_from_bytes(const void *bytes, size_t size, char **error)
{
	struct unpacking unpacking = {.bytes = bytes, .size = size};
	struct job *job = job_create();
	char *magic = unpack_text(&unpacking);
	size_t count;

	*error = NULL;
	unpacking.is_damaged |= strcmp(magic, MAGIC) != 0;
	free(magic);
	job->doubled = unpack_number(&unpacking);
	count = unpack_count(&unpacking);
	job->members = memory_array(count ? count : 1, sizeof(*job->members));
	while (job->member_count < count && !unpacking.is_damaged)
		unpack_member(&unpacking, &job->members[job->member_count++], error);
	unpack_unread(&unpacking, job);
	unpack_collectives(&unpacking, &job->collectives);
	unpack_sums(&unpacking, &job->collectives);
	unpack_communicators(&unpacking, &job->collectives.communicators);
	job->clocks = clock_ends_unpack(&unpacking);
	job->paths = unpack_paths(&unpacking);
	if (!unpacking.is_damaged)
		return job;
	if (!*error)
		*error = memory_format("the bytes of a job are damaged");
	job_free(job);
	return NULL;
}
