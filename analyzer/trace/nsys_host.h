/*
 * What the host's threads did, from an export of Nsight Systems: samples of stacks, context switches,
 * and calls of the C library that block (views host_events and python_samples, and the tables
 * beside them, of theirs_as_ours.sql).
 *
 * Each of these can be missing. A thread runs where a switch says so; without switches, around its
 * samples. It waits where it was in a function that blocks, or waits for Python's lock: the call
 * that began first counts, so the switches in it say nothing more. A running thread is at the stack
 * of the sample before, and until its first sample after a wait or in a CUDA call at that one's. Of
 * time off a processor that no function explains, there is no state.
 *
 * A CUDA call is made where its call chain says so. Without one, where a sample or a call of the C
 * library in it was, less the frames in CUDA's libraries; with Python samples, in Python's line, too.
 */
#ifndef STREAMTRACE_TRACE_NSYS_HOST_H
#define STREAMTRACE_TRACE_NSYS_HOST_H

#include "trace/database.h"

/* Fills the temporary tables host_states, called_at, host_sites, host_frames and host_python_frames.
 * Call once, after nsys_prepare() (nsys.h). Memory is linear in the number of stacks. A failure is kept in
 * database->error. One thread. */
void nsys_host_prepare(struct database *database);

#endif
