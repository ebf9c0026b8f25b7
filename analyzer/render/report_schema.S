/* report_schema.json as a string. */
	.section .rodata
	.global report_schema
	.hidden report_schema
	.type report_schema, @object
report_schema:
	.incbin "report_schema.json"
	.byte 0
	.size report_schema, . - report_schema
	.section .note.GNU-stack, "", @progbits
