/* The limit of a container, from files as the kernel writes them. */
#include "life/cpu_quota.h"

#include "build_trace.h"
#include "cmocka_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GROUPS "/proc/self/cgroup"
#define ROOT   "/sys/fs/cgroup"

static char *root;

/* A file below root, with its folders. */
static void put(const char *name, const char *text)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s%s", root, name);
	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	write_file(path, text, strlen(text));
}

static int set_up(void **state)
{
	root = make_folder();
	return 0;
}

static int tear_down(void **state)
{
	remove_folder(root);
	free(root);
	return 0;
}

/* The namespace of a container begins at its own group. */
TEST_WITH(test_quota_of_container, set_up, tear_down)
{
	assert_int_equal(cpu_quota_ns_per_s(root), 0);
	put(GROUPS, "0::/\n");
	assert_int_equal(cpu_quota_ns_per_s(root), 0);
	put(ROOT "/cpu.max", "max 100000\n");
	assert_int_equal(cpu_quota_ns_per_s(root), 0);
	put(ROOT "/cpu.max", "350000 100000\n");
	assert_int_equal(cpu_quota_ns_per_s(root), 3500000000);
}

TEST_WITH(test_least_of_ancestors_counts, set_up, tear_down)
{
	put(GROUPS, "1:name=systemd:/a\n0::/job.slice/step/task\n");
	put(ROOT "/job.slice/step/task/cpu.max", "max 100000\n");
	put(ROOT "/job.slice/step/cpu.max", "800000 100000\n");
	assert_int_equal(cpu_quota_ns_per_s(root), 8000000000);
	put(ROOT "/job.slice/cpu.max", "200000 50000\n");
	assert_int_equal(cpu_quota_ns_per_s(root), 4000000000);
}

TEST_WITH(test_without_version_2, set_up, tear_down)
{
	put(GROUPS, "2:cpu,cpuacct:/docker/1\n");
	put(ROOT "/docker/1/cpu.max", "100000 100000\n");
	assert_int_equal(cpu_quota_ns_per_s(root), 0);
}

RUN_TESTS(NULL, NULL)
