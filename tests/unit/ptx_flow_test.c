/* Kernels in PTX, one rule each, and what they use. */
#include "base/memory.h"
#include "cmocka_test.h"
#include "ptx/ptx_flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER ".version 9.0\n.target sm_90\n.address_size 64\n"

/* A kernel with the parameters a, b, c: pointers in %a, %b, %c; n, a number in %n; and s, a struct of 64 bytes. */
#define KERNEL(body)                                                                               \
	".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 .ptr .global .align 1 c,\n"   \
	"  .param .u32 n, .param .align 8 .b8 s[64])\n.maxntid 256, 1, 1\n{\n"                     \
	"  .reg .pred %p<4>; .reg .b64 %rd<99>; .reg .f32 %f<9>;\n"                                \
	"  ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u64 %c, [c];\n"                    \
	"  ld.param.u32 %n, [n];\n" body "\n  ret;\n}\n"

static int compare_uses(const void *a, const void *b)
{
	const struct kernel_use *x = a, *y = b;

	return x->parameter != y->parameter ? (x->parameter > y->parameter ? 1 : -1)
					    : (x->word > y->word) - (x->word < y->word);
}

/* "a:r s8:rw s*:?; elsewhere:w variables:r" */
static char *describe(struct kernel_uses *uses)
{
	static const char *const names[] = {"a", "b", "c", "n", "s"};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (uses->count)
		qsort(uses->items, uses->count, sizeof(*uses->items), compare_uses);
	for (size_t i = 0; i <= uses->count + 1; i++) {
		uint8_t bits = i < uses->count	  ? uses->items[i].uses
			       : i == uses->count ? uses->elsewhere
						  : uses->variables;

		if (!bits || (i < uses->count && uses->items[i].parameter == 3))
			continue; /* what is done with the number n means nothing */
		if (i >= uses->count)
			fprintf(out, i == uses->count ? "elsewhere" : "variables");
		else if (uses->items[i].word == WORD_OF_ANY)
			fprintf(out, "%s*", names[uses->items[i].parameter]);
		else if (uses->items[i].word)
			fprintf(out, "%s%u", names[uses->items[i].parameter],
				uses->items[i].word * 8);
		else
			fprintf(out, "%s", names[uses->items[i].parameter]);
		fprintf(out, ":%s%s%s ", bits & USE_READ ? "r" : "", bits & USE_WRITE ? "w" : "",
			bits & USE_UNKNOWN ? "?" : "");
	}
	fclose(out);
	if (size)
		text[size - 1] = '\0';
	return text;
}

/* What the kernel k of the text uses; NULL: unknown. The caller must free() it. */
static char *uses_of(const char *text)
{
	struct ptx_token name = {"k", 1, PTX_WORD};
	struct kernel_uses uses = {0};
	struct ptx_index index;
	char *found = NULL;

	if (ptx_index_read(&index, text, strlen(text)) && ptx_index_function(&index, name) &&
	    ptx_flow_find(&index, ptx_index_function(&index, name), &uses))
		found = describe(&uses);
	kernel_uses_free(&uses);
	ptx_index_free(&index);
	return found;
}

struct rule {
	const char *text, *expected;
};

static void check(const struct rule *rules, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *found = uses_of(rules[i].text);

		if (!found || strcmp(found, rules[i].expected))
			fail_msg("rule %zu: %s instead of %s in:\n%s", i, found ? found : "unknown",
				 rules[i].expected, rules[i].text);
		free(found);
	}
}

#define CHECK(rules) check(rules, sizeof(rules) / sizeof(*(rules)))

TEST(test_accesses)
{
	static const struct rule rules[] = {
		{HEADER KERNEL(""), ""},
		{HEADER KERNEL("ld.global.u32 %f1, [%a]; st.global.u32 [%b+4], %f1;"), "a:r b:w"},
		{HEADER KERNEL("ld.global.nc.L1::no_allocate.v4.f32 {%f1, %f2, %f3, %f4}, [%a];"),
		 "a:r"},
		{HEADER KERNEL(
			 "@%p1 ld.volatile.f32 %f1, [%a]; @!%p1 st.relaxed.gpu.f32 [%a], %f1;"),
		 "a:rw"},
		{HEADER KERNEL("atom.global.add.u32 %f1, [%a], 1; red.global.add.f32 [%b], %f1;"),
		 "a:rw b:rw"},
		{HEADER KERNEL("ldu.global.f32 %f1, [%a];"), "a:r"},
		{HEADER KERNEL("discard.global.L2 [%a], 128;"), "a:w"},
		{HEADER KERNEL("prefetch.global.L2 [%a]; prefetchu.L1 [%b];"), ""},
		{HEADER KERNEL("multimem.ld_reduce.global.add.f32 %f1, [%a];"
			       "multimem.st.global.f32 [%b], %f1; multimem.red.global.add.f32 "
			       "[%c], %f1;"),
		 "a:r b:w c:rw"},
	};

	CHECK(rules);
}

TEST(test_arithmetic)
{
	static const struct rule rules[] = {
		{HEADER KERNEL("cvta.to.global.u64 %rd1, %a; mul.wide.s32 %rd2, %n, 4;"
			       "add.s64 %rd3, %rd1, %rd2; st.global.f32 [%rd3], %f1;"),
		 "a:w"},
		{HEADER KERNEL("mad.wide.u32 %rd1, %n, 4, %a; sub.s64 %rd2, %rd1, 8;"
			       "and.b64 %rd3, %rd2, -16; ld.global.f32 %f1, [%rd3+-4];"),
		 "a:r"},
		{HEADER KERNEL("selp.b64 %rd1, %a, %b, %p1; st.global.f32 [%rd1], %f1;"),
		 "a:w b:w"},
		/* A loop: what comes later flows to what comes before. */
		{HEADER KERNEL("mov.u64 %rd1, %a; $L1: st.f32 [%rd1], %f1; add.s64 %rd1, %rd2, 4;"
			       "mov.u64 %rd2, %b; @%p1 bra $L1;"),
		 "a:w b:w"},
		{HEADER KERNEL("mov.b64 {%r1, %r2}, %a; shfl.sync.idx.b32 %r3|%p1, %r1, 0, 31, -1;"
			       "mov.b64 %rd1, {%r3, %r2}; st.f32 [%rd1], %f1;"),
		 "a:w"},
		{HEADER KERNEL("shr.u64 %rd1, %a, 4; shl.b64 %rd1, %rd1, 4; st.f32 [%rd1], %f1;"),
		 "a:w"},
		{HEADER KERNEL(".reg .v2 .b64 %v; mov.b64 %v.x, %a; mov.b64 %rd1, %v.y;"
			       "st.f32 [%rd1], %f1;"),
		 "a:w"},
		/* An opcode that is not in ptx_opcodes.def: its result may be any of its operands. */
		{HEADER KERNEL("twist.b64 %rd1, %a, %b; ld.f32 %f1, [%rd1];"), "a:r b:r"},
		/* Predicates are no addresses. */
		{HEADER KERNEL("setp.ne.s64 %p1, %a, 0; selp.b64 %rd1, %b, %c, %p1;"
			       "ld.f32 %f1, [%rd1];"),
		 "b:r c:r"},
	};

	CHECK(rules);
}

/* A number found in memory is no address, a pointer found there may be any. */
TEST(test_loaded_values)
{
	static const struct rule rules[] = {
		{HEADER KERNEL("ld.global.u32 %r1, [%a]; mul.wide.s32 %rd1, %r1, 4;"
			       "add.s64 %rd2, %b, %rd1; ld.global.f32 %f1, [%rd2];"),
		 "a:r b:r"},
		{HEADER KERNEL("ld.global.u64 %rd1, [%a]; shl.b64 %rd3, %rd1, 2;"
			       "add.s64 %rd2, %b, %rd3; ld.global.f32 %f1, [%rd2];"),
		 "a:r b:r"},
		{HEADER KERNEL("ld.global.u8 %r1, [%a]; cvt.u64.u8 %rd1, %r1;"
			       "add.s64 %rd2, %b, %rd1; st.global.u8 [%rd2], %r1;"),
		 "a:r b:w"},
		{HEADER KERNEL("ld.global.u64 %rd1, [%a]; st.global.f32 [%rd1], %f1;"),
		 "a:r elsewhere:w"},
		{HEADER KERNEL("ld.global.v2.u32 {%r1, %r2}, [%a]; mov.b64 %rd1, {%r1, %r2};"
			       "ld.f32 %f1, [%rd1];"),
		 "a:r elsewhere:r"},
		{HEADER KERNEL("ld.global.u64 %rd1, [%a]; selp.b64 %rd2, %rd1, %b, %p1;"
			       "st.f32 [%rd2], %f1;"),
		 "a:r b:w elsewhere:w"},
		{HEADER KERNEL("ld.global.u64 %rd1, [%a]; mad.wide.s32 %rd2, %n, 4, %rd1;"
			       "st.f32 [%rd2], %f1;"),
		 "a:r elsewhere:w"},
		/* An address that comes from nowhere may be any. */
		{HEADER KERNEL("st.global.f32 [%rd1], %f1;"), "elsewhere:w"},
	};

	CHECK(rules);
}

TEST(test_lost_pointers)
{
	static const struct rule rules[] = {
		{HEADER KERNEL("st.global.u64 [%a], %b;"), "a:w b:?"},
		{HEADER KERNEL("atom.global.exch.b64 %rd1, [%a], %b;"), "a:rw b:?"},
		{HEADER KERNEL("st.u64 [%rd1], %a;"), "a:? elsewhere:w"},
		{HEADER KERNEL("add.s64 %rd1, %b, 8; st.u64 [%a], %rd1; ld.f32 %f1, [%b];"),
		 "a:w b:r?"},
		/* A parameter's own address, in a kernel and in a function. */
		{HEADER KERNEL("mov.b64 %rd1, s; st.global.u64 [%a], %rd1;"), "a:w s*:?"},
		{HEADER KERNEL("call.uni gone, (%a); ld.f32 %f1, [%b];"), "a:? b:r elsewhere:rw"},
		{HEADER ".extern .func (.param .b64 r) away (.param .b64 p);" KERNEL(
			 "{ .param .b64 x; st.param.b64 [x+0], %a; .param .b64 y;"
			 "call.uni (y), away, (x); ld.param.b64 %rd1, [y+0]; }"
			 "st.f32 [%rd1], %f1;"),
		 "a:? elsewhere:rw"},
		{HEADER KERNEL("call (%rd1), %rd2, (%a), prototype; prototype:"
			       ".callprototype (.param .b64 _) _ (.param .b64 _);"),
		 "a:? elsewhere:rw"},
		/* An opcode that is not in ptx_opcodes.def, with an operand in memory. */
		{HEADER KERNEL("twist.global.u64 [%a], %b;"), "a:? b:? elsewhere:rw"},
		{HEADER KERNEL("sust.b.1d.b64.trap [%c, {%n}], {%a};"), "a:? elsewhere:w"},
	};

	CHECK(rules);
}

TEST(test_local_memory)
{
	static const struct rule rules[] = {
		/* A pointer that is kept on the stack. */
		{HEADER KERNEL(".local .align 8 .b8 stack[16]; mov.u64 %SPL, stack;"
			       "cvta.local.u64 %SP, %SPL; st.u64 [%SP+8], %a; ld.u64 %rd1, [%SP+8];"
			       "st.f32 [%rd1], %f1;"),
		 "a:w"},
		{HEADER ".extern .shared .align 8 .b8 pool[];" KERNEL(
			 "mov.u32 %r1, pool; st.shared.u64 [%r1], %a; ld.shared.u64 %rd1, [pool];"
			 "red.global.add.f32 [%rd1], %f1;"),
		 "a:rw"},
		{HEADER KERNEL("st.shared.f32 [%r1], %f1; ld.local.f32 %f1, [%rd1];"), ""},
		/* The stack itself is known elsewhere. */
		{HEADER KERNEL(".local .align 8 .b8 stack[16]; mov.u64 %rd1, stack;"
			       "cvta.local.u64 %rd2, %rd1; st.local.u64 [%rd1], %a;"
			       "st.global.u64 [%b], %rd2;"),
		 "a:? b:w"},
		{HEADER KERNEL("alloca.u64 %rd1, 64; cvta.local.u64 %rd1, %rd1; st.u64 [%rd1], %a;"
			       "call.uni gone, (%rd1);"),
		 "a:? elsewhere:rw"},
	};

	CHECK(rules);
}

TEST(test_structs)
{
	static const struct rule rules[] = {
		{HEADER KERNEL("ld.param.u64 %rd1, [s+8]; ld.param.u64 %rd2, [s+16];"
			       "ld.f32 %f1, [%rd1]; st.f32 [%rd2], %f1;"),
		 "s8:r s16:w"},
		{HEADER KERNEL("ld.param.v2.u64 {%rd1, %rd2}, [s+16]; ld.f32 %f1, [%rd1];"
			       "st.f32 [%rd2], %f1;"),
		 "s16:r s24:w"},
		{HEADER KERNEL("ld.param.v2.b32 {%r1, %r2}, [s+8]; mov.b64 %rd1, {%r1, %r2};"
			       "st.f32 [%rd1], %f1;"),
		 "s8:w"},
		{HEADER KERNEL("ld.param.b128 %q1, [s]; mov.b128 {%rd1, %rd2}, %q1;"
			       "st.f32 [%rd2], %f1;"),
		 "s:w s8:w"},
		/* By an index that is not known. */
		{HEADER KERNEL("mov.b64 %rd1, s; mad.wide.s32 %rd1, %n, 8, %rd1;"
			       "ld.param.u64 %rd2, [%rd1]; st.f32 [%rd2], %f1;"),
		 "s*:w"},
		{HEADER KERNEL("mov.b64 %rd1, s; cvta.param.u64 %rd2, %rd1; ld.u64 %rd3, [%rd2+8];"
			       "ld.f32 %f1, [%rd3];"),
		 "s*:r"},
	};

	CHECK(rules);
}

#define FUNCTION                                                                                   \
	".func (.param .b64 result) next(.param .b64 p, .param .b64 q)\n{\n"                       \
	"  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.f32 %f1, [%rd1];\n"                  \
	"  add.s64 %rd3, %rd2, 4; st.param.b64 [result+0], %rd3; ret;\n}\n"
#define CALL(p, q, to)                                                                             \
	"{ .reg .b32 t; .param .b64 param0; st.param.b64 [param0+0], " p ";"                       \
	".param .b64 param1; st.param.b64 [param1+0], " q "; .param .b64 retval0;"                 \
	"call.uni (retval0), next, (param0, param1); ld.param.b64 " to ", [retval0+0]; }\n"

TEST(test_functions)
{
	static const struct rule rules[] = {
		{HEADER FUNCTION KERNEL(CALL("%a", "%b", "%rd1") "st.f32 [%rd1], %f1;"), "a:r b:w"},
		{HEADER ".func (.param .b64 result) next(.param .b64 p, .param .b64 q);\n" KERNEL(
			 CALL("%a", "%b", "%rd1") "st.f32 [%rd1], %f1;") FUNCTION,
		 "a:r b:w"},
		/* Each call's variables are its own. */
		{HEADER FUNCTION
		 ".func put(.param .b64 p) { ld.param.u64 %rd1, [p]; st.f32 [%rd1], 0f0; }" KERNEL(
			 CALL("%a", "%c", "%rd1") "{ .param .b64 param0; st.param.b64 [param0], "
						  "%b; call put, (param0); }"),
		 "a:r b:w"},
		/* A name that a block declares again. */
		{HEADER KERNEL(".param .b64 x; st.param.b64 [x], %a;"
			       "{ .param .b64 x; st.param.b64 [x], %b; } ld.param.b64 %rd1, [x];"
			       "st.f32 [%rd1], %f1;"),
		 "a:w"},
		/* A function that calls itself. */
		{HEADER ".func down(.param .b64 p) { ld.param.u64 %rd1, [p]; red.add.u32 [%rd1], 1;"
			"{ .param .b64 x; st.param.b64 [x], %rd1; call down, (x); } ret; }" KERNEL(
				"{ .param .b64 x; st.param.b64 [x], %a; call down, (x); }"),
		 "a:rw"},
		/* The address of a variable of .param. */
		{HEADER
		 ".func take(.param .align 8 .b8 p[16]) { mov.b64 %rd1, p;"
		 "ld.param.u64 %rd2, [%rd1+8]; st.f32 [%rd2], 0f0; }" KERNEL(
			 "{ .param .align 8 .b8 x[16]; st.param.b64 [x+8], %a; call take, (x); }"),
		 "a:? elsewhere:w"},
		{HEADER
		 ".extern .func (.param .b32 r) vprintf(.param .b64 p, .param .b64 q);"
		 ".extern .func (.param .b64 r) malloc(.param .b64 n);"
		 ".global .align 1 .b8 $str[4] = {37, 112, 10, 0};" KERNEL(
			 "{ .param .b64 x; st.param.b64 [x], %a; .param .b64 y; .param .b32 r;"
			 "call.uni (r), vprintf, (x, y); call (y), malloc, (x);"
			 "ld.param.b64 %rd1, [y]; } st.f32 [%rd1], %f1; ld.f32 %f1, [%a];"),
		 "a:r? elsewhere:w"},
	};

	CHECK(rules);
}

TEST(test_variables)
{
	static const struct rule rules[] = {
		{HEADER ".visible .global .align 4 .b8 v[16] = {1, 2};" KERNEL(
			 "mov.u64 %rd1, v; add.s64 %rd2, %rd1, 4; ld.global.f32 %f1, [%rd2];"
			 "st.global.f32 [v+4], %f1;"),
		 "variables:rw"},
		{HEADER ".const .align 8 .u64 table[2];" KERNEL(
			 "ld.const.u64 %rd1, [table+8]; st.f32 [%rd1], %f1;"),
		 "elsewhere:w variables:r"},
		{HEADER KERNEL("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%a, {%f1, %f2}];"
			       "ld.f32 %f1, [%b];"),
		 "b:r elsewhere:r"},
		{HEADER KERNEL("txq.width.b32 %r1, [%a];"), ""},
	};

	CHECK(rules);
}

TEST(test_copies)
{
	static const struct rule rules[] = {
		{HEADER KERNEL("cp.async.cg.shared.global [%r1], [%a], 16; cp.async.commit_group;"
			       "cp.async.wait_group 0; cp.async.mbarrier.arrive.noinc.b64 [%rd1];"),
		 "a:r"},
		/* Pointers that are copied there. */
		{HEADER KERNEL(
			 "cp.async.ca.shared.global [%r1], [%a], 8; ld.shared.u64 %rd1, [%r1];"
			 "st.f32 [%rd1], %f1;"),
		 "a:r elsewhere:w"},
		{HEADER KERNEL(
			 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1],"
			 " [%a], 64, [%r2]; cp.async.bulk.global.shared::cta.bulk_group [%b],"
			 " [%r1], 64; cp.async.bulk.prefetch.L2.global [%c], 64;"),
		 "a:r b:w"},
		{HEADER KERNEL("st.shared.u64 [%r1], %c;"
			       "cp.async.bulk.global.shared::cta.bulk_group [%b], [%r1], 64;"),
		 "b:w c:?"},
		{HEADER KERNEL(
			 "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%b], [%r1],"
			 " 64;"),
		 "b:rw"},
		{HEADER KERNEL(
			 "mov.b64 %rd1, s; cp.async.bulk.tensor.2d.shared::cluster.global.tile"
			 ".mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];"),
		 "s*:r"},
		{HEADER KERNEL("mov.b64 %rd1, s; cp.async.bulk.tensor.2d.global.shared::cta.tile"
			       ".bulk_group [%rd1, {%r2, %r3}], [%r1];"),
		 "s*:w"},
		{HEADER KERNEL(
			 "mov.b64 %rd1, s; cp.reduce.async.bulk.tensor.1d.global.shared::cta.add"
			 ".tile.bulk_group [%rd1, {%r2}], [%r1];"),
		 "s*:rw"},
		/* A map in memory. */
		{HEADER KERNEL(
			 "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%a, {%r2}],"
			 " [%r1];"),
		 "a:r elsewhere:w"},
		{HEADER KERNEL("tensormap.replace.tile.global_address.global.b1024.b64 [%a], %b;"),
		 "a:rw b:?"},
	};

	CHECK(rules);
}

TEST(test_matrices)
{
	static const struct rule rules[] = {
		{HEADER KERNEL(
			 "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1, %r2}, [%a], 16;"
			 "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1}, {%r1}, {%r2},"
			 " {%f1}; wmma.store.d.sync.aligned.row.m16n16k16.f32 [%b], {%f1, %f2};"),
		 "a:r b:w"},
		{HEADER KERNEL(
			 "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2}, [%r3];"
			 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2},"
			 " {%f1}; st.global.f32 [%b], %f1;"),
		 "b:w"},
		{HEADER KERNEL("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r2];"
			       "st.global.b32 [%a], %r1;"),
		 "a:w"},
	};

	CHECK(rules);
}

TEST(test_what_is_no_ptx_is_unknown)
{
	static const char *const texts[] = {
		"",
		"no PTX",
		HEADER,
		HEADER ".entry",
		HEADER ".entry k",
		HEADER ".entry k(",
		HEADER ".entry k();",
		HEADER ".entry k() {",
		HEADER ".entry k() { ld.param.u64 %a, [a]",
		HEADER ".entry k() { @ }",
		HEADER ".entry k() { ] }",
		HEADER ".entry k() { .pragma \"open; }",
		HEADER ".entry k() { ret; } /* open",
		HEADER ".global .b8 v[4] = {",
		".version 9.0\n.target sm_20\n.address_size 32\n" KERNEL(""),
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		char *found = uses_of(texts[i]);

		if (found && strcmp(found, ""))
			fail_msg("%s: %s", texts[i], found);
		if (found && i != 12)
			fail_msg("%s is known", texts[i]);
		free(found);
	}
}

/* A statement with more names than are read. */
TEST(test_too_long_a_statement_is_unknown)
{
	static const char begin[] = HEADER ".entry k() { mov.b64 %rd1, {x", end[] = "}; }";
	char *text = memory_array(sizeof(begin) + sizeof(end) + 4000, 1), *at;

	at = stpcpy(text, begin);
	for (int i = 0; i < 1000; i++)
		at = stpcpy(at, ", x");
	strcpy(at, end);
	assert_null(uses_of(text));
	free(text);
}

TEST(test_debug_directives)
{
	static const struct rule rules[] = {
		{HEADER ".file 1 \"/a/b.cu\"\n.section .debug_str { info: .b8 1, 2\n }\n" KERNEL(
			 ".loc 1 3 9, function_name info, inlined_at 1 2 1\n"
			 "// st.f32 [%b], %f1;\n/* { */ .pragma \"nounroll\"; ld.f32 %f1, [%a];\n"),
		 "a:r"},
	};

	CHECK(rules);
}

TEST(test_uses_at_offsets)
{
	struct kernel_use items[] = {
		{0, 0, USE_READ}, {1, 2, USE_WRITE}, {2, WORD_OF_ANY, USE_UNKNOWN}};
	const struct kernel_uses uses = {.items = items, .count = 3};
	struct kernel_uses joined = {0};

	assert_int_equal(kernel_uses_at(&uses, 0, 0), USE_READ);
	assert_int_equal(kernel_uses_at(&uses, 0, 8), 0);
	assert_int_equal(kernel_uses_at(&uses, 1, 16), USE_WRITE);
	assert_int_equal(kernel_uses_at(&uses, 1, 12), USE_WRITE); /* in both words */
	assert_int_equal(kernel_uses_at(&uses, 1, 20), USE_WRITE);
	assert_int_equal(kernel_uses_at(&uses, 2, 40), USE_UNKNOWN);
	kernel_uses_join(&joined, &uses);
	kernel_uses_join(&joined, &(struct kernel_uses){.elsewhere = USE_READ});
	assert_int_equal(joined.count, 3);
	assert_int_equal(joined.elsewhere, USE_READ);
	kernel_uses_free(&joined);
}

RUN_TESTS(NULL, NULL)
