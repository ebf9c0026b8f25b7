/* The instructions of PTX that use memory. Each function adds one. One thread. */
#ifndef STREAMTRACE_PTX_MEMORY_H
#define STREAMTRACE_PTX_MEMORY_H

#include "ptx/ptx_adding.h"

void ptx_memory_load(const struct adding *adding);
void ptx_memory_store(const struct adding *adding); /* also one that only makes memory undefined */
void ptx_memory_atomic(const struct adding *adding);

/* cp.async and its like */
void ptx_memory_copy(const struct adding *adding);

/* tensormap.replace and tensormap.cp_fenceproxy */
void ptx_memory_tensor_map(const struct adding *adding);

/* wmma and multimem: their second part tells what they do. */
void ptx_memory_second_part(const struct adding *adding);

/* tcgen05, which has a memory of its own */
void ptx_memory_of_tensors(const struct adding *adding);

/* uses: USE_READ, USE_WRITE, or both */
void ptx_memory_texture(const struct adding *adding, uint8_t uses);

#endif
