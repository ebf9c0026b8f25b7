/*
 * How much of the GPUs a process uses, as NVML tells (libnvidia-ml.so.1, which comes with the driver). The library is
 * loaded, not linked, and declared here: nvml.h is in the CUDA Toolkit, which need not be there. One thread.
 */
#ifndef STREAMTRACE_GPU_SHARE_H
#define STREAMTRACE_GPU_SHARE_H

struct gpu_share;

/* NULL: there is no NVML. Free by gpu_share_close(), which takes NULL, too. */
struct gpu_share *gpu_share_open(void);
void gpu_share_close(struct gpu_share *share);

/* The share of time in which a multiprocessor was busy with the process, of all GPUs together: 1.5 of two GPUs is 75 % of each.
 * Below 0: not known, as of MIG devices, and where process numbers are of a container. share may be NULL. */
double gpu_share_of(struct gpu_share *share, int pid);

#endif
