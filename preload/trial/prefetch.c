#include "trial/prefetch.h"

#include "base/driver.h"
#include "first_use/memory_kind.h"

#include <pthread.h>
#include <string.h>

enum {
	MEMORIES_MOST = 4096,	 /* further allocations are not prefetched */
	OF_LAUNCH_MOST = 32,	 /* allocations of a launch; further ones are not prefetched */
	PARAMETERS_BYTES = 4096, /* of a kernel; none has more that is read */
	FREE_SHARE = 2, /* prefetched memory takes at most the free memory divided by FREE_SHARE */
};
#define WORD_BYTES sizeof(uintptr_t)

struct memory {
	uintptr_t address;
	size_t bytes;
	bool is_taken;	  /* counted in taken_bytes */
	CUdevice device;  /* of the last prefetch */
	uint64_t fetched; /* memories.looks at that time, plus one; 0: never prefetched */
};

static struct {
	pthread_mutex_t lock;
	struct memory items[MEMORIES_MOST]; /* of cudaMallocManaged(), in use; by address */
	size_t count;
	size_t taken_bytes;
	_Atomic size_t most_bytes; /* 0: not known yet */
	_Atomic uint64_t looks;	   /* calls since which the host may have used memory */
} memories = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What a launch needs. */
struct fetches {
	const struct trial_call *call;
	CUdevice device;
	struct memory items[OF_LAUNCH_MOST]; /* to prefetch */
	size_t count;
	bool has_managed;	   /* an argument points to managed memory */
	enum trial_refusal reason; /* TRIAL_REFUSAL_COUNT: none */
};

typedef __typeof__(&cuKernelGetParamInfo) parameter_function;

/* The lock is held, or there is one thread. */
static void forget_memories(void)
{
	memories.count = 0;
	memories.taken_bytes = 0;
	atomic_store(&memories.most_bytes, 0);
}

static void reset_memories(void)
{
	forget_memories();
	pthread_mutex_init(&memories.lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
	trial_after_fork(reset_memories);
}

/* The lock is held. The index of the first memory that ends behind the address. */
static size_t find_index(uintptr_t address)
{
	size_t low = 0, high = memories.count;

	while (low < high) {
		const size_t middle = (low + high) / 2;
		const struct memory *memory = &memories.items[middle];

		if (memory->address + memory->bytes <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The lock is held. The memory that has the address; NULL: there is none. */
static struct memory *find_memory(uintptr_t address)
{
	const size_t index = find_index(address);

	return index < memories.count && memories.items[index].address <= address
		       ? &memories.items[index]
		       : NULL;
}

void prefetch_note_memory(const struct trial_call *call)
{
	const struct memory memory = {.address = (uintptr_t)*call->made, .bytes = call->bytes};
	size_t index;

	if (!memory.address || !memory.bytes)
		return;
	pthread_mutex_lock(&memories.lock);
	index = find_index(memory.address);
	if (memories.count < MEMORIES_MOST) {
		memmove(&memories.items[index + 1], &memories.items[index],
			(memories.count - index) * sizeof(memory));
		memories.items[index] = memory;
		memories.count++;
	}
	pthread_mutex_unlock(&memories.lock);
}

void prefetch_forget(const void *address)
{
	struct memory *memory;

	pthread_mutex_lock(&memories.lock);
	memory = find_memory((uintptr_t)address);
	if (memory && memory->address == (uintptr_t)address) {
		memories.taken_bytes -= memory->is_taken ? memory->bytes : 0;
		memories.count--;
		memmove(memory, memory + 1,
			(size_t)(&memories.items[memories.count] - memory) * sizeof(*memory));
	}
	pthread_mutex_unlock(&memories.lock);
}

void prefetch_forget_all(void)
{
	pthread_mutex_lock(&memories.lock);
	forget_memories();
	pthread_mutex_unlock(&memories.lock);
}

/* Whether the host may know from the call that work is done, or the device's work may include the host's. */
static bool may_look(const struct trial_call *call)
{
	const struct function_info *info = &function_infos[call->function];

	switch (info->class) {
	case CLASS_DEVICE_SYNC:
	case CLASS_STREAM_SYNC:
	case CLASS_EVENT_SYNC:
	case CLASS_EVENT_ELAPSED:
	case CLASS_FREE:
	case CLASS_HOST_FREE:
	case CLASS_UNREGISTER:
	case CLASS_HOST_FUNCTION:
	case CLASS_GRAPH_LAUNCH:
		return true;
	case CLASS_STREAM_QUERY:
	case CLASS_EVENT_QUERY:
		return call->result == cudaSuccess;
	case CLASS_COPY:
	case CLASS_SET:
		return !strstr(info->name, "Async");
	default:
		return false;
	}
}

void prefetch_note_return(const struct trial_call *call)
{
	if (may_look(call))
		atomic_fetch_add(&memories.looks, 1);
}

static size_t share_of_memory(void)
{
	size_t free_bytes = 0, all_bytes;

	if (!DRIVER_CALL(driver_functions(), cuMemGetInfo_v2) ||
	    DRIVER_CALL(driver_functions(), cuMemGetInfo_v2)(&free_bytes, &all_bytes))
		return 0;
	return free_bytes / FREE_SHARE;
}

/* The lock is held. Whether there is room for the memory, which is then its own. */
static bool take_room(struct memory *memory)
{
	const size_t most_bytes = atomic_load(&memories.most_bytes);

	if (memory->is_taken)
		return true;
	if (memory->bytes > most_bytes || memories.taken_bytes > most_bytes - memory->bytes)
		return false;
	memory->is_taken = true;
	memories.taken_bytes += memory->bytes;
	return true;
}

/* Adds the memory that the word points into, unless it was prefetched since the host could use it. */
static void add_word(struct fetches *fetches, uintptr_t word)
{
	const uint64_t now = atomic_load(&memories.looks) + 1;
	struct memory *memory;

	pthread_mutex_lock(&memories.lock);
	memory = find_memory(word);
	fetches->has_managed |= memory != NULL;
	if (memory && (memory->fetched != now || memory->device != fetches->device)) {
		if (!take_room(memory)) {
			fetches->reason = TRIAL_REFUSED_LARGE;
		} else if (fetches->count < OF_LAUNCH_MOST) {
			memory->fetched = now;
			memory->device = fetches->device;
			fetches->items[fetches->count++] = *memory;
		}
	}
	pthread_mutex_unlock(&memories.lock);
}

/* The words of a parameter that are aligned as pointers. The driver reads the parameter a moment later. */
static void add_parameter(struct fetches *fetches, const char *parameter, size_t offset,
			  size_t size)
{
	uintptr_t word;

	if (!parameter)
		return;
	for (size_t at = -offset % WORD_BYTES; at + WORD_BYTES <= size; at += WORD_BYTES) {
		memcpy(&word, parameter + at, sizeof(word));
		add_word(fetches, word);
	}
}

/* False: the driver knows no parameter of such a kernel. */
static bool add_parameters(struct fetches *fetches, parameter_function tell, const void *kernel)
{
	size_t offset, size, i;

	for (i = 0; i < PARAMETERS_BYTES && !tell((CUkernel)kernel, i, &offset, &size); i++)
		add_parameter(fetches, fetches->call->arguments[i], offset, size);
	return i > 0;
}

/* The device's function for the host's. The runtime, which tells, could set the program's last error: it is not asked while there
 * is one, and its own is taken back. NULL: not known. */
static const void *function_of_symbol(const struct trial_call *call)
{
	__typeof__(&cudaGetFuncBySymbol) get = TRIAL_REAL(call->cudart, cudaGetFuncBySymbol);
	__typeof__(&cudaPeekAtLastError) peek = TRIAL_REAL(call->cudart, cudaPeekAtLastError);
	__typeof__(&cudaGetLastError) take = TRIAL_REAL(call->cudart, cudaGetLastError);
	cudaFunction_t function = NULL;

	if (!get || !peek || !take || peek())
		return NULL;
	if (!get(&function, call->kernel))
		return function;
	take();
	return NULL;
}

/* False: the kernel's arguments are not known. */
static bool find_fetches(struct fetches *fetches)
{
	const struct driver *driver = driver_functions();
	const struct trial_call *call = fetches->call;
	const void *function;

	if (!call->arguments || !call->kernel)
		return false;
	if (call->function == FUNCTION___cudaLaunchKernel)
		return DRIVER_CALL(driver, cuKernelGetParamInfo) &&
		       add_parameters(fetches, DRIVER_CALL(driver, cuKernelGetParamInfo),
				      call->kernel);
	function = DRIVER_CALL(driver, cuFuncGetParamInfo) ? function_of_symbol(call) : NULL;
	return function &&
	       add_parameters(fetches, (parameter_function)DRIVER_CALL(driver, cuFuncGetParamInfo),
			      function);
}

static bool prefetch_memory(const struct fetches *fetches, const struct memory *memory)
{
	const CUmemLocation location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = fetches->device};

	return !DRIVER_CALL(driver_functions(), cuMemPrefetchAsync_v2)(
		memory->address, memory->bytes, location, 0, fetches->call->stream);
}

/* Which reason there is not to ask at all; TRIAL_REFUSAL_COUNT: none. */
static enum trial_refusal find_obstacle(const struct trial_call *call, CUdevice *device)
{
	const struct driver *driver = driver_functions();

	if (!memory_find_driver() || !DRIVER_CALL(driver, cuMemPrefetchAsync_v2))
		return TRIAL_REFUSED_NO_DRIVER;
	if (memory_stream_is_captured((uintptr_t)call->stream))
		return TRIAL_REFUSED_CAPTURED;
	if (DRIVER_CALL(driver, cuCtxGetDevice)(device))
		return TRIAL_REFUSED_OTHER_CONTEXT;
	return TRIAL_REFUSAL_COUNT;
}

/* Without the lock: the program does not free memory while it launches a kernel that uses it. */
static void prefetch_all(struct fetches *fetches, struct trial_site *site)
{
	size_t done = 0;

	for (size_t i = 0; i < fetches->count; i++)
		done += prefetch_memory(fetches, &fetches->items[i]);
	if (done)
		planned_applied(site);
	if (done < fetches->count)
		fetches->reason = TRIAL_REFUSED_NOT_PREFETCHED;
}

void prefetch_before(const struct trial_call *call, struct trial_site *site)
{
	struct fetches fetches = {.call = call};

	fetches.reason = find_obstacle(call, &fetches.device);
	if (fetches.reason == TRIAL_REFUSAL_COUNT && !atomic_load(&memories.most_bytes))
		atomic_store(&memories.most_bytes, share_of_memory());
	if (fetches.reason == TRIAL_REFUSAL_COUNT && !find_fetches(&fetches))
		fetches.reason = TRIAL_REFUSED_UNKNOWN_ARGUMENTS;
	else if (fetches.reason == TRIAL_REFUSAL_COUNT && !fetches.has_managed)
		fetches.reason = TRIAL_REFUSED_NOT_MANAGED;
	prefetch_all(&fetches, site);
	if (fetches.reason != TRIAL_REFUSAL_COUNT)
		planned_refuse(site, fetches.reason);
}
