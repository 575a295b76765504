	.file	"hashes.c"
	.text
	.p2align 4
	.globl	fnv1a
	.type	fnv1a, @function
fnv1a:
.LFB0:
	.cfi_startproc
	movabsq	$-3750763034362895579, %rax
	testq	%rsi, %rsi
	je	.L1
	movabsq	$1099511628211, %rcx
	addq	%rdi, %rsi
	.p2align 4,,10
	.p2align 3
.L3:
	movzbl	(%rdi), %edx
	addq	$1, %rdi
	xorq	%rdx, %rax
	imulq	%rcx, %rax
	cmpq	%rdi, %rsi
	jne	.L3
.L1:
	ret
	.cfi_endproc
.LFE0:
	.size	fnv1a, .-fnv1a
	.p2align 4
	.globl	mix
	.type	mix, @function
mix:
.LFB1:
	.cfi_startproc
	movabsq	$-49064778989728563, %rdx
	movq	%rdi, %rax
	shrq	$33, %rax
	xorq	%rdi, %rax
	imulq	%rdx, %rax
	movq	%rax, %rdx
	shrq	$33, %rdx
	xorq	%rax, %rdx
	movabsq	$-4265267296055464877, %rax
	imulq	%rax, %rdx
	movq	%rdx, %rax
	shrq	$33, %rax
	xorq	%rdx, %rax
	ret
	.cfi_endproc
.LFE1:
	.size	mix, .-mix
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
