	.text
	.file	"polynomial.cpp"
	.section	.text._Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_,"axG",@progbits,_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_,comdat
	.weak	_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_ # -- Begin function _Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_
	.p2align	4, 0x90
	.type	_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_,@function
_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_: # @_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_
	.cfi_startproc
# %bb.0:
	vxorpd	%xmm1, %xmm1, %xmm1
	vfmadd213sd	(%rdi), %xmm0, %xmm1    # xmm1 = (xmm0 * xmm1) + mem
	vfmadd213sd	8(%rdi), %xmm0, %xmm1   # xmm1 = (xmm0 * xmm1) + mem
	vfmadd213sd	16(%rdi), %xmm0, %xmm1  # xmm1 = (xmm0 * xmm1) + mem
	vfmadd213sd	24(%rdi), %xmm0, %xmm1  # xmm1 = (xmm0 * xmm1) + mem
	vfmadd213sd	32(%rdi), %xmm0, %xmm1  # xmm1 = (xmm0 * xmm1) + mem
	vfmadd213sd	40(%rdi), %xmm0, %xmm1  # xmm1 = (xmm0 * xmm1) + mem
	vfmadd213sd	48(%rdi), %xmm0, %xmm1  # xmm1 = (xmm0 * xmm1) + mem
	vfmadd213sd	56(%rdi), %xmm1, %xmm0  # xmm0 = (xmm1 * xmm0) + mem
	retq
.Lfunc_end0:
	.size	_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_, .Lfunc_end0-_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_
	.cfi_endproc
                                        # -- End function
	.text
	.globl	_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE # -- Begin function _Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE
	.p2align	4, 0x90
	.type	_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE,@function
_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE: # @_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE
	.cfi_startproc
# %bb.0:
	movq	(%rdi), %rax
	movq	8(%rdi), %rcx
	cmpq	%rcx, %rax
	je	.LBB1_1
# %bb.3:
	vmovsd	(%rsi), %xmm8                   # xmm8 = mem[0],zero
	vmovsd	8(%rsi), %xmm9                  # xmm9 = mem[0],zero
	vmovsd	16(%rsi), %xmm10                # xmm10 = mem[0],zero
	vmovsd	24(%rsi), %xmm4                 # xmm4 = mem[0],zero
	vmovsd	32(%rsi), %xmm5                 # xmm5 = mem[0],zero
	vmovsd	40(%rsi), %xmm6                 # xmm6 = mem[0],zero
	vmovsd	48(%rsi), %xmm7                 # xmm7 = mem[0],zero
	vmovsd	56(%rsi), %xmm1                 # xmm1 = mem[0],zero
	vxorpd	%xmm0, %xmm0, %xmm0
	.p2align	4, 0x90
.LBB1_4:                                # =>This Inner Loop Header: Depth=1
	vmovsd	(%rax), %xmm2                   # xmm2 = mem[0],zero
	vxorpd	%xmm3, %xmm3, %xmm3
	vfmadd213sd	%xmm8, %xmm2, %xmm3     # xmm3 = (xmm2 * xmm3) + xmm8
	vfmadd213sd	%xmm9, %xmm2, %xmm3     # xmm3 = (xmm2 * xmm3) + xmm9
	vfmadd213sd	%xmm10, %xmm2, %xmm3    # xmm3 = (xmm2 * xmm3) + xmm10
	vfmadd213sd	%xmm4, %xmm2, %xmm3     # xmm3 = (xmm2 * xmm3) + xmm4
	vfmadd213sd	%xmm5, %xmm2, %xmm3     # xmm3 = (xmm2 * xmm3) + xmm5
	vfmadd213sd	%xmm6, %xmm2, %xmm3     # xmm3 = (xmm2 * xmm3) + xmm6
	vfmadd213sd	%xmm7, %xmm2, %xmm3     # xmm3 = (xmm2 * xmm3) + xmm7
	vfmadd213sd	%xmm1, %xmm2, %xmm3     # xmm3 = (xmm2 * xmm3) + xmm1
	vaddsd	%xmm3, %xmm0, %xmm0
	addq	$8, %rax
	cmpq	%rcx, %rax
	jne	.LBB1_4
# %bb.2:
	retq
.LBB1_1:
	vxorps	%xmm0, %xmm0, %xmm0
	retq
.Lfunc_end1:
	.size	_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE, .Lfunc_end1-_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE
	.cfi_endproc
                                        # -- End function
	.section	.rodata.cst32,"aM",@progbits,32
	.p2align	5                               # -- Begin function _Z4bitsRKSt6vectorImSaImEE
.LCPI2_0:
	.zero	32,15
.LCPI2_1:
	.byte	0                               # 0x0
	.byte	1                               # 0x1
	.byte	1                               # 0x1
	.byte	2                               # 0x2
	.byte	1                               # 0x1
	.byte	2                               # 0x2
	.byte	2                               # 0x2
	.byte	3                               # 0x3
	.byte	1                               # 0x1
	.byte	2                               # 0x2
	.byte	2                               # 0x2
	.byte	3                               # 0x3
	.byte	2                               # 0x2
	.byte	3                               # 0x3
	.byte	3                               # 0x3
	.byte	4                               # 0x4
	.byte	0                               # 0x0
	.byte	1                               # 0x1
	.byte	1                               # 0x1
	.byte	2                               # 0x2
	.byte	1                               # 0x1
	.byte	2                               # 0x2
	.byte	2                               # 0x2
	.byte	3                               # 0x3
	.byte	1                               # 0x1
	.byte	2                               # 0x2
	.byte	2                               # 0x2
	.byte	3                               # 0x3
	.byte	2                               # 0x2
	.byte	3                               # 0x3
	.byte	3                               # 0x3
	.byte	4                               # 0x4
	.text
	.globl	_Z4bitsRKSt6vectorImSaImEE
	.p2align	4, 0x90
	.type	_Z4bitsRKSt6vectorImSaImEE,@function
_Z4bitsRKSt6vectorImSaImEE:             # @_Z4bitsRKSt6vectorImSaImEE
	.cfi_startproc
# %bb.0:
	movq	(%rdi), %rcx
	movq	8(%rdi), %rdx
	cmpq	%rdx, %rcx
	je	.LBB2_1
# %bb.2:
	movq	%rdx, %rsi
	subq	%rcx, %rsi
	addq	$-8, %rsi
	cmpq	$120, %rsi
	jae	.LBB2_4
# %bb.3:
	xorl	%eax, %eax
	jmp	.LBB2_12
.LBB2_1:
	xorl	%eax, %eax
	retq
.LBB2_4:
	shrq	$3, %rsi
	incq	%rsi
	movq	%rsi, %r8
	andq	$-16, %r8
	leaq	-16(%r8), %rax
	movq	%rax, %r9
	shrq	$4, %r9
	incq	%r9
	testq	%rax, %rax
	je	.LBB2_5
# %bb.6:
	movq	%r9, %rax
	andq	$-2, %rax
	vpxor	%xmm4, %xmm4, %xmm4
	xorl	%edi, %edi
	vmovdqa	.LCPI2_0(%rip), %ymm5           # ymm5 = [15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15]
	vmovdqa	.LCPI2_1(%rip), %ymm6           # ymm6 = [0,1,1,2,1,2,2,3,1,2,2,3,2,3,3,4,0,1,1,2,1,2,2,3,1,2,2,3,2,3,3,4]
	vpxor	%xmm0, %xmm0, %xmm0
	vpxor	%xmm1, %xmm1, %xmm1
	vpxor	%xmm2, %xmm2, %xmm2
	vpxor	%xmm3, %xmm3, %xmm3
	.p2align	4, 0x90
.LBB2_7:                                # =>This Inner Loop Header: Depth=1
	vmovdqu	(%rcx,%rdi,8), %ymm7
	vmovdqu	32(%rcx,%rdi,8), %ymm8
	vmovdqu	64(%rcx,%rdi,8), %ymm9
	vmovdqu	96(%rcx,%rdi,8), %ymm10
	vpand	%ymm5, %ymm7, %ymm11
	vpshufb	%ymm11, %ymm6, %ymm11
	vpsrlw	$4, %ymm7, %ymm7
	vpand	%ymm5, %ymm7, %ymm7
	vpshufb	%ymm7, %ymm6, %ymm7
	vpaddb	%ymm7, %ymm11, %ymm7
	vpsadbw	%ymm4, %ymm7, %ymm7
	vpaddq	%ymm0, %ymm7, %ymm0
	vpand	%ymm5, %ymm8, %ymm7
	vpshufb	%ymm7, %ymm6, %ymm7
	vpsrlw	$4, %ymm8, %ymm8
	vpand	%ymm5, %ymm8, %ymm8
	vpshufb	%ymm8, %ymm6, %ymm8
	vpaddb	%ymm7, %ymm8, %ymm7
	vpsadbw	%ymm4, %ymm7, %ymm7
	vpaddq	%ymm1, %ymm7, %ymm1
	vpand	%ymm5, %ymm9, %ymm7
	vpshufb	%ymm7, %ymm6, %ymm7
	vpsrlw	$4, %ymm9, %ymm8
	vpand	%ymm5, %ymm8, %ymm8
	vpshufb	%ymm8, %ymm6, %ymm8
	vpaddb	%ymm7, %ymm8, %ymm7
	vpsadbw	%ymm4, %ymm7, %ymm7
	vpaddq	%ymm2, %ymm7, %ymm2
	vpand	%ymm5, %ymm10, %ymm7
	vpshufb	%ymm7, %ymm6, %ymm7
	vpsrlw	$4, %ymm10, %ymm8
	vpand	%ymm5, %ymm8, %ymm8
	vpshufb	%ymm8, %ymm6, %ymm8
	vpaddb	%ymm7, %ymm8, %ymm7
	vpsadbw	%ymm4, %ymm7, %ymm7
	vpaddq	%ymm3, %ymm7, %ymm3
	vmovdqu	128(%rcx,%rdi,8), %ymm7
	vmovdqu	160(%rcx,%rdi,8), %ymm8
	vmovdqu	192(%rcx,%rdi,8), %ymm9
	vmovdqu	224(%rcx,%rdi,8), %ymm10
	vpand	%ymm5, %ymm7, %ymm11
	vpshufb	%ymm11, %ymm6, %ymm11
	vpsrlw	$4, %ymm7, %ymm7
	vpand	%ymm5, %ymm7, %ymm7
	vpshufb	%ymm7, %ymm6, %ymm7
	vpaddb	%ymm7, %ymm11, %ymm7
	vpsadbw	%ymm4, %ymm7, %ymm7
	vpaddq	%ymm0, %ymm7, %ymm0
	vpand	%ymm5, %ymm8, %ymm7
	vpshufb	%ymm7, %ymm6, %ymm7
	vpsrlw	$4, %ymm8, %ymm8
	vpand	%ymm5, %ymm8, %ymm8
	vpshufb	%ymm8, %ymm6, %ymm8
	vpaddb	%ymm7, %ymm8, %ymm7
	vpsadbw	%ymm4, %ymm7, %ymm7
	vpaddq	%ymm1, %ymm7, %ymm1
	vpand	%ymm5, %ymm9, %ymm7
	vpshufb	%ymm7, %ymm6, %ymm7
	vpsrlw	$4, %ymm9, %ymm8
	vpand	%ymm5, %ymm8, %ymm8
	vpshufb	%ymm8, %ymm6, %ymm8
	vpaddb	%ymm7, %ymm8, %ymm7
	vpsadbw	%ymm4, %ymm7, %ymm7
	vpaddq	%ymm2, %ymm7, %ymm2
	vpand	%ymm5, %ymm10, %ymm7
	vpshufb	%ymm7, %ymm6, %ymm7
	vpsrlw	$4, %ymm10, %ymm8
	vpand	%ymm5, %ymm8, %ymm8
	vpshufb	%ymm8, %ymm6, %ymm8
	vpaddb	%ymm7, %ymm8, %ymm7
	vpsadbw	%ymm4, %ymm7, %ymm7
	vpaddq	%ymm3, %ymm7, %ymm3
	addq	$32, %rdi
	addq	$-2, %rax
	jne	.LBB2_7
# %bb.8:
	testb	$1, %r9b
	je	.LBB2_10
.LBB2_9:
	vmovdqu	(%rcx,%rdi,8), %ymm4
	vmovdqu	32(%rcx,%rdi,8), %ymm5
	vmovdqu	64(%rcx,%rdi,8), %ymm6
	vmovdqu	96(%rcx,%rdi,8), %ymm7
	vmovdqa	.LCPI2_0(%rip), %ymm8           # ymm8 = [15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15]
	vpand	%ymm4, %ymm8, %ymm9
	vmovdqa	.LCPI2_1(%rip), %ymm10          # ymm10 = [0,1,1,2,1,2,2,3,1,2,2,3,2,3,3,4,0,1,1,2,1,2,2,3,1,2,2,3,2,3,3,4]
	vpshufb	%ymm9, %ymm10, %ymm9
	vpsrlw	$4, %ymm4, %ymm4
	vpand	%ymm4, %ymm8, %ymm4
	vpshufb	%ymm4, %ymm10, %ymm4
	vpaddb	%ymm4, %ymm9, %ymm4
	vpxor	%xmm9, %xmm9, %xmm9
	vpsadbw	%ymm4, %ymm9, %ymm4
	vpaddq	%ymm0, %ymm4, %ymm0
	vpand	%ymm5, %ymm8, %ymm4
	vpshufb	%ymm4, %ymm10, %ymm4
	vpsrlw	$4, %ymm5, %ymm5
	vpand	%ymm5, %ymm8, %ymm5
	vpshufb	%ymm5, %ymm10, %ymm5
	vpaddb	%ymm4, %ymm5, %ymm4
	vpsadbw	%ymm4, %ymm9, %ymm4
	vpaddq	%ymm1, %ymm4, %ymm1
	vpand	%ymm6, %ymm8, %ymm4
	vpshufb	%ymm4, %ymm10, %ymm4
	vpsrlw	$4, %ymm6, %ymm5
	vpand	%ymm5, %ymm8, %ymm5
	vpshufb	%ymm5, %ymm10, %ymm5
	vpaddb	%ymm4, %ymm5, %ymm4
	vpsadbw	%ymm4, %ymm9, %ymm4
	vpaddq	%ymm2, %ymm4, %ymm2
	vpand	%ymm7, %ymm8, %ymm4
	vpshufb	%ymm4, %ymm10, %ymm4
	vpsrlw	$4, %ymm7, %ymm5
	vpand	%ymm5, %ymm8, %ymm5
	vpshufb	%ymm5, %ymm10, %ymm5
	vpaddb	%ymm4, %ymm5, %ymm4
	vpsadbw	%ymm4, %ymm9, %ymm4
	vpaddq	%ymm3, %ymm4, %ymm3
.LBB2_10:
	vpaddq	%ymm3, %ymm1, %ymm1
	vpaddq	%ymm2, %ymm0, %ymm0
	vpaddq	%ymm1, %ymm0, %ymm0
	vextracti128	$1, %ymm0, %xmm1
	vpaddq	%xmm1, %xmm0, %xmm0
	vpshufd	$238, %xmm0, %xmm1              # xmm1 = xmm0[2,3,2,3]
	vpaddq	%xmm1, %xmm0, %xmm0
	vmovq	%xmm0, %rax
	cmpq	%r8, %rsi
	je	.LBB2_13
# %bb.11:
	leaq	(%rcx,%r8,8), %rcx
	.p2align	4, 0x90
.LBB2_12:                               # =>This Inner Loop Header: Depth=1
	xorl	%esi, %esi
	popcntq	(%rcx), %rsi
	addq	%rsi, %rax
	addq	$8, %rcx
	cmpq	%rdx, %rcx
	jne	.LBB2_12
.LBB2_13:
	vzeroupper
	retq
.LBB2_5:
	vpxor	%xmm0, %xmm0, %xmm0
	xorl	%edi, %edi
	vpxor	%xmm1, %xmm1, %xmm1
	vpxor	%xmm2, %xmm2, %xmm2
	vpxor	%xmm3, %xmm3, %xmm3
	testb	$1, %r9b
	jne	.LBB2_9
	jmp	.LBB2_10
.Lfunc_end2:
	.size	_Z4bitsRKSt6vectorImSaImEE, .Lfunc_end2-_Z4bitsRKSt6vectorImSaImEE
	.cfi_endproc
                                        # -- End function
	.globl	_Z5areasRKSt6vectorIP5ShapeSaIS1_EE # -- Begin function _Z5areasRKSt6vectorIP5ShapeSaIS1_EE
	.p2align	4, 0x90
	.type	_Z5areasRKSt6vectorIP5ShapeSaIS1_EE,@function
_Z5areasRKSt6vectorIP5ShapeSaIS1_EE:    # @_Z5areasRKSt6vectorIP5ShapeSaIS1_EE
	.cfi_startproc
# %bb.0:
	pushq	%r14
	.cfi_def_cfa_offset 16
	pushq	%rbx
	.cfi_def_cfa_offset 24
	pushq	%rax
	.cfi_def_cfa_offset 32
	.cfi_offset %rbx, -24
	.cfi_offset %r14, -16
	movq	(%rdi), %rbx
	movq	8(%rdi), %r14
	vxorpd	%xmm0, %xmm0, %xmm0
	cmpq	%r14, %rbx
	je	.LBB3_3
	.p2align	4, 0x90
.LBB3_1:                                # =>This Inner Loop Header: Depth=1
	vmovsd	%xmm0, (%rsp)                   # 8-byte Spill
	movq	(%rbx), %rdi
	movq	(%rdi), %rax
	callq	*(%rax)
	vmovsd	(%rsp), %xmm1                   # 8-byte Reload
                                        # xmm1 = mem[0],zero
	vaddsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, (%rsp)                   # 8-byte Spill
	vmovsd	(%rsp), %xmm0                   # 8-byte Reload
                                        # xmm0 = mem[0],zero
	addq	$8, %rbx
	cmpq	%r14, %rbx
	jne	.LBB3_1
.LBB3_3:
	addq	$8, %rsp
	.cfi_def_cfa_offset 24
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%r14
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end3:
	.size	_Z5areasRKSt6vectorIP5ShapeSaIS1_EE, .Lfunc_end3-_Z5areasRKSt6vectorIP5ShapeSaIS1_EE
	.cfi_endproc
                                        # -- End function
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.addrsig
