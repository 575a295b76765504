	.file	"walks.c"
	.text
	.p2align 4
	.globl	chase
	.type	chase, @function
chase:
.LFB0:
	.cfi_startproc
	xorl	%eax, %eax
	testq	%rdi, %rdi
	je	.L4
	.p2align 4,,10
	.p2align 3
.L3:
	addq	8(%rdi), %rax
	movq	(%rdi), %rdi
	testq	%rdi, %rdi
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
	testq	%rsi, %rsi
	je	.L10
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	pxor	%xmm1, %xmm1
	leaq	(%rdi,%rsi,8), %rbp
	pushq	%rbx
	.cfi_def_cfa_offset 24
	.cfi_offset 3, -24
	movq	%rdi, %rbx
	subq	$24, %rsp
	.cfi_def_cfa_offset 48
	.p2align 4,,10
	.p2align 3
.L9:
	movsd	(%rbx), %xmm0
	movsd	%xmm1, 8(%rsp)
	addq	$8, %rbx
	call	sin@PLT
	movsd	8(%rsp), %xmm1
	addsd	%xmm0, %xmm1
	cmpq	%rbp, %rbx
	jne	.L9
	addq	$24, %rsp
	.cfi_def_cfa_offset 24
	movapd	%xmm1, %xmm0
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	ret
	.p2align 4,,10
	.p2align 3
.L10:
	.cfi_restore 3
	.cfi_restore 6
	pxor	%xmm1, %xmm1
	movapd	%xmm1, %xmm0
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
	movzbl	(%rdi), %eax
	testb	%al, %al
	je	.L23
	movabsq	$72057594037928001, %rcx
	xorl	%edx, %edx
	xorl	%esi, %esi
	jmp	.L22
	.p2align 4,,10
	.p2align 3
.L19:
	subl	$39, %eax
	cmpb	$56, %al
	ja	.L20
	btq	%rax, %rcx
	jc	.L18
.L20:
	xorl	$1, %edx
	addl	%edx, %esi
	movl	$1, %edx
.L18:
	movzbl	1(%rdi), %eax
	addq	$1, %rdi
	testb	%al, %al
	je	.L16
.L22:
	cmpb	$32, %al
	je	.L24
	jg	.L19
	subl	$9, %eax
	cmpb	$4, %al
	ja	.L20
.L24:
	movzbl	1(%rdi), %eax
	addq	$1, %rdi
	xorl	%edx, %edx
	testb	%al, %al
	jne	.L22
.L16:
	movl	%esi, %eax
	ret
	.p2align 4,,10
	.p2align 3
.L23:
	xorl	%esi, %esi
	movl	%esi, %eax
	ret
	.cfi_endproc
.LFE2:
	.size	words, .-words
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
