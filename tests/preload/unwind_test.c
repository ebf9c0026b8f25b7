/* Stacks from copies of registers and memory, against backtrace() of the same place. */
#include <alloca.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "unwind_framed.h"
#include "base/losses.h"
#include "stack/eh_frame.h"
#include "stack/modules.h"
#include "stack/unwind.h"
#include "stack/walk.h"

enum { COPY_BYTES = 65536, FRAMES = 64, TRAP_FLAG = 0x100 };

void losses_count(enum loss loss, uint64_t count)
{
	fail_msg("%d", (int)loss);
}

static unsigned char copy[COPY_BYTES]; /* of a stack */

/* Page by page, up to one that is not there. Returns the bytes. */
static size_t copy_memory(void *to, uint64_t from, size_t size)
{
	size_t done = 0;

	while (done < size) {
		const size_t page = 4096 - (from + done) % 4096;
		const size_t part = page < size - done ? page : size - done;
		struct iovec local = {(char *)to + done, part};
		struct iovec remote = {(void *)(from + done), part};

		if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != (ssize_t)part)
			break;
		done += part;
	}
	return done;
}

/* The registers of a signal's context in DWARF's order. */
static struct unwind_start start_of(const ucontext_t *context)
{
	static const int order[UNWIND_REGISTERS] = {
		REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
		REG_R9,	 REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
	struct unwind_start start = {.known = (1u << UNWIND_REGISTERS) - 1, .memory = copy};

	for (int i = 0; i < UNWIND_REGISTERS; i++)
		start.registers[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
	start.bytes = copy_memory(copy, start.registers[UNWIND_RSP], sizeof(copy));
	return start;
}

/* What the last step saw, checked outside of the handler. */
static struct {
	uint64_t words[FRAMES];
	void *expected[FRAMES + 8];
	int count, expected_count, first;
} last;

static unsigned steps, deepest, interrupted;
static uint64_t wrong_pc;

/* restorer: what the signal's handler returns to. */
static bool is_as_expected(uint64_t pc, const void *restorer)
{
	for (last.first = 1; last.first < last.expected_count; last.first++)
		if (last.expected[last.first - 1] == restorer)
			break;
	if (last.count != last.expected_count - last.first || !last.count ||
	    (uint64_t)last.expected[last.first] != pc || MODULE_ADDRESS(last.words[0]) != pc + 1)
		return false;
	for (int i = 1; i < last.count; i++) {
		/* The frame that a signal interrupted has its pc plus one, too. */
		const uint64_t expected = (uint64_t)last.expected[last.first + i];
		const uint64_t address = MODULE_ADDRESS(last.words[i]);

		if ((address != expected && address != expected + 1) ||
		    !MODULE_NUMBER(last.words[i]))
			return false;
		interrupted += address != expected;
	}
	return true;
}

/* After each instruction of the program, until one is wrong. */
static void on_step(int number, siginfo_t *info, void *data)
{
	ucontext_t *context = data;
	const struct unwind_start start = start_of(context);

	if (!wrong_pc) {
		last.count = unwind_words(&start, last.words, FRAMES);
		last.expected_count = backtrace(last.expected, FRAMES + 8);
		steps++;
		if ((unsigned)last.count > deepest)
			deepest = (unsigned)last.count;
		if (!is_as_expected(start.registers[UNWIND_RIP],
				    __builtin_extract_return_addr(__builtin_return_address(0))))
			wrong_pc = start.registers[UNWIND_RIP];
	}
	if (wrong_pc)
		context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

static void set_trap_flag(bool is_on)
{
	uint64_t flags = __builtin_ia32_readeflags_u64() & ~(uint64_t)TRAP_FLAG;

	__builtin_ia32_writeeflags_u64(flags | (is_on ? TRAP_FLAG : 0));
}

/* Runs work() one instruction after the other. */
static void step_through(void (*work)(void))
{
	struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
	void *unused[4];
	Dl_info info;

	backtrace(unused, 4); /* loads its library */
	sigaction(SIGTRAP, &action, NULL);
	steps = deepest = interrupted = 0;
	wrong_pc = 0;
	set_trap_flag(true);
	work();
	set_trap_flag(false);
	if (!wrong_pc)
		return;
	for (int i = 0; i < last.expected_count || i < last.count; i++)
		printf("%016llx %016llx\n",
		       i < last.count ? (unsigned long long)MODULE_ADDRESS(last.words[i]) : 0,
		       last.first + i < last.expected_count
			       ? (unsigned long long)last.expected[last.first + i]
			       : 0);
	fail_msg("step %u at %s+%#llx", steps,
		 dladdr((void *)wrong_pc, &info) ? info.dli_fname : "?",
		 (unsigned long long)(wrong_pc - (dladdr((void *)wrong_pc, &info)
							  ? (uint64_t)info.dli_fbase
							  : 0)));
}

static volatile int sink;
static uint64_t user; /* the return address of the last call of use() */

static __attribute__((noinline)) void use(void *memory, size_t bytes)
{
	memset(memory, sink, bytes);
	user = (uint64_t)__builtin_return_address(0);
	__asm__ volatile("" : : "r"(memory) : "memory");
}

/* Many registers in use, early returns: pushes, pops and remembered rules. */
static __attribute__((noinline)) int branch(int a, int b, int c, int d, int e, int f)
{
	char memory[40];

	if (a == 3)
		return b;
	use(memory, sizeof(memory));
	if (memory[0] == 17)
		return c + d;
	return branch(a + 1, b, c, d, e, f) + a * b + c * d + e * f + sink;
}

/* The frame is found from rbp. */
static __attribute__((noinline)) void sized(size_t bytes)
{
	char *memory = alloca(bytes);

	use(memory, bytes);
	if (bytes > 100)
		sized(bytes - 50);
	use(memory, bytes);
}

/* The frame is found from what lies below rbp. */
static __attribute__((noinline, force_align_arg_pointer)) void aligned(size_t bytes)
{
	_Alignas(64) char memory[128];
	char *more = alloca(bytes);

	use(memory, sizeof(memory));
	use(more, bytes);
	branch(0, 1, 2, 3, 4, 5);
}

static int compare(const void *a, const void *b)
{
	sink = branch(2, *(const int *)a, *(const int *)b, 1, 1, 1);
	return *(const int *)a - *(const int *)b;
}

static void call_all(void)
{
	int numbers[] = {3, 1, 2};
	char text[64];

	sink = branch(0, 1, 2, 3, 4, 5);
	sized(200);
	aligned(100);
	qsort(numbers, 3, sizeof(numbers[0]), compare);
	snprintf(text, sizeof(text), "%d %s", numbers[0], "text");
	sink = (int)strtol(text, NULL, 10) + (int)labs(sink);
}

/* The kernel calls handlers without the flag. */
static void on_signal(int number)
{
	set_trap_flag(true);
	branch(0, 1, 2, 3, 4, 5);
}

static void call_handler(void)
{
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
}

TEST(each_instruction_has_its_callers)
{
	step_through(call_all);
	assert_true(steps > 1000);
	assert_true(deepest > 8);
	assert_int_equal(interrupted, 0);
}

TEST(a_handler_s_frame_leads_to_what_was_interrupted)
{
	step_through(call_handler);
	assert_true(steps > 100);
	assert_true(interrupted > 100);
}

TEST(kept_rules_give_the_same)
{
	step_through(call_all);
	step_through(call_handler);
}

/* A thread inside a system call, of which pc and sp are known. */

static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ends[2];
static _Atomic pid_t waiting_id;

static __attribute__((noinline)) void wait_for_semaphore(void)
{
	while (sem_wait(&semaphore))
		;
	sink++;
}

static __attribute__((noinline)) void wait_for_condition(void)
{
	pthread_mutex_lock(&mutex);
	pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	sink++;
}

static __attribute__((noinline)) void wait_for_pipe(void)
{
	char byte;

	if (read(ends[0], &byte, 1) == 1)
		sink++;
}

static void *wait_in_thread(void *data)
{
	atomic_store(&waiting_id, (pid_t)syscall(SYS_gettid));
	(*(void (**)(void))data)();
	return NULL;
}

/* False: the thread is not in a system call. */
static bool look_at(pid_t id, struct unwind_start *start)
{
	unsigned long long sp = 0, pc = 0;
	char path[64];
	FILE *file;
	int read;

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", (int)id);
	file = fopen(path, "r");
	assert_non_null(file);
	read = fscanf(file, "%*d %*x %*x %*x %*x %*x %*x %llx %llx", &sp, &pc);
	fclose(file);
	*start =
		(struct unwind_start){.known = 1u << UNWIND_RSP | 1u << UNWIND_RIP, .memory = copy};
	start->registers[UNWIND_RSP] = sp;
	start->registers[UNWIND_RIP] = pc;
	start->bytes = copy_memory(copy, sp, sizeof(copy));
	return read == 2;
}

/* Whether a frame is in the first instructions of `function`. */
static bool has_frame_in(void (*function)(void), const uint64_t *words, int count)
{
	for (int i = 0; i < count; i++)
		if (MODULE_ADDRESS(words[i]) - (uint64_t)function < 100)
			return true;
	return false;
}

static void check_waiting(void (*wait)(void), void (*end)(void))
{
	struct unwind_start start;
	uint64_t words[FRAMES];
	pthread_t thread;
	bool is_found = false;

	atomic_store(&waiting_id, 0);
	assert_int_equal(pthread_create(&thread, NULL, wait_in_thread, &wait), 0);
	while (!atomic_load(&waiting_id))
		usleep(100);
	for (int i = 0; i < 10000 && !is_found; i++) {
		usleep(1000);
		is_found = look_at(atomic_load(&waiting_id), &start) &&
			   has_frame_in(wait, words, unwind_words(&start, words, FRAMES));
	}
	end();
	pthread_join(thread, NULL);
	assert_true(is_found);
}

static void post_semaphore(void)
{
	sem_post(&semaphore);
}

static void signal_condition(void)
{
	pthread_mutex_lock(&mutex);
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
}

static void write_pipe(void)
{
	assert_int_equal(write(ends[1], "", 1), 1);
}

TEST(a_waiting_thread_needs_no_other_registers)
{
#ifdef __SANITIZE_ADDRESS__
	skip(); /* its functions stand between, whose frames are found from rbp */
#endif
	assert_int_equal(sem_init(&semaphore, 0, 0), 0);
	assert_int_equal(pipe(ends), 0);
	check_waiting(wait_for_semaphore, post_semaphore);
	check_waiting(wait_for_condition, signal_condition);
	check_waiting(wait_for_pipe, write_pipe);
}

static void wake_frames(void)
{
	framed_wake();
}

TEST(a_waiting_function_may_have_a_frame_pointer)
{
	check_waiting(framed_wait, wake_frames);
	check_waiting(framed_wait_large, wake_frames);
}

TEST(left_out_libraries_are_left_out)
{
	enum { REGISTERS = 1u << UNWIND_RSP | 1u << UNWIND_RIP };
	uint64_t words[FRAMES];
	struct unwind_start start = {.known = REGISTERS, .memory = copy};

	/* In some function of libc's, whatever its frame: the leaf alone is looked at. */
	start.registers[UNWIND_RIP] = (uint64_t)dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
	start.registers[UNWIND_RSP] = (uint64_t)&words;
	start.bytes = 0;
	assert_int_equal(unwind_words(&start, words, FRAMES), 1);
	assert_int_equal(MODULE_ADDRESS(words[0]), start.registers[UNWIND_RIP] + 1);
	walk_leave_out("libc.so");
	assert_int_equal(unwind_words(&start, words, FRAMES), 0);
}

/* Random copies and tables. */

static bool is_fake;
static struct dl_find_object fake;

int __real__dl_find_object(void *address, struct dl_find_object *found);
int __wrap__dl_find_object(void *address, struct dl_find_object *found);

int __wrap__dl_find_object(void *address, struct dl_find_object *found)
{
	if (!is_fake)
		return __real__dl_find_object(address, found);
	*found = fake;
	return 0;
}

static uint64_t random_word(void)
{
	return (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
}

/* `bytes` of memory in front of a page that cannot be read. */
static char *memory_at_an_end(size_t bytes)
{
	char *memory =
		mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(memory, MAP_FAILED);
	assert_int_equal(mprotect(memory + 61440, 4096, PROT_NONE), 0);
	return memory + 61440 - bytes;
}

TEST(a_random_stack_does_no_harm)
{
	enum { WORDS = 1024 };
	char *memory = memory_at_an_end(WORDS * 8 + 4);
	struct unwind_start start = {.memory = memory, .bytes = WORDS * 8 + 4};
	uint64_t words[FRAMES], code[64];
	void *frames[16];
	const int count = backtrace(frames, 16);
	int most = 0, depth;

	sized(10);
	for (int i = 0; i < 64; i++)
		code[i] = i % 2 ? user : (uint64_t)frames[i % count] + (uint64_t)(i / 16);
	srand(1);
	for (int i = 0; i < 20000; i++) {
		const uint64_t rsp = (uint64_t)memory + 8 * (random_word() % 64);

		for (int j = 0; j < UNWIND_REGISTERS; j++)
			start.registers[j] = random_word();
		for (int j = 0; j < WORDS; j++) {
			const uint64_t word =
				rand() % 2 ? code[rand() % 64] : rsp + 8 * (random_word() % WORDS);

			memcpy(memory + 8 * j, &word, sizeof(word));
		}
		start.registers[UNWIND_RSP] = rsp;
		start.registers[UNWIND_RBP] = rsp + start.bytes - random_word() % 32;
		start.registers[UNWIND_RIP] = code[rand() % 64];
		start.known = (uint32_t)random_word() | 1u << UNWIND_RSP | 1u << UNWIND_RIP;
		depth = unwind_words(&start, words, FRAMES);
		assert_in_range(depth, 1, FRAMES);
		if (depth > most)
			most = depth;
	}
	assert_true(most > 5);
}

TEST(a_frame_below_the_stack_ends_the_walk)
{
	struct unwind_start start = {.memory = copy, .bytes = sizeof(copy)};
	uint64_t words[FRAMES];

	sized(10);
	start.known = (1u << UNWIND_REGISTERS) - 1;
	start.registers[UNWIND_RIP] = user;
	start.registers[UNWIND_RSP] = (uint64_t)copy;
	start.registers[UNWIND_RBP] = (uint64_t)copy - 1000;
	assert_int_equal(unwind_words(&start, words, FRAMES), 1);
}

TEST(random_tables_do_no_harm)
{
	static unsigned char tables[65536];
	const uint64_t here = (uint64_t)random_tables_do_no_harm;
	struct unwind_rules rules;
	struct dl_find_object found;
	size_t bytes = 0, found_count = 0;
	bool is_module;

	assert_int_equal(_dl_find_object((void *)here, &found), 0);
	fake = found;
	fake.dlfo_eh_frame = tables;
	srand(1);
	for (int i = 0; i < 20000; i++) {
		const uint64_t pc = here + random_word() % 4096 - 2048;

		if (i % 100 == 0)
			bytes = copy_memory(tables, (uint64_t)found.dlfo_eh_frame, sizeof(tables));
		fake.dlfo_map_end = tables + bytes;
		for (int j = 0; j < i % 100; j++)
			tables[random_word() % bytes] = (unsigned char)rand();
		eh_frame_forget();
		is_fake = true;
		/* The copy is of a module that lies as far from here as the copy. */
		found_count += unwind_rules_find(
			pc + (uint64_t)tables - (uint64_t)found.dlfo_eh_frame, &rules, &is_module);
		is_fake = false;
	}
	assert_in_range(found_count, 1000, 19999);
}

RUN_TESTS(NULL, NULL)
