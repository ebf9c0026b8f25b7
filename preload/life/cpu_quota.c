#include "life/cpu_quota.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The limit of one group; 0: it has none. "max 100000", or us in each so many us. */
static int64_t quota_of(const char *root, const char *folder)
{
	long long quota_us = 0, period_us = 0;
	char path[PATH_MAX];
	FILE *file;

	if (snprintf(path, sizeof(path), "%s/sys/fs/cgroup%s/cpu.max", root, folder) >=
	    (int)sizeof(path))
		return 0;
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%lld %lld", &quota_us, &period_us) != 2)
		quota_us = 0;
	fclose(file);
	if (quota_us <= 0 || period_us <= 0 || quota_us > INT64_MAX / 1000000000)
		return 0;
	return quota_us * 1000000000 / period_us;
}

int64_t cpu_quota_ns_per_s(const char *root)
{
	int64_t least = 0;
	char line[PATH_MAX], *end;
	FILE *file;

	snprintf(line, sizeof(line), "%s/proc/self/cgroup", root);
	file = fopen(line, "re");
	line[0] = '\0';
	if (!file)
		return 0;
	/* Version 1 has a line for each of its controllers beside it. */
	while (fgets(line, sizeof(line), file) && strncmp(line, "0::", 3) != 0)
		line[0] = '\0';
	fclose(file);
	line[strcspn(line, "\n")] = '\0';
	while ((end = strrchr(line, '/'))) {
		const int64_t quota = quota_of(root, line + 3);

		if (quota && (!least || quota < least))
			least = quota;
		*end = '\0';
	}
	return least;
}
