	.file	"matrix.c"
	.text
	.p2align 4
	.globl	multiply
	.type	multiply, @function
multiply:
.LFB0:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-32, %rsp
	.cfi_offset 15, -24
	.cfi_offset 14, -32
	.cfi_offset 13, -40
	.cfi_offset 12, -48
	.cfi_offset 3, -56
	movq	%rsi, -56(%rsp)
	testl	%edi, %edi
	jle	.L36
	movq	%rsi, %rbx
	movl	%edi, %r14d
	movslq	%edi, %rax
	movq	%rdx, %rsi
	movq	%rbx, -16(%rsp)
	leal	(%rdi,%rdi), %ebx
	andl	$-8, %r14d
	movl	%edi, %edx
	movl	%ebx, -64(%rsp)
	movslq	%ebx, %rbx
	shrl	$3, %edx
	movq	%rcx, %r13
	movq	%rbx, -80(%rsp)
	leal	-1(%rdi), %ebx
	salq	$5, %rdx
	xorl	%r15d, %r15d
	movl	%ebx, -20(%rsp)
	leaq	0(,%rax,4), %r11
	xorl	%r9d, %r9d
	movq	$0, -8(%rsp)
	movq	%r11, %r8
	movl	%r14d, -48(%rsp)
	movq	%rax, -32(%rsp)
	movq	%rcx, %rax
.L3:
	xorl	%ebx, %ebx
	cmpl	$2, %edi
	jle	.L18
	movq	-16(%rsp), %r12
	xorl	%r11d, %r11d
	cmpl	$6, -20(%rsp)
	movl	%edi, %ebx
	movl	$0, -44(%rsp)
	movl	$1, -24(%rsp)
	vmovss	(%r12), %xmm3
	movl	%r9d, -60(%rsp)
	movq	%r8, -72(%rsp)
	movq	%rax, -40(%rsp)
	jbe	.L39
.L33:
	movslq	%ebx, %rcx
	vbroadcastss	4(%r12), %ymm1
	movq	-40(%rsp), %rax
	leaq	(%rsi,%r11,4), %r9
	leaq	(%rsi,%rcx,4), %r8
	vbroadcastss	%xmm3, %ymm2
	xorl	%ecx, %ecx
	.p2align 4,,10
	.p2align 3
.L4:
	vmovups	(%r9,%rcx), %ymm0
	vfmadd213ps	(%rax,%rcx), %ymm2, %ymm0
	vfmadd231ps	(%r8,%rcx), %ymm1, %ymm0
	vmovups	%ymm0, (%rax,%rcx)
	addq	$32, %rcx
	cmpq	%rdx, %rcx
	jne	.L4
	movl	-48(%rsp), %r8d
	movq	%rax, -40(%rsp)
	movl	%r8d, %ecx
	cmpl	%edi, %ecx
	je	.L5
.L16:
	movl	%edi, %r10d
	subl	%ecx, %r10d
	leal	-1(%r10), %r9d
	cmpl	$2, %r9d
	jbe	.L6
	movq	-8(%rsp), %r14
	vshufps	$0, %xmm3, %xmm3, %xmm1
	movq	-56(%rsp), %rax
	leaq	(%r14,%rcx), %r9
	leaq	0(%r13,%r9,4), %r14
	movslq	%ebx, %r9
	addq	%rcx, %r9
	addq	%r11, %rcx
	vmovups	(%r14), %xmm6
	vfmadd132ps	(%rsi,%rcx,4), %xmm6, %xmm1
	movl	-24(%rsp), %ecx
	addl	%r15d, %ecx
	movslq	%ecx, %rcx
	vbroadcastss	(%rax,%rcx,4), %xmm0
	vfmadd132ps	(%rsi,%r9,4), %xmm1, %xmm0
	movl	%r10d, %ecx
	andl	$-4, %ecx
	addl	%ecx, %r8d
	andl	$3, %r10d
	vmovups	%xmm0, (%r14)
	je	.L5
.L6:
	movl	-44(%rsp), %eax
	leal	(%r15,%r8), %ecx
	leal	(%rbx,%r8), %r9d
	vmovss	4(%r12), %xmm0
	movslq	%ecx, %rcx
	movslq	%r9d, %r9
	leaq	0(%r13,%rcx,4), %r10
	leal	(%rax,%r8), %ecx
	movslq	%ecx, %rcx
	vmovss	(%rsi,%rcx,4), %xmm1
	vfmadd213ss	(%r10), %xmm3, %xmm1
	leal	1(%r8), %ecx
	vfmadd231ss	(%rsi,%r9,4), %xmm0, %xmm1
	vmovss	%xmm1, (%r10)
	cmpl	%ecx, %edi
	jle	.L5
	leal	(%r15,%rcx), %r9d
	addl	$2, %r8d
	movslq	%r9d, %r9
	leaq	0(%r13,%r9,4), %r10
	leal	(%rax,%rcx), %r9d
	addl	%ebx, %ecx
	movslq	%r9d, %r9
	movslq	%ecx, %rcx
	vmovss	(%rsi,%r9,4), %xmm1
	vfmadd213ss	(%r10), %xmm3, %xmm1
	vfmadd231ss	(%rsi,%rcx,4), %xmm0, %xmm1
	vmovss	%xmm1, (%r10)
	cmpl	%r8d, %edi
	jle	.L5
	leal	(%r15,%r8), %ecx
	movslq	%ecx, %rcx
	leaq	0(%r13,%rcx,4), %r9
	leal	(%rax,%r8), %ecx
	addl	%ebx, %r8d
	movslq	%ecx, %rcx
	vmovss	(%r9), %xmm7
	vfmadd132ss	(%rsi,%rcx,4), %xmm7, %xmm3
	movslq	%r8d, %rcx
	vfmadd132ss	(%rsi,%rcx,4), %xmm3, %xmm0
	vmovss	%xmm0, (%r9)
.L5:
	movl	-24(%rsp), %eax
	addq	$8, %r12
	leal	2(%rax), %ecx
	movl	-64(%rsp), %eax
	addl	%eax, -44(%rsp)
	addl	%eax, %ebx
	movq	-80(%rsp), %rax
	addq	%rax, %r11
	movl	-20(%rsp), %eax
	cmpl	%eax, %ecx
	jge	.L40
	cmpl	$6, -20(%rsp)
	vmovss	(%r12), %xmm3
	movl	%ecx, -24(%rsp)
	ja	.L33
.L39:
	xorl	%ecx, %ecx
	xorl	%r8d, %r8d
	jmp	.L16
.L40:
	movl	-24(%rsp), %ebx
	movl	-60(%rsp), %r9d
	movq	-72(%rsp), %r8
	movq	-40(%rsp), %rax
	addl	$1, %ebx
.L18:
	movslq	%ebx, %r12
	imull	%edi, %ebx
	movl	%r9d, -24(%rsp)
	movl	-48(%rsp), %r14d
	movq	%r8, -40(%rsp)
	movslq	%ebx, %r11
	.p2align 4,,10
	.p2align 3
.L14:
	movq	-16(%rsp), %rcx
	cmpl	$6, -20(%rsp)
	vmovss	(%rcx,%r12,4), %xmm1
	jbe	.L20
	leaq	(%rsi,%r11,4), %r8
	vbroadcastss	%xmm1, %ymm2
	xorl	%ecx, %ecx
	.p2align 4,,10
	.p2align 3
.L10:
	vmovups	(%r8,%rcx), %ymm0
	vfmadd213ps	(%rax,%rcx), %ymm2, %ymm0
	vmovups	%ymm0, (%rax,%rcx)
	addq	$32, %rcx
	cmpq	%rcx, %rdx
	jne	.L10
	cmpl	%edi, %r14d
	je	.L11
	movl	%r14d, %ecx
	movl	%r14d, %r8d
.L9:
	movl	%edi, %r9d
	subl	%ecx, %r9d
	leal	-1(%r9), %r10d
	cmpl	$2, %r10d
	jbe	.L12
	movq	-8(%rsp), %r10
	vshufps	$0, %xmm1, %xmm1, %xmm0
	addq	%rcx, %r10
	addq	%r11, %rcx
	leaq	0(%r13,%r10,4), %r10
	vmovups	(%r10), %xmm4
	vfmadd132ps	(%rsi,%rcx,4), %xmm4, %xmm0
	movl	%r9d, %ecx
	andl	$-4, %ecx
	addl	%ecx, %r8d
	andl	$3, %r9d
	vmovups	%xmm0, (%r10)
	je	.L11
.L12:
	leal	(%r15,%r8), %ecx
	movslq	%ecx, %rcx
	leaq	0(%r13,%rcx,4), %r9
	leal	(%rbx,%r8), %ecx
	movslq	%ecx, %rcx
	vmovss	(%rsi,%rcx,4), %xmm0
	vfmadd213ss	(%r9), %xmm1, %xmm0
	leal	1(%r8), %ecx
	vmovss	%xmm0, (%r9)
	cmpl	%ecx, %edi
	jle	.L11
	leal	(%r15,%rcx), %r9d
	addl	%ebx, %ecx
	addl	$2, %r8d
	movslq	%r9d, %r9
	movslq	%ecx, %rcx
	leaq	0(%r13,%r9,4), %r9
	vmovss	(%rsi,%rcx,4), %xmm0
	vfmadd213ss	(%r9), %xmm1, %xmm0
	vmovss	%xmm0, (%r9)
	cmpl	%r8d, %edi
	jle	.L11
	leal	(%r15,%r8), %ecx
	addl	%ebx, %r8d
	movslq	%ecx, %rcx
	movslq	%r8d, %r8
	leaq	0(%r13,%rcx,4), %rcx
	vmovss	(%rcx), %xmm5
	vfmadd132ss	(%rsi,%r8,4), %xmm5, %xmm1
	vmovss	%xmm1, (%rcx)
.L11:
	movq	-32(%rsp), %rcx
	addq	$1, %r12
	addl	%edi, %ebx
	addq	%rcx, %r11
	cmpl	%r12d, %edi
	jg	.L14
	movl	-24(%rsp), %r9d
	movq	-40(%rsp), %r8
	addl	%edi, %r15d
	addq	%r8, -16(%rsp)
	addl	$1, %r9d
	addq	%rcx, -8(%rsp)
	addq	%r8, %rax
	cmpl	%r9d, %edi
	jne	.L3
	vzeroupper
.L36:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	.cfi_remember_state
	.cfi_def_cfa 7, 8
	ret
	.p2align 4,,10
	.p2align 3
.L20:
	.cfi_restore_state
	xorl	%ecx, %ecx
	xorl	%r8d, %r8d
	jmp	.L9
	.cfi_endproc
.LFE0:
	.size	multiply, .-multiply
	.p2align 4
	.globl	blur
	.type	blur, @function
blur:
.LFB1:
	.cfi_startproc
	movq	%rsi, %rcx
	cmpl	$2, %edi
	jle	.L60
	leal	-3(%rdi), %eax
	leal	-2(%rdi), %r9d
	cmpl	$6, %eax
	jbe	.L51
	vbroadcastss	.LC1(%rip), %ymm1
	movl	%r9d, %esi
	xorl	%eax, %eax
	shrl	$3, %esi
	salq	$5, %rsi
	.p2align 4,,10
	.p2align 3
.L44:
	vmovups	(%rcx,%rax), %ymm6
	vaddps	4(%rcx,%rax), %ymm6, %ymm0
	vaddps	8(%rcx,%rax), %ymm0, %ymm0
	vdivps	%ymm1, %ymm0, %ymm0
	vmovups	%ymm0, 4(%rdx,%rax)
	addq	$32, %rax
	cmpq	%rsi, %rax
	jne	.L44
	movl	%r9d, %esi
	andl	$-8, %esi
	leal	1(%rsi), %eax
	testb	$7, %r9b
	je	.L61
	vzeroupper
.L43:
	movl	%edi, %r8d
	subl	%esi, %r8d
	leal	-2(%r8), %r10d
	subl	$3, %r8d
	cmpl	$2, %r8d
	jbe	.L46
	leaq	0(,%rsi,4), %r8
	vmovups	(%rcx,%rsi,4), %xmm7
	vbroadcastss	.LC1(%rip), %xmm1
	movl	%r10d, %esi
	vaddps	4(%rcx,%r8), %xmm7, %xmm0
	vaddps	8(%rcx,%r8), %xmm0, %xmm0
	andl	$-4, %esi
	addl	%esi, %eax
	andl	$3, %r10d
	vdivps	%xmm1, %xmm0, %xmm0
	vmovups	%xmm0, 4(%rdx,%r8)
	je	.L60
.L46:
	movslq	%eax, %r8
	leal	1(%rax), %r10d
	leaq	0(,%r8,4), %rsi
	leaq	(%rcx,%rsi), %r11
	cmpl	%r9d, %r10d
	jge	.L48
	vmovq	(%r11), %xmm0
	vmovq	-4(%r11), %xmm2
	vmovq	4(%rcx,%rsi), %xmm4
	vmovaps	.LC5(%rip), %xmm3
	vaddps	%xmm2, %xmm0, %xmm0
	vmovss	8(%rcx,%rsi), %xmm1
	vaddps	%xmm4, %xmm0, %xmm0
	vdivps	%xmm3, %xmm0, %xmm0
	vmovlps	%xmm0, (%rdx,%r8,4)
	leal	3(%rax), %r8d
	cmpl	%r8d, %r9d
	jg	.L49
	addl	$2, %eax
	movslq	%eax, %r8
	leal	1(%rax), %r10d
.L48:
	leaq	0(,%r8,4), %rsi
	vmovss	(%rcx,%r8,4), %xmm0
	vmovss	.LC1(%rip), %xmm2
	subl	$1, %edi
	vaddss	-4(%rcx,%rsi), %xmm0, %xmm1
	vmovss	4(%rcx,%rsi), %xmm3
	vaddss	%xmm3, %xmm1, %xmm1
	vdivss	%xmm2, %xmm1, %xmm1
	vmovss	%xmm1, (%rdx,%r8,4)
	cmpl	%r10d, %edi
	jle	.L60
	vaddss	%xmm3, %xmm0, %xmm0
	vmovss	8(%rcx,%rsi), %xmm1
	addl	$2, %eax
	vaddss	%xmm1, %xmm0, %xmm0
	vdivss	%xmm2, %xmm0, %xmm0
	vmovss	%xmm0, 4(%rdx,%rsi)
	cmpl	%eax, %edi
	jle	.L60
	vaddss	%xmm3, %xmm1, %xmm1
	vaddss	12(%rcx,%rsi), %xmm1, %xmm1
	vdivss	%xmm2, %xmm1, %xmm1
	vmovss	%xmm1, 8(%rdx,%rsi)
.L60:
	ret
	.p2align 4,,10
	.p2align 3
.L49:
	leaq	12(%rcx,%rsi), %r8
	vmovss	16(%rcx,%rsi), %xmm2
	vinsertps	$0x10, (%r8), %xmm1, %xmm0
	vmovq	(%r8), %xmm5
	leal	5(%rax), %r8d
	vaddps	%xmm4, %xmm0, %xmm0
	vaddps	%xmm5, %xmm0, %xmm0
	vdivps	%xmm3, %xmm0, %xmm0
	vmovlps	%xmm0, 8(%rdx,%rsi)
	cmpl	%r8d, %r9d
	jle	.L62
	vinsertps	$0x10, 20(%rcx,%rsi), %xmm2, %xmm0
	vmovq	20(%rcx,%rsi), %xmm1
	addl	$6, %eax
	movslq	%eax, %r8
	leal	1(%rax), %r10d
	vaddps	%xmm5, %xmm0, %xmm0
	vaddps	%xmm1, %xmm0, %xmm0
	vdivps	%xmm3, %xmm0, %xmm0
	vmovlps	%xmm0, 16(%rdx,%rsi)
	jmp	.L48
	.p2align 4,,10
	.p2align 3
.L62:
	addl	$4, %eax
	movslq	%eax, %r8
	leal	1(%rax), %r10d
	jmp	.L48
	.p2align 4,,10
	.p2align 3
.L61:
	vzeroupper
	ret
.L51:
	xorl	%esi, %esi
	movl	$1, %eax
	jmp	.L43
	.cfi_endproc
.LFE1:
	.size	blur, .-blur
	.set	.LC1,.LC5
	.section	.rodata.cst16,"aM",@progbits,16
	.align 16
.LC5:
	.long	1077936128
	.long	1077936128
	.long	1065353216
	.long	1065353216
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
