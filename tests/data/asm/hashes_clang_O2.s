	.text
	.file	"hashes.c"
	.globl	fnv1a                           # -- Begin function fnv1a
	.p2align	4, 0x90
	.type	fnv1a,@function
fnv1a:                                  # @fnv1a
	.cfi_startproc
# %bb.0:
	movabsq	$-3750763034362895579, %rdx     # imm = 0xCBF29CE484222325
	testq	%rsi, %rsi
	je	.LBB0_1
# %bb.2:
	movabsq	$1099511628211, %r9             # imm = 0x100000001B3
	leaq	-1(%rsi), %rax
	movl	%esi, %r8d
	andl	$3, %r8d
	cmpq	$3, %rax
	jae	.LBB0_8
# %bb.3:
	xorl	%ecx, %ecx
	jmp	.LBB0_4
.LBB0_1:
	movq	%rdx, %rax
	retq
.LBB0_8:
	andq	$-4, %rsi
	xorl	%ecx, %ecx
	.p2align	4, 0x90
.LBB0_9:                                # =>This Inner Loop Header: Depth=1
	movzbl	(%rdi,%rcx), %eax
	xorq	%rdx, %rax
	imulq	%r9, %rax
	movzbl	1(%rdi,%rcx), %edx
	xorq	%rax, %rdx
	imulq	%r9, %rdx
	movzbl	2(%rdi,%rcx), %eax
	xorq	%rdx, %rax
	imulq	%r9, %rax
	movzbl	3(%rdi,%rcx), %edx
	xorq	%rax, %rdx
	imulq	%r9, %rdx
	addq	$4, %rcx
	cmpq	%rcx, %rsi
	jne	.LBB0_9
.LBB0_4:
	movq	%rdx, %rax
	testq	%r8, %r8
	je	.LBB0_7
# %bb.5:
	addq	%rcx, %rdi
	xorl	%ecx, %ecx
	.p2align	4, 0x90
.LBB0_6:                                # =>This Inner Loop Header: Depth=1
	movzbl	(%rdi,%rcx), %eax
	xorq	%rdx, %rax
	imulq	%r9, %rax
	addq	$1, %rcx
	movq	%rax, %rdx
	cmpq	%rcx, %r8
	jne	.LBB0_6
.LBB0_7:
	retq
.Lfunc_end0:
	.size	fnv1a, .Lfunc_end0-fnv1a
	.cfi_endproc
                                        # -- End function
	.globl	mix                             # -- Begin function mix
	.p2align	4, 0x90
	.type	mix,@function
mix:                                    # @mix
	.cfi_startproc
# %bb.0:
	movq	%rdi, %rax
	shrq	$33, %rax
	xorq	%rdi, %rax
	movabsq	$-49064778989728563, %rcx       # imm = 0xFF51AFD7ED558CCD
	imulq	%rax, %rcx
	movq	%rcx, %rax
	shrq	$33, %rax
	xorq	%rcx, %rax
	movabsq	$-4265267296055464877, %rcx     # imm = 0xC4CEB9FE1A85EC53
	imulq	%rax, %rcx
	movq	%rcx, %rax
	shrq	$33, %rax
	xorq	%rcx, %rax
	retq
.Lfunc_end1:
	.size	mix, .Lfunc_end1-mix
	.cfi_endproc
                                        # -- End function
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.addrsig
