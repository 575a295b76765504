	.file	"walks.c"
	.intel_syntax noprefix
	.text
	.p2align 4
	.globl	chase
	.type	chase, @function
chase:
.LFB0:
	.cfi_startproc
	xor	eax, eax
	test	rdi, rdi
	je	.L4
	.p2align 4,,10
	.p2align 3
.L3:
	add	rax, QWORD PTR 8[rdi]
	mov	rdi, QWORD PTR [rdi]
	test	rdi, rdi
	jne	.L3
	ret
	.p2align 4,,10
	.p2align 3
.L4:
	ret
	.cfi_endproc
.LFE0:
	.size	chase, .-chase
	.p2align 4
	.globl	sines
	.type	sines, @function
sines:
.LFB1:
	.cfi_startproc
	test	rsi, rsi
	je	.L10
	push	rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	pxor	xmm1, xmm1
	lea	rbp, [rdi+rsi*8]
	push	rbx
	.cfi_def_cfa_offset 24
	.cfi_offset 3, -24
	mov	rbx, rdi
	sub	rsp, 24
	.cfi_def_cfa_offset 48
	.p2align 4,,10
	.p2align 3
.L9:
	movsd	xmm0, QWORD PTR [rbx]
	movsd	QWORD PTR 8[rsp], xmm1
	add	rbx, 8
	call	sin@PLT
	movsd	xmm1, QWORD PTR 8[rsp]
	addsd	xmm1, xmm0
	cmp	rbx, rbp
	jne	.L9
	add	rsp, 24
	.cfi_def_cfa_offset 24
	movapd	xmm0, xmm1
	pop	rbx
	.cfi_def_cfa_offset 16
	pop	rbp
	.cfi_def_cfa_offset 8
	ret
	.p2align 4,,10
	.p2align 3
.L10:
	.cfi_restore 3
	.cfi_restore 6
	pxor	xmm1, xmm1
	movapd	xmm0, xmm1
	ret
	.cfi_endproc
.LFE1:
	.size	sines, .-sines
	.p2align 4
	.globl	words
	.type	words, @function
words:
.LFB2:
	.cfi_startproc
	movzx	eax, BYTE PTR [rdi]
	test	al, al
	je	.L23
	movabs	rcx, 72057594037928001
	xor	edx, edx
	xor	esi, esi
	jmp	.L22
	.p2align 4,,10
	.p2align 3
.L19:
	sub	eax, 39
	cmp	al, 56
	ja	.L20
	bt	rcx, rax
	jc	.L18
.L20:
	xor	edx, 1
	add	esi, edx
	mov	edx, 1
.L18:
	movzx	eax, BYTE PTR 1[rdi]
	add	rdi, 1
	test	al, al
	je	.L16
.L22:
	cmp	al, 32
	je	.L24
	jg	.L19
	sub	eax, 9
	cmp	al, 4
	ja	.L20
.L24:
	movzx	eax, BYTE PTR 1[rdi]
	add	rdi, 1
	xor	edx, edx
	test	al, al
	jne	.L22
.L16:
	mov	eax, esi
	ret
	.p2align 4,,10
	.p2align 3
.L23:
	xor	esi, esi
	mov	eax, esi
	ret
	.cfi_endproc
.LFE2:
	.size	words, .-words
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
