/*
 * How the caller's registers are found from those of the function that was called, at one of its
 * instructions: what .eh_frame says (eh_frame.h). One thread at a time.
 */
#ifndef STREAMTRACE_UNWIND_RULES_H
#define STREAMTRACE_UNWIND_RULES_H

#include <stdbool.h>
#include <stdint.h>

/* DWARF's numbers of the registers of x86-64; UNWIND_RIP is its column of the return address. */
enum {
	UNWIND_RBX = 3,
	UNWIND_RBP = 6,
	UNWIND_RSP = 7,
	UNWIND_R12 = 12,
	UNWIND_R15 = 15,
	UNWIND_RIP = 16,
	UNWIND_REGISTERS,
	UNWIND_CFA = UNWIND_REGISTERS /* a base of rules: the canonical frame address */
};

enum unwind_how {
	UNWIND_SAME, /* the caller's value is the callee's */
	UNWIND_LOST,
	UNWIND_SAVED, /* in memory at base + offset */
	UNWIND_VALUE  /* base + offset itself */
};

struct unwind_rule {
	int16_t offset;
	uint8_t base; /* a register of the callee, or UNWIND_CFA */
	uint8_t how;  /* enum unwind_how */
};

struct unwind_rules {
	int32_t cfa_offset;
	uint8_t cfa_base;   /* a register of the callee */
	bool cfa_is_loaded; /* the CFA is what the memory at cfa_base + cfa_offset holds */
	bool is_signal;	    /* of a signal's frame: the caller's pc is where the signal came, not
			     * behind a call */
	struct unwind_rule registers[UNWIND_REGISTERS];
};

/* Stores the rules that hold at pc. False: there are none, or they are of a kind that no compiler
 * makes. *is_module: whether pc lies in a loaded module. */
bool unwind_rules_find(uint64_t pc, struct unwind_rules *rules, bool *is_module);

#endif
