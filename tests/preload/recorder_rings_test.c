/* Rings: their segments, packing, the writer beside the thread, and a thread's end. */
#include "recorder_calls.h"

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

RUN_TESTS(NULL, NULL)
