/*
 * How fast the PCI Express link of a GPU is, as the kernel and the NVIDIA driver's kernel module
 * tell it in files: no CUDA call. The writer thread; reads a few small files a GPU, once.
 */
#ifndef STREAMTRACE_PCI_LINK_H
#define STREAMTRACE_PCI_LINK_H

#include <stdint.h>

/* Bytes a second each way, with the link's encoding taken off, not what packets need; 0: not
 * known. uuid as "GPU-...". root: before "/proc" and "/sys", "" but for tests. */
int64_t pci_link_bytes_per_s(const char *root, const char *uuid);

#endif
