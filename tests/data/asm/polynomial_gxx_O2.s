	.file	"polynomial.cpp"
	.text
	.section	.text._Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_,"axG",@progbits,_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_,comdat
	.p2align 4
	.weak	_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_
	.type	_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_, @function
_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_:
.LFB1069:
	.cfi_startproc
	leaq	64(%rdi), %rax
	vxorpd	%xmm1, %xmm1, %xmm1
	.p2align 4,,10
	.p2align 3
.L3:
	vfmadd213sd	(%rdi), %xmm0, %xmm1
	addq	$8, %rdi
	cmpq	%rax, %rdi
	jne	.L3
	vmovsd	%xmm1, %xmm1, %xmm0
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
	movq	(%rdi), %rcx
	movq	8(%rdi), %rdi
	cmpq	%rcx, %rdi
	je	.L12
	leaq	64(%rsi), %rdx
	vxorpd	%xmm2, %xmm2, %xmm2
	.p2align 4,,10
	.p2align 3
.L11:
	vmovsd	(%rcx), %xmm1
	cmpq	%rdx, %rsi
	je	.L13
	movq	%rsi, %rax
	vxorpd	%xmm0, %xmm0, %xmm0
	.p2align 4,,10
	.p2align 3
.L10:
	vfmadd213sd	(%rax), %xmm1, %xmm0
	addq	$8, %rax
	cmpq	%rdx, %rax
	jne	.L10
	addq	$8, %rcx
	vaddsd	%xmm0, %xmm2, %xmm2
	cmpq	%rdi, %rcx
	jne	.L11
.L7:
	vmovsd	%xmm2, %xmm2, %xmm0
	ret
	.p2align 4,,10
	.p2align 3
.L13:
	vxorpd	%xmm0, %xmm0, %xmm0
	addq	$8, %rcx
	vaddsd	%xmm0, %xmm2, %xmm2
	cmpq	%rdi, %rcx
	jne	.L11
	jmp	.L7
.L12:
	vxorpd	%xmm2, %xmm2, %xmm2
	vmovsd	%xmm2, %xmm2, %xmm0
	ret
	.cfi_endproc
.LFE1064:
	.size	_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE, .-_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE
	.p2align 4
	.globl	_Z4bitsRKSt6vectorImSaImEE
	.type	_Z4bitsRKSt6vectorImSaImEE, @function
_Z4bitsRKSt6vectorImSaImEE:
.LFB1065:
	.cfi_startproc
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	xorl	%edx, %edx
	cmpq	%rax, %rsi
	je	.L16
	.p2align 4,,10
	.p2align 3
.L18:
	xorl	%ecx, %ecx
	addq	$8, %rax
	popcntq	-8(%rax), %rcx
	addq	%rcx, %rdx
	cmpq	%rax, %rsi
	jne	.L18
.L16:
	movq	%rdx, %rax
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
	vxorpd	%xmm1, %xmm1, %xmm1
	pushq	%rbx
	.cfi_def_cfa_offset 24
	.cfi_offset 3, -24
	subq	$24, %rsp
	.cfi_def_cfa_offset 48
	movq	(%rdi), %rbx
	movq	8(%rdi), %rbp
	cmpq	%rbx, %rbp
	je	.L21
	.p2align 4,,10
	.p2align 3
.L23:
	movq	(%rbx), %rdi
	vmovsd	%xmm1, 8(%rsp)
	addq	$8, %rbx
	movq	(%rdi), %rax
	call	*(%rax)
	vmovsd	8(%rsp), %xmm1
	vaddsd	%xmm0, %xmm1, %xmm1
	cmpq	%rbx, %rbp
	jne	.L23
.L21:
	addq	$24, %rsp
	.cfi_def_cfa_offset 24
	vmovsd	%xmm1, %xmm1, %xmm0
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
