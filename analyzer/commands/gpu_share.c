#include "commands/gpu_share.h"

#include "base/memory.h"
#include "commands/driver.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum {
	DEVICES_MOST = 64,
	SAMPLES_MOST = 1024,
	SUCCESS = 0, /* NVML_SUCCESS */
	PERCENT = 100,
	/* The samples of the last LOOK_BACK_US count. NVML makes one or more a second. */
	LOOK_BACK_US = 2000000,
};

/* NVML API Reference, nvmlProcessUtilizationSample_t: percent, over the time since the sample before. */
struct utilization_sample {
	unsigned int pid;
	unsigned long long time_us;
	unsigned int multiprocessors, memory, encoder, decoder;
};

/* NVML API Reference. Devices are opaque pointers; each function returns SUCCESS or an error. */
struct gpu_share {
	void *library;
	int (*init)(void);
	int (*shutdown)(void);
	int (*device_count)(unsigned int *count);
	int (*device_by_index)(unsigned int index, void **device);
	int (*process_utilization)(void *device, struct utilization_sample *samples,
				   unsigned int *count, unsigned long long since_us);
	void *devices[DEVICES_MOST];
	unsigned int count;
};

static const struct library_symbol symbols[] = {
	{"nvmlInit_v2", offsetof(struct gpu_share, init)},
	{"nvmlShutdown", offsetof(struct gpu_share, shutdown)},
	{"nvmlDeviceGetCount_v2", offsetof(struct gpu_share, device_count)},
	{"nvmlDeviceGetHandleByIndex_v2", offsetof(struct gpu_share, device_by_index)},
	{"nvmlDeviceGetProcessUtilization", offsetof(struct gpu_share, process_utilization)},
};

static void find_devices(struct gpu_share *share)
{
	unsigned int count = 0;

	if (share->device_count(&count) != SUCCESS)
		return;
	for (unsigned int i = 0; i < count && share->count < DEVICES_MOST; i++)
		if (share->device_by_index(i, &share->devices[share->count]) == SUCCESS)
			share->count++;
}

struct gpu_share *gpu_share_open(void)
{
	struct gpu_share *share = memory_array(1, sizeof(*share));

	share->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
	if (share->library &&
	    driver_find_symbols(share->library, symbols, sizeof(symbols) / sizeof(*symbols),
				share) &&
	    share->init() == SUCCESS) {
		find_devices(share);
		return share;
	}
	if (share->library)
		dlclose(share->library);
	free(share);
	return NULL;
}

void gpu_share_close(struct gpu_share *share)
{
	if (!share)
		return;
	share->shutdown();
	dlclose(share->library);
	free(share);
}

static unsigned long long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (unsigned long long)now.tv_sec * 1000000 + (unsigned long long)now.tv_nsec / 1000;
}

/* In percent, the mean of its last samples; below 0: the device has none of the process. */
static double device_percent(const struct gpu_share *share, void *device, int pid)
{
	struct utilization_sample samples[SAMPLES_MOST];
	unsigned int count = SAMPLES_MOST, found = 0;
	double sum = 0;

	if (share->process_utilization(device, samples, &count, now_us() - LOOK_BACK_US) != SUCCESS)
		return -1;
	for (unsigned int i = 0; i < count && i < SAMPLES_MOST; i++)
		if (samples[i].pid == (unsigned int)pid && samples[i].multiprocessors <= PERCENT) {
			sum += samples[i].multiprocessors;
			found++;
		}
	return found ? sum / found : -1;
}

double gpu_share_of(struct gpu_share *share, int pid)
{
	double sum = 0;
	bool is_known = false;

	for (unsigned int i = 0; share && i < share->count; i++) {
		const double percent = device_percent(share, share->devices[i], pid);

		is_known |= percent >= 0;
		sum += percent >= 0 ? percent / PERCENT : 0;
	}
	return is_known ? sum : -1;
}
