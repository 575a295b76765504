	.text
	.file	"matrix.c"
	.globl	multiply                        # -- Begin function multiply
	.p2align	4, 0x90
	.type	multiply,@function
multiply:                               # @multiply
	.cfi_startproc
# %bb.0:
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movq	%rdx, -16(%rsp)                 # 8-byte Spill
	testl	%edi, %edi
	jle	.LBB0_11
# %bb.1:
	movl	%edi, %r11d
	movl	%r11d, %r8d
	andl	$-32, %r8d
	movq	-16(%rsp), %rax                 # 8-byte Reload
	addq	$96, %rax
	movq	%rax, -8(%rsp)                  # 8-byte Spill
	leaq	(,%r11,4), %r10
	leaq	96(%rcx), %rax
	movq	%r10, %r12
	andq	$-128, %r12
	xorl	%r14d, %r14d
	jmp	.LBB0_2
	.p2align	4, 0x90
.LBB0_10:                               #   in Loop: Header=BB0_2 Depth=1
	addq	$1, %r14
	addq	%r10, %rax
	addq	%r10, %rcx
	cmpq	%r11, %r14
	je	.LBB0_11
.LBB0_2:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_3 Depth 2
                                        #       Child Loop BB0_6 Depth 3
                                        #       Child Loop BB0_8 Depth 3
	movq	%r14, %r15
	imulq	%r11, %r15
	movq	-16(%rsp), %r13                 # 8-byte Reload
	movq	-8(%rsp), %rbx                  # 8-byte Reload
	xorl	%ebp, %ebp
	jmp	.LBB0_3
	.p2align	4, 0x90
.LBB0_9:                                #   in Loop: Header=BB0_3 Depth=2
	addq	$1, %rbp
	addq	%r10, %rbx
	addq	%r10, %r13
	cmpq	%r11, %rbp
	je	.LBB0_10
.LBB0_3:                                #   Parent Loop BB0_2 Depth=1
                                        # =>  This Loop Header: Depth=2
                                        #       Child Loop BB0_6 Depth 3
                                        #       Child Loop BB0_8 Depth 3
	leaq	(%r15,%rbp), %rdx
	vmovss	(%rsi,%rdx,4), %xmm0            # xmm0 = mem[0],zero,zero,zero
	cmpl	$32, %edi
	jae	.LBB0_5
# %bb.4:                                #   in Loop: Header=BB0_3 Depth=2
	xorl	%edx, %edx
	jmp	.LBB0_8
	.p2align	4, 0x90
.LBB0_5:                                #   in Loop: Header=BB0_3 Depth=2
	vbroadcastss	%xmm0, %ymm1
	xorl	%r9d, %r9d
	.p2align	4, 0x90
.LBB0_6:                                #   Parent Loop BB0_2 Depth=1
                                        #     Parent Loop BB0_3 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	vmovups	-96(%rbx,%r9), %ymm2
	vmovups	-64(%rbx,%r9), %ymm3
	vmovups	-32(%rbx,%r9), %ymm4
	vmovups	(%rbx,%r9), %ymm5
	vfmadd213ps	-96(%rax,%r9), %ymm1, %ymm2 # ymm2 = (ymm1 * ymm2) + mem
	vfmadd213ps	-64(%rax,%r9), %ymm1, %ymm3 # ymm3 = (ymm1 * ymm3) + mem
	vfmadd213ps	-32(%rax,%r9), %ymm1, %ymm4 # ymm4 = (ymm1 * ymm4) + mem
	vfmadd213ps	(%rax,%r9), %ymm1, %ymm5 # ymm5 = (ymm1 * ymm5) + mem
	vmovups	%ymm2, -96(%rax,%r9)
	vmovups	%ymm3, -64(%rax,%r9)
	vmovups	%ymm4, -32(%rax,%r9)
	vmovups	%ymm5, (%rax,%r9)
	subq	$-128, %r9
	cmpq	%r9, %r12
	jne	.LBB0_6
# %bb.7:                                #   in Loop: Header=BB0_3 Depth=2
	movq	%r8, %rdx
	cmpq	%r11, %r8
	je	.LBB0_9
	.p2align	4, 0x90
.LBB0_8:                                #   Parent Loop BB0_2 Depth=1
                                        #     Parent Loop BB0_3 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	vmovss	(%r13,%rdx,4), %xmm1            # xmm1 = mem[0],zero,zero,zero
	vfmadd213ss	(%rcx,%rdx,4), %xmm0, %xmm1 # xmm1 = (xmm0 * xmm1) + mem
	vmovss	%xmm1, (%rcx,%rdx,4)
	addq	$1, %rdx
	cmpq	%rdx, %r11
	jne	.LBB0_8
	jmp	.LBB0_9
.LBB0_11:
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	vzeroupper
	retq
.Lfunc_end0:
	.size	multiply, .Lfunc_end0-multiply
	.cfi_endproc
                                        # -- End function
	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2                               # -- Begin function blur
.LCPI1_0:
	.long	0x40400000                      # float 3
	.text
	.globl	blur
	.p2align	4, 0x90
	.type	blur,@function
blur:                                   # @blur
	.cfi_startproc
# %bb.0:
                                        # kill: def $edi killed $edi def $rdi
	cmpl	$3, %edi
	jl	.LBB1_6
# %bb.1:
	addl	$-1, %edi
	vmovss	(%rsi), %xmm0                   # xmm0 = mem[0],zero,zero,zero
	vmovss	4(%rsi), %xmm1                  # xmm1 = mem[0],zero,zero,zero
	leaq	-1(%rdi), %r8
	movl	$1, %eax
	cmpl	$2, %edi
	je	.LBB1_4
# %bb.2:
	movq	%r8, %r9
	andq	$-2, %r9
	negq	%r9
	movl	$1, %edi
	vmovss	.LCPI1_0(%rip), %xmm2           # xmm2 = mem[0],zero,zero,zero
	.p2align	4, 0x90
.LBB1_3:                                # =>This Inner Loop Header: Depth=1
	vaddss	%xmm1, %xmm0, %xmm3
	vmovss	4(%rsi,%rdi,4), %xmm0           # xmm0 = mem[0],zero,zero,zero
	vaddss	%xmm0, %xmm3, %xmm3
	vdivss	%xmm2, %xmm3, %xmm3
	vmovss	%xmm3, (%rdx,%rdi,4)
	vaddss	%xmm0, %xmm1, %xmm3
	leaq	2(%rdi), %rax
	vmovss	8(%rsi,%rdi,4), %xmm1           # xmm1 = mem[0],zero,zero,zero
	vaddss	%xmm1, %xmm3, %xmm3
	vdivss	%xmm2, %xmm3, %xmm3
	vmovss	%xmm3, 4(%rdx,%rdi,4)
	leaq	(%r9,%rdi), %rcx
	addq	$2, %rcx
	movq	%rax, %rdi
	cmpq	$1, %rcx
	jne	.LBB1_3
.LBB1_4:
	testb	$1, %r8b
	je	.LBB1_6
# %bb.5:
	vaddss	%xmm1, %xmm0, %xmm0
	vaddss	4(%rsi,%rax,4), %xmm0, %xmm0
	vdivss	.LCPI1_0(%rip), %xmm0, %xmm0
	vmovss	%xmm0, (%rdx,%rax,4)
.LBB1_6:
	retq
.Lfunc_end1:
	.size	blur, .Lfunc_end1-blur
	.cfi_endproc
                                        # -- End function
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.addrsig
