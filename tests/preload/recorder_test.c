/* The recorder alone: no CUDA, no file, no writer thread. The test is the wrapper and the hooks. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "base/atoms.h"
#include "base/clock.h"
#include "base/losses.h"
#include "base/options.h"
#include "recorder/pack.h"
#include "recorder/recorder.h"
#include "recorder/windows.h"
#include "stack/modules.h"
#include "stack/walk.h"

static _Atomic int first_calls, first_records, wakes;

static void on_first_call(void)
{
	first_calls++;
	errno = EBUSY;
	if (recorder_begin())
		recorder_pause(false);
}

static void on_first_record(void)
{
	first_records++;
	errno = EBUSY;
}

static int resume_at; /* woken so often, the writer thread would be there; 0: it never comes */

static void on_wake(void)
{
	wakes++;
	if (resume_at && wakes == resume_at)
		windows_resume();
}

static const struct recorder_hooks hooks = {on_first_call, on_first_record, on_wake};

static int set_up(void **state)
{
	walk_start();
	recorder_after_fork();
	recorder_set_hooks(&hooks);
	atomic_store(&recorder_state, RECORDER_IDLE);
	recorder_thread = (struct recorder_thread){0};
	first_calls = first_records = wakes = resume_at = 0;
	for (int loss = 0; loss < LOSS_COUNT; loss++)
		losses_take(loss);
	return 0;
}

/* In the wrapper's own frame, as its caller is found from there. */
static inline __attribute__((always_inline)) bool enter(struct recorder_call *call)
{
	call->caller = CALLER_HERE();
	return recorder_enter(call);
}

/* A wrapper, but for the call itself and its arguments; false: it was not recorded. */
static __attribute__((noinline)) bool make_call(int function)
{
	struct recorder_call call;
	struct record *record;

	if (!enter(&call))
		return false;
	record = recorder_leave(function, 0, clock_now_ns(), &call);
	if (record)
		recorder_commit();
	return record;
}

/* A full segment, taken record by record. */
static struct ring_batch batch;
static uint32_t batch_taken;

/* The oldest record, which is the test's until the next one is asked for; NULL: none. */
static const struct record *next_record(struct ring *ring)
{
	static struct record copy;

	if (!batch.records) {
		if (!ring_next(ring, &batch))
			return NULL;
		assert_null(batch.packed);
		batch_taken = 0;
		if (batch.is_current)
			batch.count = 1;
	}
	copy = batch.records[batch_taken++];
	if (batch_taken == batch.count) {
		ring_give_back(&batch);
		batch.records = NULL;
	}
	return &copy;
}

static int function_of_first(const struct ring *ring)
{
	const struct segment *segment = atomic_load(&ring->current);

	assert_int_equal(segment->taken, 0);
	return segment->records[0].function;
}

/* As the writer does it once an orphan is empty. */
static void set_free(struct ring *ring)
{
	assert_int_equal(atomic_load(&ring->state), RING_ORPHANED);
	while (next_record(ring))
		;
	assert_true(ring_is_empty(ring));
	ring_free(ring);
}

/* By another library's constructor. The first test: hooks stay. */
TEST(test_a_call_before_the_hooks_is_noted)
{
	assert_false(make_call(1));
	assert_int_equal(recorder_state, RECORDER_IDLE);
	assert_null(recorder_rings());
	assert_false(recorder_set_hooks(&hooks));
	assert_true(make_call(1));
}

TEST_WITH(test_the_first_call_starts_once, set_up, NULL)
{
	errno = ENOENT;
	assert_true(make_call(1));
	assert_true(make_call(2));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(first_calls, 1);
	assert_int_equal(first_records, 1);
	assert_int_equal(wakes, 0);
}

static void call_while_starting(void)
{
	if (++first_calls == 1)
		assert_false(make_call(9));
	on_first_call();
}

/* In a signal handler that has interrupted the start. */
TEST_WITH(test_a_call_while_it_starts_does_not_wait, set_up, NULL)
{
	static const struct recorder_hooks calling = {call_while_starting, on_first_record,
						      on_wake};

	recorder_set_hooks(&calling);
	assert_true(make_call(1));
	assert_int_equal(first_calls, 2);
	assert_int_equal(losses_take(LOSS_EARLY_CALL), 1);
	assert_int_equal(next_record(recorder_rings())->function, 1);
	assert_null(next_record(recorder_rings()));
}

static void refuse(void)
{
	first_calls++;
}

TEST_WITH(test_it_stays_idle_where_nothing_starts, set_up, NULL)
{
	static const struct recorder_hooks refusing = {refuse, on_first_record, on_wake};

	recorder_set_hooks(&refusing);
	assert_false(make_call(1));
	assert_false(make_call(1));
	assert_int_equal(first_calls, 2);
	assert_null(recorder_rings());
	recorder_stop();
	assert_false(make_call(1));
	assert_int_equal(first_calls, 2);
}

TEST_WITH(test_records_come_in_order, set_up, NULL)
{
	int64_t before_ns = clock_now_ns();
	const struct record *record;
	uint64_t serial = 0;

	for (int i = 0; i < 1000; i++) {
		struct recorder_call call;
		struct record *filled;

		assert_true(enter(&call));
		filled = recorder_leave(i % 7, -i, before_ns + i, &call);
		assert_non_null(filled);
		filled->has |= RECORD_HAS_SIZE;
		filled->size_bytes = (uint64_t)i;
		recorder_commit();
	}
	for (int i = 0; i < 1000; i++) {
		record = next_record(recorder_rings());
		assert_non_null(record);
		assert_int_equal(record->kind, RECORD_CALL);
		assert_int_equal(record->function, i % 7);
		assert_int_equal(record->result, -i);
		assert_int_equal(record->start_ns, before_ns + i);
		assert_in_range(record->end_ns, before_ns, clock_now_ns());
		assert_int_equal(record->has, RECORD_HAS_SIZE);
		assert_int_equal(record->size_bytes, i);
		assert_null(record->arguments);
		assert_int_equal(record->serial, i ? serial + 1 : 0);
		serial = record->serial;
	}
	assert_null(next_record(recorder_rings()));
	assert_int_equal(recorder_rings()->thread_id, gettid());
}

static __attribute__((noinline)) void call_twice(void)
{
	/* One call site: the loop is not to be unrolled. */
	volatile int count = 2;

	for (int i = 0; i < count; i++)
		assert_true(make_call(1));
}

TEST_WITH(test_a_record_has_its_call_site, set_up, NULL)
{
	const struct atom *site;

	call_twice();
	assert_true(make_call(1));
	site = next_record(recorder_rings())->site;
	assert_int_equal(site->kind, ATOM_STACK);
	assert_in_range(site->frame_count, 2, 64);
	assert_in_range(MODULE_ADDRESS(site->words[0]), (uint64_t)call_twice,
			(uint64_t)call_twice + 1000);
	assert_ptr_equal(next_record(recorder_rings())->site, site);
	assert_ptr_not_equal(next_record(recorder_rings())->site, site);
}

TEST_WITH(test_the_runtime_inside_itself_is_left_out, set_up, NULL)
{
	struct recorder_call outer, inner = {0}, own = {0};

	walk_leave_out("libcmocka");
	inner.caller.return_address = (uint64_t)dlsym(RTLD_DEFAULT, "_cmocka_run_group_tests");
	assert_true(walk_is_left_out(inner.caller.return_address));
	assert_true(enter(&outer));
	assert_false(recorder_enter(&inner));
	/* Out of a call by siglongjmp(), the program's next one is its own. */
	own.caller.return_address = (uint64_t)call_twice;
	assert_true(recorder_enter(&own));
	assert_int_equal(own.outer.depth, 1);
	assert_non_null(recorder_leave(2, 0, clock_now_ns(), &own));
	recorder_commit();
	assert_non_null(recorder_leave(1, 0, clock_now_ns(), &outer));
	recorder_commit();
	assert_int_equal(next_record(recorder_rings())->function, 2);
	assert_int_equal(next_record(recorder_rings())->function, 1);
	assert_int_equal(recorder_thread.at.depth, 0);
}

TEST_WITH(test_correlations_belong_to_their_call, set_up, NULL)
{
	struct recorder_call call;
	const struct record *record;

	assert_true(enter(&call));
	assert_true(recorder_correlate(10, 3, false));
	assert_true(recorder_correlate(11, 1, true));
	assert_true(recorder_correlate(12, 1, true));
	assert_true(recorder_correlate(13, 1, false));
	recorder_leave(1, 0, clock_now_ns(), &call);
	recorder_commit();
	record = next_record(recorder_rings());
	assert_int_equal(record->kind, RECORD_CORRELATION);
	assert_int_equal(record->correlation, 12);
	assert_int_equal(record->serial, 0);
	record = next_record(recorder_rings());
	assert_int_equal(record->kind, RECORD_CALL);
	assert_int_equal(record->has, RECORD_HAS_CORRELATION);
	assert_int_equal(record->correlation, 11);
	assert_int_equal(record->context, 3);
	assert_int_equal(record->serial, 0);

	assert_true(enter(&call));
	assert_true(recorder_correlate(20, 1, false));
	recorder_leave(1, 0, clock_now_ns(), &call);
	recorder_commit();
	assert_int_equal(next_record(recorder_rings())->correlation, 20);
}

TEST_WITH(test_a_driver_call_has_its_own_record, set_up, NULL)
{
	struct caller caller = CALLER_HERE();
	const struct record *record;

	assert_true(make_call(1));
	next_record(recorder_rings());
	assert_false(recorder_correlate(30, 1, true));
	recorder_graph_node(
		&(struct graph_node){.id = 5, .source_id = 4, .graph_id = 3, .kind = 2});
	assert_non_null(recorder_driver_record(100, 1, 5, 30, 1, &caller));
	recorder_commit();
	recorder_graph_node(&(struct graph_node){.id = 6});
	record = next_record(recorder_rings());
	assert_int_equal(record->kind, RECORD_GRAPH_NODE);
	assert_int_equal(record->object, 5);
	assert_int_equal(record->src, 4);
	assert_int_equal(record->correlation, 3);
	assert_int_equal(record->result, 2);
	assert_int_equal(record->serial, 1);
	record = next_record(recorder_rings());
	assert_int_equal(record->function, 100);
	assert_int_equal(record->correlation, 30);
	assert_int_equal(record->serial, 1);
	assert_int_equal(next_record(recorder_rings())->serial, RECORD_NO_CALL);
	assert_int_equal(recorder_thread.at.depth, 0);
}

TEST_WITH(test_a_host_function_is_no_call, set_up, NULL)
{
	const struct record *record;

	assert_true(make_call(1));
	next_record(recorder_rings());
	recorder_host_function(&(struct host_function_run){
		.start_ns = 1, .function = 2, .stream = 3, .correlation = 4});
	record = next_record(recorder_rings());
	assert_int_equal(record->kind, RECORD_HOST_FUNCTION);
	assert_int_equal(record->start_ns, 1);
	assert_in_range(record->end_ns, 2, clock_now_ns());
	assert_int_equal(record->object, 2);
	assert_int_equal(record->stream, 3);
	assert_int_equal(record->correlation, 4);
}

static bool is_recorded_in_handler;

static void call_in_handler(int number)
{
	is_recorded_in_handler = make_call(9);
}

/* Between a call's begin and its end a handler's call is recorded; while the record is filled in it
 * is not, for it would be filled in twice. */
TEST_WITH(test_a_signal_handler_calls, set_up, NULL)
{
	const struct record *record;
	struct recorder_call call;
	struct record *filled;

	/* The thread has its ring: what takes that is not for a handler. */
	assert_true(make_call(1));
	next_record(recorder_rings());
	signal(SIGUSR1, call_in_handler);
	assert_true(enter(&call));
	recorder_correlate(40, 1, true);
	raise(SIGUSR1);
	assert_true(is_recorded_in_handler);
	assert_int_equal(recorder_thread.at.depth, 1);
	filled = recorder_leave(1, 0, clock_now_ns(), &call);
	assert_int_equal(recorder_thread.at.depth, 2);
	raise(SIGUSR1);
	assert_false(is_recorded_in_handler);
	assert_int_equal(losses_take(LOSS_HANDLER_CALL), 1);
	assert_int_equal(filled->function, 1);
	recorder_commit();
	assert_int_equal(recorder_thread.at.depth, 0);
	record = next_record(recorder_rings());
	assert_int_equal(record->function, 9);
	assert_int_equal(record->has, 0);
	record = next_record(recorder_rings());
	assert_int_equal(record->function, 1);
	assert_int_equal(record->correlation, 40);
	assert_null(next_record(recorder_rings()));
	signal(SIGUSR1, SIG_DFL);
}

static void tell_in_handler(int number)
{
	recorder_correlate(41, 1, true);
	recorder_correlate(42, 1, true);
	recorder_host_function(&(struct host_function_run){.start_ns = 1});
}

/* What CUPTI tells of a handler's calls does not get into the record that is being filled in. */
TEST_WITH(test_a_signal_handler_makes_operations, set_up, NULL)
{
	const struct record *record;
	struct recorder_call call;

	assert_true(make_call(1));
	next_record(recorder_rings());
	signal(SIGUSR1, tell_in_handler);
	assert_true(enter(&call));
	recorder_correlate(40, 1, true);
	assert_non_null(recorder_leave(1, 0, clock_now_ns(), &call));
	raise(SIGUSR1);
	recorder_commit();
	record = next_record(recorder_rings());
	assert_int_equal(record->kind, RECORD_CALL);
	assert_int_equal(record->correlation, 40);
	assert_null(next_record(recorder_rings()));
	assert_int_equal(losses_take(LOSS_CORRELATION), 2);
	assert_int_equal(losses_take(LOSS_HOST_FUNCTION), 1);
	signal(SIGUSR1, SIG_DFL);
}

/* As a signal handler can: the child goes on in the middle of a call of the parent's. */
TEST_WITH(test_a_forked_child_goes_on_in_a_call, set_up, NULL)
{
	struct recorder_call call;
	int status;
	pid_t child;

	assert_true(make_call(1));
	assert_true(enter(&call));
	assert_non_null(recorder_leave(2, 0, clock_now_ns(), &call));
	child = fork();
	if (!child)
		recorder_after_fork();
	recorder_commit();
	if (!child)
		_exit(make_call(3) && function_of_first(recorder_rings()) == 3 ? 0 : 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(next_record(recorder_rings())->function, 1);
	assert_int_equal(next_record(recorder_rings())->function, 2);
}

static void make_calls(int count)
{
	for (int i = 0; i < count; i++)
		assert_true(make_call(1));
}

TEST_WITH(test_segments_come_in_order, set_up, NULL)
{
	enum { SEGMENTS = 3 * RING_WAKE_SEGMENTS };
	struct ring *ring;
	uint64_t serial = 0;

	for (int i = 0; i < SEGMENTS; i++) {
		assert_int_equal(wakes, i / RING_WAKE_SEGMENTS);
		make_calls(SEGMENT_RECORDS);
		/* Some are read before their segment is full. */
		for (int k = 0; k < i; k++)
			assert_int_equal(next_record(recorder_rings())->serial, serial++);
	}
	make_calls(7);
	ring = recorder_rings();
	assert_int_equal(wakes, SEGMENTS / RING_WAKE_SEGMENTS);
	while (serial < SEGMENTS * SEGMENT_RECORDS + 7)
		assert_int_equal(next_record(ring)->serial, serial++);
	assert_null(next_record(ring));
	assert_int_equal(ring->dropped, 0);
	/* What was given back is used again. */
	make_calls(SEGMENTS * SEGMENT_RECORDS);
	while (next_record(ring))
		;
}

enum { MANY_SEGMENTS = 50 };

static atomic_bool is_made;

static void *make_many(void *unused)
{
	for (int i = 0; i < MANY_SEGMENTS * SEGMENT_RECORDS; i++)
		make_call(1);
	atomic_store_explicit(&is_made, true, memory_order_relaxed);
	return NULL;
}

/* Takes all that is there. Returns how many records come out of order. */
static int take_beside(struct ring *ring, uint64_t *serial)
{
	struct ring_batch taken;
	int wrong = 0;

	while (ring_next(ring, &taken)) {
		if (taken.packed)
			*serial += taken.packed->calls;
		for (uint32_t i = 0; i < taken.count; i++)
			wrong += taken.records[i].serial != (*serial)++;
		ring_give_back(&taken);
	}
	return wrong;
}

/* The ring's own orders are all that the two threads share: without one of them ThreadSanitizer reports a
 * race (./dev test tsan). */
TEST_WITH(test_the_writer_reads_beside_the_thread, set_up, NULL)
{
	uint64_t serial = 0;
	int wrong = 0;
	bool is_over;
	pthread_t thread;

	atomic_store(&is_made, false);
	pthread_create(&thread, NULL, make_many, NULL);
	do {
		is_over = atomic_load_explicit(&is_made, memory_order_relaxed);
		if (recorder_rings())
			wrong += take_beside(recorder_rings(), &serial);
	} while (!is_over);
	pthread_join(thread, NULL);
	wrong += take_beside(recorder_rings(), &serial);
	assert_int_equal(wrong, 0);
	assert_int_equal(serial, MANY_SEGMENTS * SEGMENT_RECORDS);
	assert_int_equal(recorder_rings()->dropped, 0);
}

#if defined(__x86_64__) &&                                                                         \
	!defined(__SANITIZE_THREAD__) /* whose runtime must not be stepped into */
#define TRAP_FLAG 0x100

static struct ring *stepped;
static volatile int steps, steps_queued;
static volatile sig_atomic_t is_current_queued;

/* What the writer would see between any two instructions: the queue has what it may free. */
static void look_at_queue(int signal)
{
	const uint32_t pushed = atomic_load(&stepped->pushed),
		       popped = atomic_load(&stepped->popped);
	const uintptr_t current = (uintptr_t)atomic_load(&stepped->current);

	steps++;
	steps_queued += pushed != popped;
	for (uint32_t i = popped; i != pushed; i++)
		is_current_queued |= atomic_load(&stepped->queue[i % RING_QUEUE]) == current;
}

static __attribute__((noinline)) void set_trap_flag(bool is_on)
{
	if (is_on)
		__asm__ volatile(
			"sub $128, %%rsp; pushf; orl %0, (%%rsp); popf; add $128, %%rsp" ::"i"(
				TRAP_FLAG)
			: "cc", "memory");
	else
		__asm__ volatile(
			"sub $128, %%rsp; pushf; andl %0, (%%rsp); popf; add $128, %%rsp" ::"i"(
				~TRAP_FLAG)
			: "cc", "memory");
}

/* Step by step of the processor: a full segment is queued once it is not the current one any more. */
TEST_WITH(test_a_queued_segment_is_not_current, set_up, NULL)
{
	struct sigaction look = {.sa_handler = look_at_queue}, before;

	make_calls(SEGMENT_RECORDS);
	stepped = recorder_rings();
	steps = steps_queued = 0;
	is_current_queued = false;
	sigaction(SIGTRAP, &look, &before);
	set_trap_flag(true);
	make_call(2);
	set_trap_flag(false);
	sigaction(SIGTRAP, &before, NULL);
	assert_false(is_current_queued);
	assert_true(steps > 100 && steps_queued > 10 && steps_queued < steps - 10);
	for (int i = 0; i < SEGMENT_RECORDS; i++)
		assert_int_equal(next_record(stepped)->function, 1);
	assert_int_equal(next_record(stepped)->function, 2);
}
#endif

/* The serial of the first call that was packed. */
static uint64_t packed_serial(const struct packed *packed)
{
	const struct packed_note *note = NULL;

	while ((note = packed_next_note(packed, note)))
		if (note->kind == PACKED_SERIAL) {
			assert_int_equal(note->number, 0);
			return note->value;
		}
	fail();
	return 0;
}

/* Takes all there is; how many calls it was. They follow each other. */
static uint64_t take_all(struct ring *ring, uint64_t serial, uint64_t *packed_count)
{
	struct ring_batch taken;
	uint64_t count = 0;

	for (; ring_next(ring, &taken); ring_give_back(&taken)) {
		const uint64_t first =
			taken.packed ? packed_serial(taken.packed) : taken.records[0].serial;
		const uint32_t calls = taken.packed ? taken.packed->calls : taken.count;

		assert_int_equal(first, serial + count);
		count += calls;
		*packed_count += taken.packed ? calls : 0;
	}
	return count;
}

/* Nobody reads: first there are segments, then the thread packs its own, then there is no room. */
TEST_WITH(test_a_full_ring_packs_and_then_drops, set_up, NULL)
{
	const int rest = 3;
	const struct record collective = {.kind = RECORD_COLLECTIVE, .object = 7};
	const struct record *record;
	uint64_t made = 0, packed_count = 0;
	struct ring *ring;

	while (make_call(1))
		made++;
	for (int i = 1; i < rest; i++)
		assert_false(make_call(2));
	ring = recorder_rings();
	assert_int_equal(ring->dropped, rest);
	assert_true(recorder_correlate(1, 1, true) == false);
	recorder_host_function(&(struct host_function_run){.start_ns = 1});
	assert_int_equal(losses_take(LOSS_HOST_FUNCTION), 1);
	recorder_beside(&collective, &CALLER_HERE(), LOSS_COLLECTIVE);
	assert_int_equal(losses_take(LOSS_COLLECTIVE), 1);
	assert_int_equal(losses_take(LOSS_RING_OVERFLOW), 0);
	assert_int_equal(recorder_thread.at.depth, 0);
	assert_true(made >= (RING_SEGMENTS_MOST + RING_PACKED_MOST) * SEGMENT_RECORDS);
	assert_true(ring_waiting(ring) >= SEGMENT_RECORDS);

	assert_int_equal(take_all(ring, 0, &packed_count), made);
	assert_in_range(packed_count, RING_PACKED_MOST * SEGMENT_RECORDS,
			made - (RING_SEGMENTS_MOST - 1) * SEGMENT_RECORDS);
	assert_int_equal(ring_waiting(ring), 0);
	/* The serial shows what was lost. */
	assert_true(make_call(3));
	assert_int_equal(next_record(ring)->serial, made + rest);
	recorder_beside(&collective, &CALLER_HERE(), LOSS_COLLECTIVE);
	record = next_record(ring);
	assert_int_equal(record->object, 7);
	assert_non_null(record->site);
	assert_null(next_record(ring));
	assert_int_equal(losses_take(LOSS_COLLECTIVE), 0);
}

/* What a launch that found no room was given is not the next one's; nor is there a place too many for the
 * segments that wait: the writer would find the newest where it looks for the oldest. */
TEST_WITH(test_a_full_queue_drops, set_up, NULL)
{
	struct caller caller = CALLER_HERE();
	static struct atom arguments;
	struct ring *ring;

	make_calls(SEGMENT_RECORDS);
	ring = recorder_rings();
	atomic_store(&ring->popped, atomic_load(&ring->pushed) - RING_QUEUE);
	recorder_thread.arguments = &arguments;
	recorder_thread.numbers = 7;
	assert_null(recorder_driver_record(2, 0, 5, 0, 0, &caller));
	assert_int_equal(ring->dropped, 1);
	assert_null(recorder_thread.arguments);
	assert_int_equal(recorder_thread.numbers, 0);
	atomic_store(&ring->popped, atomic_load(&ring->pushed));
	assert_true(make_call(3));
	for (int i = 0; i < SEGMENT_RECORDS; i++)
		assert_int_equal(next_record(ring)->function, 1);
	assert_int_equal(next_record(ring)->function, 3);
	assert_null(next_record(ring));
}

/* What is no call keeps its place among the calls where the thread packs. */
TEST(test_packed_records_keep_their_order)
{
	struct packer *packer = malloc(sizeof(*packer));
	struct packed *packed = aligned_alloc(64, RING_PACKED_BYTES);
	const uint16_t kinds[] = {PACKED_SHAPE, PACKED_SERIAL, PACKED_OTHER, PACKED_SERIAL};
	const struct packed_note *note;
	struct record record = {.kind = RECORD_CALL, .serial = 5};
	size_t i = 0;

	packed->piece = (struct pool_piece){0};
	packer_begin(packer, packed, RING_PACKED_BYTES);
	assert_true(packer_add(packer, &record));
	record = (struct record){.kind = RECORD_CORRELATION, .serial = 6, .correlation = 77};
	assert_true(packer_add(packer, &record));
	record = (struct record){.kind = RECORD_CALL, .serial = 6};
	assert_true(packer_add(packer, &record));
	packer_end(packer);
	note = NULL;
	for (; (note = packed_next_note(packed, note)); i++) {
		assert_in_range(i, 0, 3);
		assert_int_equal(note->kind, kinds[i]);
		if (note->kind == PACKED_OTHER)
			assert_int_equal(packed_other(note).correlation, 77);
		if (note->kind == PACKED_SERIAL)
			assert_int_equal(note->value, 5 + note->number);
	}
	assert_int_equal(i, 4);
	assert_int_equal(packed->calls, 2);
	free(packed);
	free(packer);
}

static void *call_in_thread(void *function)
{
	make_call((int)(intptr_t)function);
	return recorder_thread.ring;
}

static struct ring *run_thread(int function)
{
	pthread_t thread;
	void *ring;

	assert_int_equal(pthread_create(&thread, NULL, call_in_thread, (void *)(intptr_t)function),
			 0);
	assert_int_equal(pthread_join(thread, &ring), 0);
	return ring;
}

TEST_WITH(test_a_thread_leaves_its_ring, set_up, NULL)
{
	struct ring *first = run_thread(1), *second = run_thread(2);

	assert_non_null(first);
	assert_ptr_not_equal(first, second);
	assert_int_equal(first_calls, 1);
	assert_int_equal(first_records, 2);
	assert_ptr_equal(recorder_rings(), second);
	assert_ptr_equal(second->next, first);
	assert_int_equal(function_of_first(first), 1);
	set_free(first);
	assert_ptr_equal(run_thread(3), first);
	assert_int_equal(next_record(first)->function, 3);
	assert_int_equal(next_record(second)->function, 2);
	assert_ptr_equal(recorder_rings(), second);
	assert_null(first->next);
}

/* It ended in the middle of packing, in a signal handler. */
TEST_WITH(test_a_thread_leaves_a_ring_it_was_packing, set_up, NULL)
{
	struct ring *ring = run_thread(1);
	struct ring_batch left;

	ring->is_extending = true;
	atomic_store(&atomic_load(&ring->current)->is_claimed, true);
	assert_false(ring_next(ring, &left));
	assert_false(ring_is_empty(ring));
	ring_take_over(ring);
	assert_int_equal(next_record(ring)->function, 1);
	set_free(ring);
	assert_ptr_equal(run_thread(2), ring);
	assert_false(ring->is_extending);
	assert_int_equal(next_record(ring)->function, 2);
	set_free(ring);
}

static void *fill_cancelled(void *calls)
{
	pthread_cancel(pthread_self());
	while (make_call(1))
		++*(uint64_t *)calls;
	return recorder_thread.ring;
}

/* CUDA's calls are no cancellation points, whatever a record waits for. */
TEST_WITH(test_a_cancelled_thread_waits_for_room, set_up, NULL)
{
	uint64_t made = 0, packed_count = 0;
	pthread_t thread;
	void *ring;

	assert_int_equal(pthread_create(&thread, NULL, fill_cancelled, &made), 0);
	assert_int_equal(pthread_join(thread, &ring), 0);
	assert_ptr_not_equal(ring, PTHREAD_CANCELED);
	assert_int_equal(take_all(ring, 0, &packed_count), made);
	set_free(ring);
}

static int fork_result(void)
{
	recorder_after_fork();
	if (recorder_rings() || recorder_is_on())
		return 1;
	if (!make_call(2) || first_calls != 2)
		return 2;
	return recorder_rings()->next || function_of_first(recorder_rings()) != 2 ? 3 : 0;
}

TEST_WITH(test_a_forked_child_begins_anew, set_up, NULL)
{
	struct recorder_call call;
	int status;
	pid_t child;

	assert_true(make_call(1));
	/* Another thread's call may be under way. */
	assert_true(enter(&call));
	child = fork();
	if (!child)
		_exit(fork_result());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	recorder_leave(3, 0, clock_now_ns(), &call);
	recorder_commit();
	assert_int_equal(next_record(recorder_rings())->function, 1);
	assert_int_equal(next_record(recorder_rings())->function, 3);
	recorder_stop();
	recorder_after_fork();
	assert_int_equal(recorder_state, RECORDER_OFF);
}

TEST_WITH(test_pause_and_stop, set_up, NULL)
{
	struct recorder_call call;

	assert_true(make_call(1));
	assert_true(enter(&call));
	recorder_pause(true);
	assert_true(recorder_is_on());
	/* It began before. */
	assert_non_null(recorder_leave(2, 0, clock_now_ns(), &call));
	recorder_commit();
	assert_false(make_call(3));
	recorder_pause(false);
	assert_true(make_call(4));
	assert_true(enter(&call));
	assert_true(recorder_stop());
	assert_false(recorder_stop());
	assert_null(recorder_leave(5, 0, clock_now_ns(), &call));
	assert_int_equal(recorder_thread.at.depth, 0);
	recorder_pause(false);
	assert_false(recorder_begin());
	assert_false(make_call(6));
	recorder_host_function(&(struct host_function_run){.start_ns = 1});
	assert_int_equal(first_calls, 1);
	assert_int_equal(next_record(recorder_rings())->function, 1);
	assert_int_equal(next_record(recorder_rings())->function, 2);
	assert_int_equal(next_record(recorder_rings())->function, 4);
	assert_null(next_record(recorder_rings()));
}

static void expect_change(bool opens, enum window_cause cause)
{
	struct window_change change;

	assert_true(windows_next_change(&change));
	assert_int_equal(change.opens, opens);
	assert_int_equal(change.cause, cause);
	assert_in_range(change.time_ns, 1, clock_now_ns());
}

#define MEASURED_CALLS 10000

/* As the listener does. */
static void call_back(bool is_entry)
{
	struct cost_callback callback;

	if (call_cost_callback(&callback, is_entry, recorder_thread.at.depth == 0))
		call_cost_callback_end(&callback);
}

static void make_measured_call(bool has_wrapper)
{
	struct recorder_call call = {0};
	int64_t start_ns;

	if (has_wrapper)
		assert_true(enter(&call));
	else
		call.caller = CALLER_HERE();
	start_ns = clock_now_ns();
	call_back(true);
	if (!has_wrapper)
		start_ns = clock_now_ns();
	if (has_wrapper)
		call_back(false);
	if (has_wrapper ? recorder_leave(1, 0, start_ns, &call)
			: recorder_driver_record(1, 0, start_ns, 0, 0, &call.caller))
		recorder_commit();
}

/* One call in 33 to 96 is measured, not the first ones, and not at equal distances. A thread that is
 * interrupted while it is measured leaves that one out. */
static void check_measured(bool has_wrapper)
{
	int count = 0, last = -1, nearest = MEASURED_CALLS, farthest = 0;
	const struct record *record;

	assert_true(make_call(0)); /* makes the ring */
	call_cost = (struct call_cost){0};
	for (int i = 0; i < MEASURED_CALLS; i++)
		make_measured_call(has_wrapper);
	next_record(recorder_thread.ring);
	for (int i = 0; (record = next_record(recorder_thread.ring)); i++) {
		if (!(record->has & RECORD_HAS_TOOL))
			continue;
		assert_true(i > 8 && (last < 0 || i - last > 32));
		assert_true(record->tool_entry_ns <= 10000);
		assert_true(has_wrapper ? record->tool_entry_ns <= record->tool_inside_ns
					: record->tool_inside_ns == 0);
		if (count++ && i - last < nearest)
			nearest = i - last;
		if (count > 1 && i - last > farthest)
			farthest = i - last;
		last = i;
	}
	assert_in_range(count, 2, MEASURED_CALLS / 33 + 1);
	print_message("%d of %d calls measured\n", count, MEASURED_CALLS);
	assert_true(count < 4 || nearest < farthest);
}

TEST_WITH(test_some_calls_are_measured, set_up, NULL)
{
	check_measured(true);
}

TEST_WITH(test_some_driver_calls_are_measured, set_up, NULL)
{
	check_measured(false);
}

static int set_up_windows(void **state)
{
	struct window_change change;

	set_up(state);
	windows_close(WINDOW_CALL);
	windows_after_fork();
	while (windows_next_change(&change))
		;
	options.start = "now";
	return 0;
}

TEST_WITH(test_windows_turn_the_recorder_on_and_off, set_up_windows, NULL)
{
	struct window_change change;

	setenv("STREAMTRACE_SIGNAL", "USR2", true);
	options_read();
	windows_initialize();
	windows_begin();
	assert_true(recorder_begin());
	assert_false(make_call(1));
	windows_apply();
	assert_true(make_call(2));
	windows_open(WINDOW_CALL); /* it is open */
	windows_close(WINDOW_PROFILER);
	assert_false(make_call(3));
	raise(SIGUSR2);
	assert_true(make_call(4));
	raise(SIGUSR2);
	expect_change(true, WINDOW_START);
	expect_change(false, WINDOW_PROFILER);
	expect_change(true, WINDOW_SIGNAL);
	expect_change(false, WINDOW_SIGNAL);
	assert_false(windows_next_change(&change));
	assert_false(windows_follow_profiler());
	signal(SIGUSR2, SIG_DFL);
}

TEST_WITH(test_windows_before_the_tracing_are_not_told, set_up_windows, NULL)
{
	struct window_change change;

	options.start = "paused";
	windows_initialize();
	assert_true(windows_follow_profiler());
	windows_open(WINDOW_CALL);
	windows_close(WINDOW_CALL);
	windows_begin();
	assert_false(windows_next_change(&change));
	windows_open(WINDOW_CALL);
	windows_after_fork();
	windows_begin();
	expect_change(true, WINDOW_START);
	assert_false(windows_next_change(&change));
}

/* Those that nobody has taken are not overwritten. */
TEST_WITH(test_windows_wait_for_the_writer, set_up_windows, NULL)
{
	struct window_change change;
	int count = 0;

	windows_begin();
	recorder_begin();
	for (int i = 0; i < 1000; i++) {
		windows_open(WINDOW_CALL);
		windows_close(WINDOW_CALL);
	}
	for (; windows_next_change(&change); count++)
		assert_int_equal(change.opens, count % 2 == 0);
	assert_int_equal(count, 256);
	windows_open(WINDOW_CALL);
	expect_change(true, WINDOW_CALL);
}

static int64_t next_start_ns(void)
{
	struct window_change change;

	assert_true(windows_next_change(&change));
	assert_true(change.opens);
	return change.time_ns;
}

TEST_WITH(test_a_window_waits_until_all_is_on_again, set_up_windows, NULL)
{
	int64_t before_ns = clock_now_ns(), start_ns;

	windows_begin();
	recorder_begin();
	assert_true(windows_suspend());
	resume_at = 3;
	windows_open(WINDOW_CALL);
	assert_int_equal(wakes, 3);
	assert_true(make_call(1));
	start_ns = next_start_ns();
	assert_in_range(start_ns, before_ns, next_record(recorder_rings())->start_ns);
	/* Open, it is no time to suspend. */
	assert_false(windows_suspend());
	assert_true(make_call(2));
	windows_close(WINDOW_CALL);
	assert_true(windows_are_wanted());
	assert_false(windows_suspend());
	expect_change(false, WINDOW_CALL);
	assert_false(windows_are_wanted());
	assert_true(windows_suspend());
	assert_false(make_call(3));
}

/* As in a signal handler that interrupted what the writer waits for. */
TEST_WITH(test_a_window_that_is_not_resumed_begins_later, set_up_windows, NULL)
{
	struct window_change change;
	int64_t resumed_ns;

	windows_begin();
	recorder_begin();
	assert_true(windows_suspend());
	windows_open(WINDOW_CALL);
	assert_int_not_equal(wakes, 0);
	assert_false(make_call(1));
	assert_true(windows_are_wanted());
	assert_false(windows_next_change(&change));
	resumed_ns = clock_now_ns();
	windows_resume();
	assert_true(make_call(2));
	assert_in_range(next_start_ns(), resumed_ns, clock_now_ns());
	windows_close(WINDOW_CALL);
	expect_change(false, WINDOW_CALL);
}

RUN_TESTS(NULL, NULL)
