#include "nccl/nccl.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/losses.h"
#include "nccl/communicators.h"
#include "nccl/nccl_library.h"
#include "recorder/recorder.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* Initial-exec: the library is there from the program's start. */
static __thread struct {
	uint64_t inside; /* stack frame of the running wrapped call; 0: none */
	uint32_t groups; /* number of open groups */
	int64_t group;	 /* id of the outermost group; 0: no call in it yet */
} self __attribute__((tls_model("initial-exec")));

static _Atomic int64_t last_group;
static _Atomic uint64_t init_alls;

bool nccl_enter(struct nccl_call *call)
{
	int state = atomic_load_explicit(&recorder_state, memory_order_relaxed);

	/* NCCL's calls into itself lie below. A call above means that the thread has left the
	 * wrapped call, by a jump of a signal handler. */
	if (call->caller.cfa < self.inside || state == RECORDER_OFF)
		return false;
	if (state == RECORDER_IDLE)
		recorder_start();
	state = atomic_load_explicit(&recorder_state, memory_order_relaxed);
	if (state == RECORDER_OFF)
		return false;
	call->is_recorded = state == RECORDER_ON;
	self.inside = call->caller.cfa;
	call->start_ns = clock_now_ns();
	return true;
}

bool nccl_returned(struct nccl_call *call, int result)
{
	call->end_ns = clock_now_ns();
	if (call->end_ns < call->start_ns)
		call->end_ns = call->start_ns;
	call->result = result;
	return result == NCCL_SUCCESS || result == NCCL_IN_PROGRESS;
}

void nccl_leave(void)
{
	self.inside = 0;
}

/* The bytes of one element of an ncclDataType_t. */
static uint64_t bytes_of(int datatype)
{
	static const uint8_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

	return datatype >= 0 && (size_t)datatype < sizeof(bytes) ? bytes[datatype] : 1;
}

static uint64_t mix_word(uint64_t hash, uint64_t word)
{
	hash = hash_word((hash << 23 | hash >> 41) ^ word);
	return hash ^ hash >> 29;
}

static uint64_t hash_of_bytes(const void *bytes, size_t size)
{
	uint64_t hash = size, word;

	for (size_t i = 0; i + sizeof(word) <= size; i += sizeof(word)) {
		memcpy(&word, (const char *)bytes + i, sizeof(word));
		hash = mix_word(hash, word);
	}
	return hash ? hash : 1;
}

/* A row of communicators, or fields it lacked: 0 or below means NULL. */
struct description {
	int64_t id;
	uint64_t unique;
	int64_t created_ns, destroyed_ns;
	int rank, ranks, device;
};

static void tell_communicator(const struct description *description)
{
	recorder_beside(&(struct record){.kind = RECORD_COMMUNICATOR,
					 .object = (uint64_t)description->id,
					 .src = description->unique,
					 .start_ns = description->created_ns,
					 .end_ns = description->destroyed_ns,
					 .result = description->rank,
					 .numbers = (uint32_t)(description->ranks + 1),
					 .context = (uint32_t)(description->device + 1)},
			NULL, LOSS_COLLECTIVE);
}

static struct communicator *add_communicator(const struct nccl_call *call, void *comm,
					     uint64_t unique, int rank, int ranks)
{
	struct communicator *communicator = communicators_add(comm, unique);

	if (communicator)
		tell_communicator(&(struct description){.id = communicator->id,
							.unique = unique,
							.created_ns = call->start_ns,
							.rank = rank,
							.ranks = ranks,
							.device = -1});
	return communicator;
}

void nccl_note_init(const struct nccl_call *call, void *const *comm, int ranks,
		    const struct nccl_unique_id *id, int ids, int rank)
{
	if (ids > 0)
		add_communicator(call, *comm, hash_of_bytes(id, (size_t)ids * sizeof(*id)), rank,
				 ranks);
}

/* These communicators lie in one process, so their unique id only has to differ from other
 * processes' ids. */
void nccl_note_init_all(const struct nccl_call *call, void *const *comms, int ranks)
{
	const uint64_t words[] = {(uint64_t)getpid(), (uint64_t)call->start_ns,
				  atomic_fetch_add(&init_alls, 1)};
	const uint64_t unique = hash_of_bytes(words, sizeof(words));

	for (int i = 0; i < ranks; i++)
		add_communicator(call, comms[i], unique, i, ranks);
}

static int ask_communicator(enum nccl_function function, const struct nccl_call *call, void *comm)
{
	int (*real)(const void *, int *) = (int (*)(const void *, int *))nccl_library_function(
		function, call->caller.return_address);
	const int saved_errno = errno;
	int value = -1;

	if (real && real(comm, &value) != NCCL_SUCCESS)
		value = -1;
	errno = saved_errno;
	return value;
}

/* The communicator must be ready: a call that needs this has succeeded. */
static __attribute__((noinline)) void
describe_communicator(const struct nccl_call *call, struct communicator *communicator, void *comm)
{
	if (atomic_exchange(&communicator->is_described, true))
		return;
	tell_communicator(&(struct description){
		.id = communicator->id,
		.rank = ask_communicator(NCCL_FUNCTION_ncclCommUserRank, call, comm),
		.ranks = ask_communicator(NCCL_FUNCTION_ncclCommCount, call, comm),
		.device = ask_communicator(NCCL_FUNCTION_ncclCommCuDevice, call, comm)});
}

static int64_t next_in_sequence(struct communicator *communicator,
				enum collective_operation operation, int peer)
{
	if (operation == COLLECTIVE_SEND || operation == COLLECTIVE_RECEIVE)
		return communicators_next_of_pair(communicator, peer, operation == COLLECTIVE_SEND);
	return (int64_t)atomic_fetch_add(&communicator->collectives, 1);
}

static int64_t group_of_call(void)
{
	if (self.groups && !self.group)
		self.group = atomic_fetch_add(&last_group, 1) + 1;
	return self.groups ? self.group : 0;
}

void nccl_note_collective(const struct nccl_call *call, enum collective_operation operation,
			  void *comm, size_t count, int datatype, int root_or_peer,
			  const void *stream)
{
	struct communicator *communicator = communicators_find(comm);
	int64_t sequence = -1;

	if (__builtin_expect(!communicator, 0))
		communicator = add_communicator(&(struct nccl_call){0}, comm, 0, -1, -1);
	if (communicator)
		sequence = next_in_sequence(communicator, operation, root_or_peer);
	if (!call->is_recorded)
		return;
	if (__builtin_expect(sequence < 0, 0))
		losses_count(LOSS_COLLECTIVE, 1);
	recorder_beside(&(struct record){.kind = RECORD_COLLECTIVE,
					 .function = (uint16_t)operation,
					 .copy_kind = (uint8_t)datatype,
					 .result = root_or_peer,
					 .start_ns = call->start_ns,
					 .end_ns = call->end_ns,
					 .stream = (uint64_t)(uintptr_t)stream,
					 .object = communicator ? (uint64_t)communicator->id : 0,
					 .dst = (uint64_t)sequence,
					 .src = (uint64_t)group_of_call(),
					 .size_bytes = count * bytes_of(datatype) & INT64_MAX},
			&call->caller, LOSS_COLLECTIVE);
	if (communicator && call->result == NCCL_SUCCESS &&
	    __builtin_expect(
		    !atomic_load_explicit(&communicator->is_described, memory_order_relaxed), 0))
		describe_communicator(call, communicator, comm);
}

/* Resets the group: the former one has no end if its ncclGroupEnd() failed. */
void nccl_note_group_start(void)
{
	if (!self.groups++)
		self.group = 0;
}

/* Keeps self.group for nccl_note_group_end(). */
void nccl_leave_group(const struct nccl_call *call)
{
	if (self.groups)
		self.groups--;
}

void nccl_note_group_end(const struct nccl_call *call)
{
	if (self.groups || !self.group)
		return;
	recorder_beside(&(struct record){.kind = RECORD_COLLECTIVE_GROUP,
					 .object = (uint64_t)self.group,
					 .start_ns = call->start_ns,
					 .end_ns = call->end_ns},
			NULL, LOSS_COLLECTIVE);
	self.group = 0;
}

void nccl_note_split(const struct nccl_call *call, void *comm, uint64_t part, void *const *made)
{
	struct communicator *parent = communicators_find(comm);
	const uint64_t splits = parent ? atomic_fetch_add(&parent->splits, 1) : 0;
	uint64_t unique = 0;

	if (!made || !*made)
		return;
	if (parent && parent->unique)
		unique = mix_word(mix_word(parent->unique, splits), part);
	add_communicator(call, *made, unique, -1, -1);
}

void nccl_note_destroyed(const struct nccl_call *call, void *comm)
{
	const int64_t id = communicators_remove(comm);

	if (id)
		tell_communicator(&(struct description){.id = id,
							.destroyed_ns = call->start_ns,
							.rank = -1,
							.ranks = -1,
							.device = -1});
}

void nccl_after_fork(void)
{
	communicators_after_fork();
	self.inside = 0;
	self.groups = 0;
	self.group = 0;
}
