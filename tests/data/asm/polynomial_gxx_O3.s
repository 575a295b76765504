	.file	"polynomial.cpp"
	.text
	.section	.text._Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_,"axG",@progbits,_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_,comdat
	.p2align 4
	.weak	_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_
	.type	_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_, @function
_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_:
.LFB1069:
	.cfi_startproc
	pxor	%xmm1, %xmm1
	mulsd	%xmm0, %xmm1
	addsd	(%rdi), %xmm1
	mulsd	%xmm0, %xmm1
	addsd	8(%rdi), %xmm1
	mulsd	%xmm0, %xmm1
	addsd	16(%rdi), %xmm1
	mulsd	%xmm0, %xmm1
	addsd	24(%rdi), %xmm1
	mulsd	%xmm0, %xmm1
	addsd	32(%rdi), %xmm1
	mulsd	%xmm0, %xmm1
	addsd	40(%rdi), %xmm1
	mulsd	%xmm0, %xmm1
	addsd	48(%rdi), %xmm1
	mulsd	%xmm1, %xmm0
	addsd	56(%rdi), %xmm0
	ret
	.cfi_endproc
.LFE1069:
	.size	_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_, .-_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_
	.text
	.p2align 4
	.globl	_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE
	.type	_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE, @function
_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE:
.LFB1064:
	.cfi_startproc
	movq	(%rdi), %rdx
	movq	8(%rdi), %rcx
	cmpq	%rdx, %rcx
	je	.L11
	subq	%rdx, %rcx
	movsd	(%rsi), %xmm9
	movsd	8(%rsi), %xmm3
	movq	%rdx, %rax
	movsd	16(%rsi), %xmm1
	movsd	24(%rsi), %xmm8
	movsd	32(%rsi), %xmm7
	movsd	40(%rsi), %xmm6
	movsd	48(%rsi), %xmm5
	movsd	56(%rsi), %xmm4
	leaq	-8(%rcx), %rsi
	shrq	$3, %rsi
	addq	$1, %rsi
	cmpq	$8, %rcx
	je	.L12
	movapd	%xmm4, %xmm2
	movapd	%xmm6, %xmm0
	movapd	%xmm5, %xmm15
	movq	%rsi, %rcx
	unpcklpd	%xmm2, %xmm2
	shrq	%rcx
	movapd	%xmm3, %xmm13
	unpcklpd	%xmm0, %xmm0
	movapd	%xmm1, %xmm12
	movaps	%xmm2, -56(%rsp)
	movapd	%xmm9, %xmm14
	movapd	%xmm8, %xmm11
	movapd	%xmm7, %xmm10
	unpcklpd	%xmm15, %xmm15
	salq	$4, %rcx
	movsd	%xmm4, -16(%rsp)
	movapd	-56(%rsp), %xmm4
	movsd	%xmm3, -32(%rsp)
	unpcklpd	%xmm14, %xmm14
	unpcklpd	%xmm13, %xmm13
	movsd	%xmm1, -24(%rsp)
	addq	%rdx, %rcx
	pxor	%xmm2, %xmm2
	movapd	%xmm0, %xmm1
	unpcklpd	%xmm12, %xmm12
	unpcklpd	%xmm11, %xmm11
	unpcklpd	%xmm10, %xmm10
	movapd	%xmm15, %xmm3
	.p2align 4,,10
	.p2align 3
.L8:
	movupd	(%rax), %xmm15
	pxor	%xmm0, %xmm0
	addq	$16, %rax
	mulpd	%xmm15, %xmm0
	addpd	%xmm14, %xmm0
	mulpd	%xmm15, %xmm0
	addpd	%xmm13, %xmm0
	mulpd	%xmm15, %xmm0
	addpd	%xmm12, %xmm0
	mulpd	%xmm15, %xmm0
	addpd	%xmm11, %xmm0
	mulpd	%xmm15, %xmm0
	addpd	%xmm10, %xmm0
	mulpd	%xmm15, %xmm0
	addpd	%xmm1, %xmm0
	mulpd	%xmm15, %xmm0
	addpd	%xmm3, %xmm0
	mulpd	%xmm15, %xmm0
	addpd	%xmm4, %xmm0
	movapd	%xmm0, %xmm15
	unpckhpd	%xmm0, %xmm0
	addsd	%xmm2, %xmm15
	movapd	%xmm0, %xmm2
	addsd	%xmm15, %xmm2
	cmpq	%rcx, %rax
	jne	.L8
	movsd	-32(%rsp), %xmm3
	movsd	-24(%rsp), %xmm1
	movsd	-16(%rsp), %xmm4
	testb	$1, %sil
	je	.L5
	andq	$-2, %rsi
	leaq	(%rdx,%rsi,8), %rdx
.L7:
	movsd	(%rdx), %xmm10
	pxor	%xmm0, %xmm0
	mulsd	%xmm10, %xmm0
	addsd	%xmm9, %xmm0
	mulsd	%xmm10, %xmm0
	addsd	%xmm0, %xmm3
	mulsd	%xmm10, %xmm3
	addsd	%xmm3, %xmm1
	movapd	%xmm1, %xmm0
	mulsd	%xmm10, %xmm0
	addsd	%xmm8, %xmm0
	mulsd	%xmm10, %xmm0
	addsd	%xmm7, %xmm0
	mulsd	%xmm10, %xmm0
	addsd	%xmm6, %xmm0
	mulsd	%xmm10, %xmm0
	addsd	%xmm5, %xmm0
	mulsd	%xmm10, %xmm0
	addsd	%xmm4, %xmm0
	addsd	%xmm0, %xmm2
.L5:
	movapd	%xmm2, %xmm0
	ret
.L11:
	pxor	%xmm2, %xmm2
	movapd	%xmm2, %xmm0
	ret
.L12:
	pxor	%xmm2, %xmm2
	jmp	.L7
	.cfi_endproc
.LFE1064:
	.size	_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE, .-_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE
	.globl	__popcountdi2
	.p2align 4
	.globl	_Z4bitsRKSt6vectorImSaImEE
	.type	_Z4bitsRKSt6vectorImSaImEE, @function
_Z4bitsRKSt6vectorImSaImEE:
.LFB1065:
	.cfi_startproc
	pushq	%r12
	.cfi_def_cfa_offset 16
	.cfi_offset 12, -16
	pushq	%rbp
	.cfi_def_cfa_offset 24
	.cfi_offset 6, -24
	xorl	%ebp, %ebp
	pushq	%rbx
	.cfi_def_cfa_offset 32
	.cfi_offset 3, -32
	movq	(%rdi), %rbx
	movq	8(%rdi), %r12
	cmpq	%rbx, %r12
	je	.L17
	.p2align 4,,10
	.p2align 3
.L19:
	movq	(%rbx), %rdi
	addq	$8, %rbx
	call	__popcountdi2@PLT
	cltq
	addq	%rax, %rbp
	cmpq	%rbx, %r12
	jne	.L19
.L17:
	movq	%rbp, %rax
	popq	%rbx
	.cfi_def_cfa_offset 24
	popq	%rbp
	.cfi_def_cfa_offset 16
	popq	%r12
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
.LFE1065:
	.size	_Z4bitsRKSt6vectorImSaImEE, .-_Z4bitsRKSt6vectorImSaImEE
	.p2align 4
	.globl	_Z5areasRKSt6vectorIP5ShapeSaIS1_EE
	.type	_Z5areasRKSt6vectorIP5ShapeSaIS1_EE, @function
_Z5areasRKSt6vectorIP5ShapeSaIS1_EE:
.LFB1066:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	pxor	%xmm1, %xmm1
	pushq	%rbx
	.cfi_def_cfa_offset 24
	.cfi_offset 3, -24
	subq	$24, %rsp
	.cfi_def_cfa_offset 48
	movq	(%rdi), %rbx
	movq	8(%rdi), %rbp
	cmpq	%rbx, %rbp
	je	.L23
	.p2align 4,,10
	.p2align 3
.L25:
	movq	(%rbx), %rdi
	movsd	%xmm1, 8(%rsp)
	addq	$8, %rbx
	movq	(%rdi), %rax
	call	*(%rax)
	movsd	8(%rsp), %xmm1
	addsd	%xmm0, %xmm1
	cmpq	%rbx, %rbp
	jne	.L25
.L23:
	addq	$24, %rsp
	.cfi_def_cfa_offset 24
	movapd	%xmm1, %xmm0
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
.LFE1066:
	.size	_Z5areasRKSt6vectorIP5ShapeSaIS1_EE, .-_Z5areasRKSt6vectorIP5ShapeSaIS1_EE
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
