/*
 * How far the canonical frame address (CFA) lies above the stack pointer, in a function whose .eh_frame
 * tells it from rbp only: one with a frame pointer, as in all of Ubuntu's libraries since 24.04. Of a
 * thread in a system call the kernel tells rsp and pc, and not rbp.
 *
 * The function's first instructions say it: they push what .eh_frame says is saved, and subtract the
 * rest from rsp. That is a guess: the caller must check that a return address lies below the CFA, by
 * frame_size_is_return(). One thread at a time.
 */
#ifndef STREAMTRACE_FRAME_SIZE_H
#define STREAMTRACE_FRAME_SIZE_H

#include "stack/unwind_rules.h"

/* In bytes, at the instruction pc with these rules; 0: the rules need no rbp, or the function could
 * not be read. */
int32_t frame_size_at(uint64_t pc, const struct unwind_rules *rules);

/* Whether a call instruction stands in front of the address. */
bool frame_size_is_return(uint64_t address);

#endif
