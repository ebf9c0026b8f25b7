/* The JSON Schemas of this folder as strings: NAME_schema is NAME_schema.json. */
	.section .rodata
	.macro schema name
	.global \name\()_schema
	.hidden \name\()_schema
	.type \name\()_schema, @object
\name\()_schema:
	.incbin "\name\()_schema.json"
	.byte 0
	.size \name\()_schema, . - \name\()_schema
	.endm

	schema report
	schema job
	schema gate
	schema whatif
	schema info
	schema explain
	schema baseline
	schema calibrate
	schema try
	schema error
	.section .note.GNU-stack, "", @progbits
