/* How much processor time the process's control groups allow it (cgroup version 2): a container's limit. */
#ifndef STREAMTRACE_CPU_QUOTA_H
#define STREAMTRACE_CPU_QUOTA_H

#include <stdint.h>

/* ns of processor time a second, all threads together: the least of the group and its ancestors. 0: no
 * limit is known. root: what stands before /proc and /sys, ""; a test has files of its own. Any thread. */
int64_t cpu_quota_ns_per_s(const char *root);

#endif
