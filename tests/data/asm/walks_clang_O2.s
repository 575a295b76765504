	.text
	.file	"walks.c"
	.globl	chase                           # -- Begin function chase
	.p2align	4, 0x90
	.type	chase,@function
chase:                                  # @chase
	.cfi_startproc
# %bb.0:
	xorl	%eax, %eax
	testq	%rdi, %rdi
	je	.LBB0_3
	.p2align	4, 0x90
.LBB0_1:                                # =>This Inner Loop Header: Depth=1
	addq	8(%rdi), %rax
	movq	(%rdi), %rdi
	testq	%rdi, %rdi
	jne	.LBB0_1
.LBB0_3:
	retq
.Lfunc_end0:
	.size	chase, .Lfunc_end0-chase
	.cfi_endproc
                                        # -- End function
	.globl	sines                           # -- Begin function sines
	.p2align	4, 0x90
	.type	sines,@function
sines:                                  # @sines
	.cfi_startproc
# %bb.0:
	pushq	%r15
	.cfi_def_cfa_offset 16
	pushq	%r14
	.cfi_def_cfa_offset 24
	pushq	%r12
	.cfi_def_cfa_offset 32
	pushq	%rbx
	.cfi_def_cfa_offset 40
	pushq	%rax
	.cfi_def_cfa_offset 48
	.cfi_offset %rbx, -40
	.cfi_offset %r12, -32
	.cfi_offset %r14, -24
	.cfi_offset %r15, -16
	testq	%rsi, %rsi
	je	.LBB1_1
# %bb.2:
	movq	%rsi, %r14
	movq	%rdi, %r12
	leaq	-1(%rsi), %rax
	movl	%r14d, %r15d
	andl	$3, %r15d
	cmpq	$3, %rax
	jae	.LBB1_8
# %bb.3:
	xorpd	%xmm0, %xmm0
	xorl	%ebx, %ebx
	jmp	.LBB1_4
.LBB1_1:
	xorpd	%xmm0, %xmm0
	jmp	.LBB1_7
.LBB1_8:
	andq	$-4, %r14
	xorpd	%xmm0, %xmm0
	xorl	%ebx, %ebx
	.p2align	4, 0x90
.LBB1_9:                                # =>This Inner Loop Header: Depth=1
	movsd	%xmm0, (%rsp)                   # 8-byte Spill
	movsd	(%r12,%rbx,8), %xmm0            # xmm0 = mem[0],zero
	callq	sin@PLT
	addsd	(%rsp), %xmm0                   # 8-byte Folded Reload
	movsd	%xmm0, (%rsp)                   # 8-byte Spill
	movsd	8(%r12,%rbx,8), %xmm0           # xmm0 = mem[0],zero
	callq	sin@PLT
	addsd	(%rsp), %xmm0                   # 8-byte Folded Reload
	movsd	%xmm0, (%rsp)                   # 8-byte Spill
	movsd	16(%r12,%rbx,8), %xmm0          # xmm0 = mem[0],zero
	callq	sin@PLT
	addsd	(%rsp), %xmm0                   # 8-byte Folded Reload
	movsd	%xmm0, (%rsp)                   # 8-byte Spill
	movsd	24(%r12,%rbx,8), %xmm0          # xmm0 = mem[0],zero
	callq	sin@PLT
	addsd	(%rsp), %xmm0                   # 8-byte Folded Reload
	addq	$4, %rbx
	cmpq	%rbx, %r14
	jne	.LBB1_9
.LBB1_4:
	testq	%r15, %r15
	je	.LBB1_7
# %bb.5:
	leaq	(%r12,%rbx,8), %r14
	xorl	%ebx, %ebx
	.p2align	4, 0x90
.LBB1_6:                                # =>This Inner Loop Header: Depth=1
	movsd	%xmm0, (%rsp)                   # 8-byte Spill
	movsd	(%r14,%rbx,8), %xmm0            # xmm0 = mem[0],zero
	callq	sin@PLT
	movsd	(%rsp), %xmm1                   # 8-byte Reload
                                        # xmm1 = mem[0],zero
	addsd	%xmm0, %xmm1
	movsd	%xmm1, (%rsp)                   # 8-byte Spill
	movsd	(%rsp), %xmm0                   # 8-byte Reload
                                        # xmm0 = mem[0],zero
	addq	$1, %rbx
	cmpq	%rbx, %r15
	jne	.LBB1_6
.LBB1_7:
	addq	$8, %rsp
	.cfi_def_cfa_offset 40
	popq	%rbx
	.cfi_def_cfa_offset 32
	popq	%r12
	.cfi_def_cfa_offset 24
	popq	%r14
	.cfi_def_cfa_offset 16
	popq	%r15
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end1:
	.size	sines, .Lfunc_end1-sines
	.cfi_endproc
                                        # -- End function
	.globl	words                           # -- Begin function words
	.p2align	4, 0x90
	.type	words,@function
words:                                  # @words
	.cfi_startproc
# %bb.0:
	movb	(%rdi), %dl
	testb	%dl, %dl
	je	.LBB2_1
# %bb.2:
	addq	$1, %rdi
	xorl	%esi, %esi
	leaq	.LJTI2_0(%rip), %rcx
	xorl	%eax, %eax
	jmp	.LBB2_3
.LBB2_6:                                #   in Loop: Header=BB2_3 Depth=1
	cmpl	$1, %esi
	adcl	$0, %eax
	movl	$1, %esi
	.p2align	4, 0x90
.LBB2_7:                                #   in Loop: Header=BB2_3 Depth=1
	movzbl	(%rdi), %edx
	addq	$1, %rdi
	testb	%dl, %dl
	je	.LBB2_8
.LBB2_3:                                # =>This Inner Loop Header: Depth=1
	movsbl	%dl, %edx
	addl	$-9, %edx
	cmpl	$86, %edx
	ja	.LBB2_6
# %bb.4:                                #   in Loop: Header=BB2_3 Depth=1
	movslq	(%rcx,%rdx,4), %rdx
	addq	%rcx, %rdx
	jmpq	*%rdx
.LBB2_5:                                #   in Loop: Header=BB2_3 Depth=1
	xorl	%esi, %esi
	jmp	.LBB2_7
.LBB2_8:
	retq
.LBB2_1:
	xorl	%eax, %eax
	retq
.Lfunc_end2:
	.size	words, .Lfunc_end2-words
	.cfi_endproc
	.section	.rodata,"a",@progbits
	.p2align	2
.LJTI2_0:
	.long	.LBB2_5-.LJTI2_0
	.long	.LBB2_5-.LJTI2_0
	.long	.LBB2_5-.LJTI2_0
	.long	.LBB2_5-.LJTI2_0
	.long	.LBB2_5-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_5-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_7-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_7-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_6-.LJTI2_0
	.long	.LBB2_7-.LJTI2_0
                                        # -- End function
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.addrsig
