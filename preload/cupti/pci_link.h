/*
 * The speed of a GPU's PCI Express link, from files of the kernel and the NVIDIA kernel module: no
 * CUDA call. Writer thread; reads a few small files for each GPU.
 */
#ifndef STREAMTRACE_PCI_LINK_H
#define STREAMTRACE_PCI_LINK_H

#include <stdint.h>

/* The bytes per second of the link in each direction: at its highest speed and present width, after
 * its encoding, before packet overhead. 0: unknown. uuid: "GPU-...". root: prefix of "/proc" and
 * "/sys", "" except in tests. */
int64_t pci_link_bytes_per_s(const char *root, const char *uuid);

#endif
