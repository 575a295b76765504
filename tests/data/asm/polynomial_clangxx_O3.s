	.text
	.file	"polynomial.cpp"
	.section	.text._Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_,"axG",@progbits,_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_,comdat
	.weak	_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_ # -- Begin function _Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_
	.p2align	4, 0x90
	.type	_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_,@function
_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_: # @_Z6hornerIdLm8EET_RKSt5arrayIS0_XT0_EES0_
	.cfi_startproc
# %bb.0:
	xorpd	%xmm1, %xmm1
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
	movsd	(%rsi), %xmm8                   # xmm8 = mem[0],zero
	movsd	8(%rsi), %xmm10                 # xmm10 = mem[0],zero
	movsd	16(%rsi), %xmm11                # xmm11 = mem[0],zero
	movsd	24(%rsi), %xmm4                 # xmm4 = mem[0],zero
	movsd	32(%rsi), %xmm5                 # xmm5 = mem[0],zero
	movsd	40(%rsi), %xmm6                 # xmm6 = mem[0],zero
	movsd	48(%rsi), %xmm7                 # xmm7 = mem[0],zero
	movsd	56(%rsi), %xmm1                 # xmm1 = mem[0],zero
	xorpd	%xmm9, %xmm9
	xorpd	%xmm0, %xmm0
	.p2align	4, 0x90
.LBB1_4:                                # =>This Inner Loop Header: Depth=1
	movsd	(%rax), %xmm3                   # xmm3 = mem[0],zero
	movapd	%xmm3, %xmm2
	mulsd	%xmm9, %xmm2
	addsd	%xmm8, %xmm2
	mulsd	%xmm3, %xmm2
	addsd	%xmm10, %xmm2
	mulsd	%xmm3, %xmm2
	addsd	%xmm11, %xmm2
	mulsd	%xmm3, %xmm2
	addsd	%xmm4, %xmm2
	mulsd	%xmm3, %xmm2
	addsd	%xmm5, %xmm2
	mulsd	%xmm3, %xmm2
	addsd	%xmm6, %xmm2
	mulsd	%xmm3, %xmm2
	addsd	%xmm7, %xmm2
	mulsd	%xmm3, %xmm2
	addsd	%xmm1, %xmm2
	addsd	%xmm2, %xmm0
	addq	$8, %rax
	cmpq	%rcx, %rax
	jne	.LBB1_4
# %bb.2:
	retq
.LBB1_1:
	xorps	%xmm0, %xmm0
	retq
.Lfunc_end1:
	.size	_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE, .Lfunc_end1-_Z3allRKSt6vectorIdSaIdEERKSt5arrayIdLm8EE
	.cfi_endproc
                                        # -- End function
	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	4                               # -- Begin function _Z4bitsRKSt6vectorImSaImEE
.LCPI2_0:
	.zero	16,85
.LCPI2_1:
	.zero	16,51
.LCPI2_2:
	.zero	16,15
	.text
	.globl	_Z4bitsRKSt6vectorImSaImEE
	.p2align	4, 0x90
	.type	_Z4bitsRKSt6vectorImSaImEE,@function
_Z4bitsRKSt6vectorImSaImEE:             # @_Z4bitsRKSt6vectorImSaImEE
	.cfi_startproc
# %bb.0:
	movq	(%rdi), %rsi
	movq	8(%rdi), %r9
	cmpq	%r9, %rsi
	je	.LBB2_1
# %bb.2:
	movq	%r9, %r8
	subq	%rsi, %r8
	addq	$-8, %r8
	cmpq	$24, %r8
	jae	.LBB2_4
# %bb.3:
	xorl	%eax, %eax
	movq	%rsi, %rdx
	jmp	.LBB2_7
.LBB2_1:
	xorl	%eax, %eax
	retq
.LBB2_4:
	shrq	$3, %r8
	addq	$1, %r8
	movq	%r8, %rdi
	andq	$-4, %rdi
	leaq	(%rsi,%rdi,8), %rdx
	pxor	%xmm8, %xmm8
	xorl	%eax, %eax
	movdqa	.LCPI2_0(%rip), %xmm2           # xmm2 = [85,85,85,85,85,85,85,85,85,85,85,85,85,85,85,85]
	movdqa	.LCPI2_1(%rip), %xmm3           # xmm3 = [51,51,51,51,51,51,51,51,51,51,51,51,51,51,51,51]
	movdqa	.LCPI2_2(%rip), %xmm5           # xmm5 = [15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15]
	pxor	%xmm4, %xmm4
	pxor	%xmm1, %xmm1
	.p2align	4, 0x90
.LBB2_5:                                # =>This Inner Loop Header: Depth=1
	movdqu	(%rsi,%rax,8), %xmm0
	movdqu	16(%rsi,%rax,8), %xmm6
	movdqa	%xmm0, %xmm7
	psrlw	$1, %xmm7
	pand	%xmm2, %xmm7
	psubb	%xmm7, %xmm0
	movdqa	%xmm0, %xmm7
	pand	%xmm3, %xmm7
	psrlw	$2, %xmm0
	pand	%xmm3, %xmm0
	paddb	%xmm7, %xmm0
	movdqa	%xmm0, %xmm7
	psrlw	$4, %xmm7
	paddb	%xmm0, %xmm7
	pand	%xmm5, %xmm7
	psadbw	%xmm8, %xmm7
	paddq	%xmm7, %xmm4
	movdqa	%xmm6, %xmm0
	psrlw	$1, %xmm0
	pand	%xmm2, %xmm0
	psubb	%xmm0, %xmm6
	movdqa	%xmm6, %xmm0
	pand	%xmm3, %xmm0
	psrlw	$2, %xmm6
	pand	%xmm3, %xmm6
	paddb	%xmm0, %xmm6
	movdqa	%xmm6, %xmm0
	psrlw	$4, %xmm0
	paddb	%xmm6, %xmm0
	pand	%xmm5, %xmm0
	psadbw	%xmm8, %xmm0
	paddq	%xmm0, %xmm1
	addq	$4, %rax
	cmpq	%rax, %rdi
	jne	.LBB2_5
# %bb.6:
	paddq	%xmm4, %xmm1
	pshufd	$238, %xmm1, %xmm0              # xmm0 = xmm1[2,3,2,3]
	paddq	%xmm1, %xmm0
	movq	%xmm0, %rax
	cmpq	%rdi, %r8
	je	.LBB2_9
.LBB2_7:
	movabsq	$6148914691236517205, %r8       # imm = 0x5555555555555555
	movabsq	$3689348814741910323, %rdi      # imm = 0x3333333333333333
	movabsq	$1085102592571150095, %r10      # imm = 0xF0F0F0F0F0F0F0F
	movabsq	$72340172838076673, %r11        # imm = 0x101010101010101
	.p2align	4, 0x90
.LBB2_8:                                # =>This Inner Loop Header: Depth=1
	movq	(%rdx), %rsi
	movq	%rsi, %rcx
	shrq	%rcx
	andq	%r8, %rcx
	subq	%rcx, %rsi
	movq	%rsi, %rcx
	andq	%rdi, %rcx
	shrq	$2, %rsi
	andq	%rdi, %rsi
	addq	%rcx, %rsi
	movq	%rsi, %rcx
	shrq	$4, %rcx
	addq	%rsi, %rcx
	andq	%r10, %rcx
	imulq	%r11, %rcx
	shrq	$56, %rcx
	addq	%rcx, %rax
	addq	$8, %rdx
	cmpq	%r9, %rdx
	jne	.LBB2_8
.LBB2_9:
	retq
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
	xorpd	%xmm0, %xmm0
	cmpq	%r14, %rbx
	je	.LBB3_3
	.p2align	4, 0x90
.LBB3_1:                                # =>This Inner Loop Header: Depth=1
	movsd	%xmm0, (%rsp)                   # 8-byte Spill
	movq	(%rbx), %rdi
	movq	(%rdi), %rax
	callq	*(%rax)
	movsd	(%rsp), %xmm1                   # 8-byte Reload
                                        # xmm1 = mem[0],zero
	addsd	%xmm0, %xmm1
	movsd	%xmm1, (%rsp)                   # 8-byte Spill
	movsd	(%rsp), %xmm0                   # 8-byte Reload
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
