#include "base/free_memory.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t least_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* From /proc/meminfo, which has kilobytes. */
static uint64_t of_machine(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	unsigned long long available = 0, swap = 0;
	char line[128];
	bool is_known = false;

	if (!file)
		return UINT64_MAX;
	while (fgets(line, sizeof(line), file)) {
		is_known |= sscanf(line, "MemAvailable: %llu", &available) == 1;
		sscanf(line, "SwapFree: %llu", &swap);
	}
	fclose(file);
	return is_known ? ((uint64_t)available + swap) * 1024 : UINT64_MAX;
}

/* UINT64_MAX: no such file, or no number in it. */
static uint64_t number_in(const char *folder, const char *name)
{
	char path[PATH_MAX];
	unsigned long long number;
	bool has_number;
	FILE *file;

	if (snprintf(path, sizeof(path), "/sys/fs/cgroup%s/%s", folder, name) >= (int)sizeof(path))
		return UINT64_MAX;
	file = fopen(path, "re");
	if (!file)
		return UINT64_MAX;
	has_number = fscanf(file, "%llu", &number) == 1;
	fclose(file);
	return has_number ? number : UINT64_MAX;
}

/* The least of the group and its ancestors, which limit it too (control groups version 2). */
static uint64_t of_group(void)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	uint64_t bytes = UINT64_MAX, most, used;
	char folder[PATH_MAX], *end;

	if (!file)
		return UINT64_MAX;
	if (fscanf(file, "0::%4000s", folder) != 1)
		folder[0] = '\0';
	fclose(file);
	while ((end = strrchr(folder, '/'))) {
		most = number_in(folder, "memory.max");
		used = number_in(folder, "memory.current");
		if (most != UINT64_MAX && used != UINT64_MAX)
			bytes = least_of(bytes, most > used ? most - used : 0);
		*end = '\0';
	}
	return bytes;
}

static uint64_t of_address_space(void)
{
	unsigned long long pages;
	struct rlimit limit;
	uint64_t used;
	FILE *file;
	bool is_known;

	if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	file = fopen("/proc/self/statm", "re");
	if (!file)
		return UINT64_MAX;
	is_known = fscanf(file, "%llu", &pages) == 1;
	fclose(file);
	if (!is_known)
		return UINT64_MAX;
	used = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
	return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

uint64_t free_memory_bytes(void)
{
	return least_of(least_of(of_machine(), of_group()), of_address_space());
}
