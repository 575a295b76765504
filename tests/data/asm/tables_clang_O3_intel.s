	.text
	.intel_syntax noprefix
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
	movdqa	xmm0, xmmword ptr [rip + .LCPI0_0] # xmm0 = [0,1,2,3]
	mov	rax, -1024
	movdqa	xmm1, xmmword ptr [rip + .LCPI0_1] # xmm1 = [3988292384,3988292384,3988292384,3988292384]
	movdqa	xmm2, xmmword ptr [rip + .LCPI0_2] # xmm2 = [4,4,4,4]
	.p2align	4, 0x90
.LBB0_1:                                # =>This Inner Loop Header: Depth=1
	movdqa	xmm3, xmm0
	psrld	xmm3, 1
	movdqa	xmm4, xmm0
	pslld	xmm4, 31
	psrad	xmm4, 31
	movdqa	xmm5, xmm4
	pandn	xmm5, xmm3
	pxor	xmm3, xmm1
	pand	xmm3, xmm4
	por	xmm3, xmm5
	movdqa	xmm4, xmm3
	psrld	xmm4, 1
	pslld	xmm3, 31
	psrad	xmm3, 31
	movdqa	xmm5, xmm3
	pandn	xmm5, xmm4
	pxor	xmm4, xmm1
	pand	xmm4, xmm3
	por	xmm4, xmm5
	movdqa	xmm3, xmm4
	psrld	xmm3, 1
	pslld	xmm4, 31
	psrad	xmm4, 31
	movdqa	xmm5, xmm4
	pandn	xmm5, xmm3
	pxor	xmm3, xmm1
	pand	xmm3, xmm4
	por	xmm3, xmm5
	movdqa	xmm4, xmm3
	psrld	xmm4, 1
	pslld	xmm3, 31
	psrad	xmm3, 31
	movdqa	xmm5, xmm3
	pandn	xmm5, xmm4
	pxor	xmm4, xmm1
	pand	xmm4, xmm3
	por	xmm4, xmm5
	movdqa	xmm3, xmm4
	psrld	xmm3, 1
	pslld	xmm4, 31
	psrad	xmm4, 31
	movdqa	xmm5, xmm4
	pandn	xmm5, xmm3
	pxor	xmm3, xmm1
	pand	xmm3, xmm4
	por	xmm3, xmm5
	movdqa	xmm4, xmm3
	psrld	xmm4, 1
	pslld	xmm3, 31
	psrad	xmm3, 31
	movdqa	xmm5, xmm3
	pandn	xmm5, xmm4
	pxor	xmm4, xmm1
	pand	xmm4, xmm3
	por	xmm4, xmm5
	movdqa	xmm3, xmm4
	psrld	xmm3, 1
	pslld	xmm4, 31
	psrad	xmm4, 31
	movdqa	xmm5, xmm4
	pandn	xmm5, xmm3
	pxor	xmm3, xmm1
	pand	xmm3, xmm4
	por	xmm3, xmm5
	movdqa	xmm4, xmm3
	psrld	xmm4, 1
	pslld	xmm3, 31
	psrad	xmm3, 31
	movdqa	xmm5, xmm3
	pandn	xmm5, xmm4
	pxor	xmm4, xmm1
	pand	xmm4, xmm3
	por	xmm4, xmm5
	movdqa	xmmword ptr [rax + table+1024], xmm4
	paddd	xmm0, xmm2
	add	rax, 16
	jne	.LBB0_1
# %bb.2:
	ret
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
	test	rsi, rsi
	je	.LBB1_1
# %bb.2:
	cmp	rsi, 1
	jne	.LBB1_8
# %bb.3:
	mov	eax, -1
	xor	ecx, ecx
	jmp	.LBB1_4
.LBB1_1:
	xor	eax, eax
	ret
.LBB1_8:
	mov	r8, rsi
	and	r8, -2
	mov	eax, -1
	xor	ecx, ecx
	.p2align	4, 0x90
.LBB1_9:                                # =>This Inner Loop Header: Depth=1
	movzx	r9d, byte ptr [rdi + rcx]
	movzx	edx, al
	xor	edx, r9d
	shr	eax, 8
	xor	eax, dword ptr [4*rdx + table]
	movzx	r9d, byte ptr [rdi + rcx + 1]
	movzx	edx, al
	xor	edx, r9d
	shr	eax, 8
	xor	eax, dword ptr [4*rdx + table]
	add	rcx, 2
	cmp	r8, rcx
	jne	.LBB1_9
.LBB1_4:
	test	sil, 1
	je	.LBB1_6
# %bb.5:
	movzx	ecx, byte ptr [rdi + rcx]
	movzx	edx, al
	xor	edx, ecx
	shr	eax, 8
	xor	eax, dword ptr [4*rdx + table]
.LBB1_6:
	not	eax
	ret
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
	mov	eax, dword ptr [rip + shared+12]
	add	eax, 5
	mov	dword ptr [rip + shared+12], eax
	ret
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
