	.text
	.file	"tables.c"
	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	4                               # -- Begin function fill
.LCPI0_0:
	.long	0                               # 0x0
	.long	1                               # 0x1
	.long	2                               # 0x2
	.long	3                               # 0x3
.LCPI0_1:
	.long	3988292384                      # 0xedb88320
	.long	3988292384                      # 0xedb88320
	.long	3988292384                      # 0xedb88320
	.long	3988292384                      # 0xedb88320
.LCPI0_2:
	.long	4                               # 0x4
	.long	4                               # 0x4
	.long	4                               # 0x4
	.long	4                               # 0x4
	.text
	.globl	fill
	.p2align	4, 0x90
	.type	fill,@function
fill:                                   # @fill
	.cfi_startproc
# %bb.0:
	movdqa	.LCPI0_0(%rip), %xmm0           # xmm0 = [0,1,2,3]
	xorl	%eax, %eax
	movdqa	.LCPI0_1(%rip), %xmm1           # xmm1 = [3988292384,3988292384,3988292384,3988292384]
	leaq	table(%rip), %rcx
	movdqa	.LCPI0_2(%rip), %xmm2           # xmm2 = [4,4,4,4]
	.p2align	4, 0x90
.LBB0_1:                                # =>This Inner Loop Header: Depth=1
	movdqa	%xmm0, %xmm3
	psrld	$1, %xmm3
	movdqa	%xmm0, %xmm4
	pslld	$31, %xmm4
	psrad	$31, %xmm4
	movdqa	%xmm4, %xmm5
	pandn	%xmm3, %xmm5
	pxor	%xmm1, %xmm3
	pand	%xmm4, %xmm3
	por	%xmm5, %xmm3
	movdqa	%xmm3, %xmm4
	psrld	$1, %xmm4
	pslld	$31, %xmm3
	psrad	$31, %xmm3
	movdqa	%xmm3, %xmm5
	pandn	%xmm4, %xmm5
	pxor	%xmm1, %xmm4
	pand	%xmm3, %xmm4
	por	%xmm5, %xmm4
	movdqa	%xmm4, %xmm3
	psrld	$1, %xmm3
	pslld	$31, %xmm4
	psrad	$31, %xmm4
	movdqa	%xmm4, %xmm5
	pandn	%xmm3, %xmm5
	pxor	%xmm1, %xmm3
	pand	%xmm4, %xmm3
	por	%xmm5, %xmm3
	movdqa	%xmm3, %xmm4
	psrld	$1, %xmm4
	pslld	$31, %xmm3
	psrad	$31, %xmm3
	movdqa	%xmm3, %xmm5
	pandn	%xmm4, %xmm5
	pxor	%xmm1, %xmm4
	pand	%xmm3, %xmm4
	por	%xmm5, %xmm4
	movdqa	%xmm4, %xmm3
	psrld	$1, %xmm3
	pslld	$31, %xmm4
	psrad	$31, %xmm4
	movdqa	%xmm4, %xmm5
	pandn	%xmm3, %xmm5
	pxor	%xmm1, %xmm3
	pand	%xmm4, %xmm3
	por	%xmm5, %xmm3
	movdqa	%xmm3, %xmm4
	psrld	$1, %xmm4
	pslld	$31, %xmm3
	psrad	$31, %xmm3
	movdqa	%xmm3, %xmm5
	pandn	%xmm4, %xmm5
	pxor	%xmm1, %xmm4
	pand	%xmm3, %xmm4
	por	%xmm5, %xmm4
	movdqa	%xmm4, %xmm3
	psrld	$1, %xmm3
	pslld	$31, %xmm4
	psrad	$31, %xmm4
	movdqa	%xmm4, %xmm5
	pandn	%xmm3, %xmm5
	pxor	%xmm1, %xmm3
	pand	%xmm4, %xmm3
	por	%xmm5, %xmm3
	movdqa	%xmm3, %xmm4
	psrld	$1, %xmm4
	pslld	$31, %xmm3
	psrad	$31, %xmm3
	movdqa	%xmm3, %xmm5
	pandn	%xmm4, %xmm5
	pxor	%xmm1, %xmm4
	pand	%xmm3, %xmm4
	por	%xmm5, %xmm4
	movdqa	%xmm4, (%rax,%rcx)
	paddd	%xmm2, %xmm0
	addq	$16, %rax
	cmpq	$1024, %rax                     # imm = 0x400
	jne	.LBB0_1
# %bb.2:
	retq
.Lfunc_end0:
	.size	fill, .Lfunc_end0-fill
	.cfi_endproc
                                        # -- End function
	.globl	crc32                           # -- Begin function crc32
	.p2align	4, 0x90
	.type	crc32,@function
crc32:                                  # @crc32
	.cfi_startproc
# %bb.0:
	testq	%rsi, %rsi
	je	.LBB1_1
# %bb.2:
	cmpq	$1, %rsi
	jne	.LBB1_8
# %bb.3:
	movl	$-1, %eax
	xorl	%ecx, %ecx
	jmp	.LBB1_4
.LBB1_1:
	xorl	%eax, %eax
	retq
.LBB1_8:
	movq	%rsi, %r9
	andq	$-2, %r9
	movl	$-1, %eax
	xorl	%ecx, %ecx
	leaq	table(%rip), %r8
	.p2align	4, 0x90
.LBB1_9:                                # =>This Inner Loop Header: Depth=1
	movzbl	(%rdi,%rcx), %r10d
	movzbl	%al, %edx
	xorl	%r10d, %edx
	shrl	$8, %eax
	xorl	(%r8,%rdx,4), %eax
	movzbl	1(%rdi,%rcx), %r10d
	movzbl	%al, %edx
	xorl	%r10d, %edx
	shrl	$8, %eax
	xorl	(%r8,%rdx,4), %eax
	addq	$2, %rcx
	cmpq	%rcx, %r9
	jne	.LBB1_9
.LBB1_4:
	testb	$1, %sil
	je	.LBB1_6
# %bb.5:
	movzbl	(%rdi,%rcx), %ecx
	movzbl	%al, %edx
	xorl	%ecx, %edx
	leaq	table(%rip), %rcx
	shrl	$8, %eax
	xorl	(%rcx,%rdx,4), %eax
.LBB1_6:
	notl	%eax
	retq
.Lfunc_end1:
	.size	crc32, .Lfunc_end1-crc32
	.cfi_endproc
                                        # -- End function
	.globl	next                            # -- Begin function next
	.p2align	4, 0x90
	.type	next,@function
next:                                   # @next
	.cfi_startproc
# %bb.0:
	movl	shared+12(%rip), %eax
	addl	$5, %eax
	movl	%eax, shared+12(%rip)
	retq
.Lfunc_end2:
	.size	next, .Lfunc_end2-next
	.cfi_endproc
                                        # -- End function
	.type	table,@object                   # @table
	.local	table
	.comm	table,1024,16
	.type	shared,@object                  # @shared
	.bss
	.globl	shared
	.p2align	4
shared:
	.zero	256
	.size	shared, 256

	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.addrsig
