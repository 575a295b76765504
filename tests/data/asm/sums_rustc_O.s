	.file	"sums.b34b8ef5f693b1e6-cgu.0"
	.section	.text.collatz,"ax",@progbits
	.globl	collatz
	.p2align	4
	.type	collatz,@function
collatz:
	.cfi_startproc
	xorl	%eax, %eax
	cmpq	$1, %rdi
	je	.LBB0_3
	xorl	%eax, %eax
	.p2align	4
.LBB0_2:
	movl	%edi, %ecx
	leaq	(%rdi,%rdi,2), %rdx
	incq	%rdx
	shrq	%rdi
	testb	$1, %cl
	cmovneq	%rdx, %rdi
	incl	%eax
	cmpq	$1, %rdi
	jne	.LBB0_2
.LBB0_3:
	retq
.Lfunc_end0:
	.size	collatz, .Lfunc_end0-collatz
	.cfi_endproc

	.section	.text.fnv,"ax",@progbits
	.globl	fnv
	.p2align	4
	.type	fnv,@function
fnv:
	.cfi_startproc
	movabsq	$-3750763034362895579, %rax
	testq	%rsi, %rsi
	je	.LBB1_8
	movabsq	$1099511628211, %rcx
	movl	%esi, %edx
	andl	$3, %edx
	cmpq	$4, %rsi
	jae	.LBB1_3
	xorl	%r8d, %r8d
	jmp	.LBB1_6
.LBB1_3:
	movabsq	$9223372036854775804, %r8
	andq	%r8, %rsi
	xorl	%r8d, %r8d
	.p2align	4
.LBB1_4:
	movzbl	(%rdi,%r8), %r9d
	xorq	%rax, %r9
	imulq	%rcx, %r9
	movzbl	1(%rdi,%r8), %eax
	xorq	%r9, %rax
	imulq	%rcx, %rax
	movzbl	2(%rdi,%r8), %r9d
	xorq	%rax, %r9
	imulq	%rcx, %r9
	movzbl	3(%rdi,%r8), %eax
	xorq	%r9, %rax
	imulq	%rcx, %rax
	addq	$4, %r8
	cmpq	%r8, %rsi
	jne	.LBB1_4
	testq	%rdx, %rdx
	je	.LBB1_8
.LBB1_6:
	addq	%r8, %rdi
	xorl	%esi, %esi
	movq	%rax, %r8
	.p2align	4
.LBB1_7:
	movzbl	(%rdi,%rsi), %eax
	xorq	%r8, %rax
	imulq	%rcx, %rax
	incq	%rsi
	movq	%rax, %r8
	cmpq	%rsi, %rdx
	jne	.LBB1_7
.LBB1_8:
	retq
.Lfunc_end1:
	.size	fnv, .Lfunc_end1-fnv
	.cfi_endproc

	.section	.text.gather,"ax",@progbits
	.globl	gather
	.p2align	4
	.type	gather,@function
gather:
	.cfi_startproc
	xorl	%eax, %eax
	testq	%rcx, %rcx
	je	.LBB2_4
	xorl	%r9d, %r9d
	.p2align	4
.LBB2_2:
	movq	(%rdx,%r9,8), %r8
	cmpq	%rsi, %r8
	jae	.LBB2_5
	addl	(%rdi,%r8,4), %eax
	incq	%r9
	cmpq	%r9, %rcx
	jne	.LBB2_2
.LBB2_4:
	retq
.LBB2_5:
	pushq	%rax
	.cfi_def_cfa_offset 16
	leaq	.Lanon.6d4ac1ed07f08b98f7f6433b1ae57bbd.1(%rip), %rdx
	movq	%r8, %rdi
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
.Lfunc_end2:
	.size	gather, .Lfunc_end2-gather
	.cfi_endproc

	.section	.text.sum,"ax",@progbits
	.globl	sum
	.p2align	4
	.type	sum,@function
sum:
	.cfi_startproc
	testq	%rsi, %rsi
	je	.LBB3_1
	cmpq	$4, %rsi
	jae	.LBB3_5
	xorl	%ecx, %ecx
	xorl	%eax, %eax
	jmp	.LBB3_4
.LBB3_1:
	xorl	%eax, %eax
	retq
.LBB3_5:
	movabsq	$1152921504606846972, %rcx
	andq	%rsi, %rcx
	leaq	(,%rsi,8), %rax
	andq	$-32, %rax
	pxor	%xmm0, %xmm0
	xorl	%edx, %edx
	pxor	%xmm1, %xmm1
	.p2align	4
.LBB3_6:
	movdqu	(%rdi,%rdx), %xmm2
	paddq	%xmm2, %xmm1
	movdqu	16(%rdi,%rdx), %xmm2
	paddq	%xmm2, %xmm0
	addq	$32, %rdx
	cmpq	%rdx, %rax
	jne	.LBB3_6
	paddq	%xmm1, %xmm0
	pshufd	$238, %xmm0, %xmm1
	paddq	%xmm0, %xmm1
	movq	%xmm1, %rax
	jmp	.LBB3_8
.LBB3_4:
	addq	(%rdi,%rcx,8), %rax
	incq	%rcx
.LBB3_8:
	cmpq	%rcx, %rsi
	jne	.LBB3_4
	retq
.Lfunc_end3:
	.size	sum, .Lfunc_end3-sum
	.cfi_endproc

	.type	.Lanon.6d4ac1ed07f08b98f7f6433b1ae57bbd.0,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.6d4ac1ed07f08b98f7f6433b1ae57bbd.0:
	.asciz	"sums.rs"
	.size	.Lanon.6d4ac1ed07f08b98f7f6433b1ae57bbd.0, 8

	.type	.Lanon.6d4ac1ed07f08b98f7f6433b1ae57bbd.1,@object
	.section	.data.rel.ro..Lanon.6d4ac1ed07f08b98f7f6433b1ae57bbd.1,"aw",@progbits
	.p2align	3, 0x0
.Lanon.6d4ac1ed07f08b98f7f6433b1ae57bbd.1:
	.quad	.Lanon.6d4ac1ed07f08b98f7f6433b1ae57bbd.0
	.asciz	"\007\000\000\000\000\000\000\000\017\000\000\000\030\000\000"
	.size	.Lanon.6d4ac1ed07f08b98f7f6433b1ae57bbd.1, 24

	.ident	"rustc version 1.95.0 (59807616e 2026-04-14)"
	.section	".note.GNU-stack","",@progbits
