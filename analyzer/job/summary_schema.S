/* summary.sql as a string. */
	.section .rodata
	.global summary_schema
	.hidden summary_schema
	.type summary_schema, @object
summary_schema:
	.incbin "job/summary.sql"
	.byte 0
	.size summary_schema, . - summary_schema
	.section .note.GNU-stack, "", @progbits
