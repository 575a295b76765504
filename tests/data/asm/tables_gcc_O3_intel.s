	.file	"tables.c"
	.intel_syntax noprefix
	.text
	.p2align 4
	.globl	fill
	.type	fill, @function
fill:
.LFB0:
	.cfi_startproc
	lea	rax, table[rip]
	movdqa	xmm4, XMMWORD PTR .LC0[rip]
	movdqa	xmm5, XMMWORD PTR .LC1[rip]
	pxor	xmm1, xmm1
	movdqa	xmm3, XMMWORD PTR .LC2[rip]
	movdqa	xmm2, XMMWORD PTR .LC3[rip]
	lea	rdx, 1024[rax]
	.p2align 4,,10
	.p2align 3
.L2:
	movdqa	xmm0, xmm4
	add	rax, 16
	paddd	xmm4, xmm5
	movdqa	xmm6, xmm0
	pand	xmm0, xmm3
	pcmpeqd	xmm0, xmm1
	psrld	xmm6, 1
	movdqa	xmm7, xmm6
	pxor	xmm7, xmm2
	pand	xmm6, xmm0
	pandn	xmm0, xmm7
	por	xmm0, xmm6
	movdqa	xmm6, xmm0
	pand	xmm0, xmm3
	pcmpeqd	xmm0, xmm1
	psrld	xmm6, 1
	movdqa	xmm7, xmm6
	pxor	xmm7, xmm2
	pand	xmm6, xmm0
	pandn	xmm0, xmm7
	por	xmm0, xmm6
	movdqa	xmm6, xmm0
	pand	xmm0, xmm3
	pcmpeqd	xmm0, xmm1
	psrld	xmm6, 1
	movdqa	xmm7, xmm6
	pxor	xmm7, xmm2
	pand	xmm6, xmm0
	pandn	xmm0, xmm7
	por	xmm0, xmm6
	movdqa	xmm6, xmm0
	pand	xmm0, xmm3
	pcmpeqd	xmm0, xmm1
	psrld	xmm6, 1
	movdqa	xmm7, xmm6
	pxor	xmm7, xmm2
	pand	xmm6, xmm0
	pandn	xmm0, xmm7
	por	xmm0, xmm6
	movdqa	xmm6, xmm0
	pand	xmm0, xmm3
	pcmpeqd	xmm0, xmm1
	psrld	xmm6, 1
	movdqa	xmm7, xmm6
	pxor	xmm7, xmm2
	pand	xmm6, xmm0
	pandn	xmm0, xmm7
	por	xmm0, xmm6
	movdqa	xmm6, xmm0
	pand	xmm0, xmm3
	pcmpeqd	xmm0, xmm1
	psrld	xmm6, 1
	movdqa	xmm7, xmm6
	pxor	xmm7, xmm2
	pand	xmm6, xmm0
	pandn	xmm0, xmm7
	por	xmm0, xmm6
	movdqa	xmm6, xmm0
	pand	xmm0, xmm3
	pcmpeqd	xmm0, xmm1
	psrld	xmm6, 1
	movdqa	xmm7, xmm6
	pxor	xmm7, xmm2
	pand	xmm6, xmm0
	pandn	xmm0, xmm7
	por	xmm0, xmm6
	movdqa	xmm6, xmm0
	pand	xmm0, xmm3
	pcmpeqd	xmm0, xmm1
	psrld	xmm6, 1
	movdqa	xmm7, xmm6
	pxor	xmm7, xmm2
	pand	xmm6, xmm0
	pandn	xmm0, xmm7
	por	xmm0, xmm6
	movaps	XMMWORD PTR -16[rax], xmm0
	cmp	rdx, rax
	jne	.L2
	ret
	.cfi_endproc
.LFE0:
	.size	fill, .-fill
	.p2align 4
	.globl	crc32
	.type	crc32, @function
crc32:
.LFB1:
	.cfi_startproc
	test	rsi, rsi
	je	.L8
	add	rsi, rdi
	mov	eax, -1
	lea	rcx, table[rip]
	.p2align 4,,10
	.p2align 3
.L7:
	movzx	edx, BYTE PTR [rdi]
	add	rdi, 1
	xor	edx, eax
	shr	eax, 8
	movzx	edx, dl
	xor	eax, DWORD PTR [rcx+rdx*4]
	cmp	rsi, rdi
	jne	.L7
	not	eax
	ret
	.p2align 4,,10
	.p2align 3
.L8:
	xor	eax, eax
	ret
	.cfi_endproc
.LFE1:
	.size	crc32, .-crc32
	.p2align 4
	.globl	next
	.type	next, @function
next:
.LFB2:
	.cfi_startproc
	mov	eax, DWORD PTR shared[rip+12]
	add	eax, 5
	mov	DWORD PTR shared[rip+12], eax
	ret
	.cfi_endproc
.LFE2:
	.size	next, .-next
	.globl	shared
	.bss
	.align 32
	.type	shared, @object
	.size	shared, 256
shared:
	.zero	256
	.local	table
	.comm	table,1024,32
	.section	.rodata.cst16,"aM",@progbits,16
	.align 16
.LC0:
	.long	0
	.long	1
	.long	2
	.long	3
	.align 16
.LC1:
	.long	4
	.long	4
	.long	4
	.long	4
	.align 16
.LC2:
	.long	1
	.long	1
	.long	1
	.long	1
	.align 16
.LC3:
	.long	-306674912
	.long	-306674912
	.long	-306674912
	.long	-306674912
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
