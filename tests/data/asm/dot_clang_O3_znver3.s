	.text
	.file	"dot.c"
	.globl	dot                             # -- Begin function dot
	.p2align	4, 0x90
	.type	dot,@function
dot:                                    # @dot
	.cfi_startproc
# %bb.0:
	testq	%rdx, %rdx
	je	.LBB0_1
# %bb.2:
	cmpq	$16, %rdx
	jae	.LBB0_4
# %bb.3:
	vxorpd	%xmm0, %xmm0, %xmm0
	xorl	%r10d, %r10d
	jmp	.LBB0_12
.LBB0_1:
	vxorps	%xmm0, %xmm0, %xmm0
	retq
.LBB0_4:
	movq	%rdx, %r10
	andq	$-16, %r10
	leaq	-16(%r10), %rax
	movq	%rax, %r9
	shrq	$4, %r9
	incq	%r9
	movl	%r9d, %r8d
	andl	$7, %r8d
	cmpq	$112, %rax
	jae	.LBB0_6
# %bb.5:
	vxorpd	%xmm0, %xmm0, %xmm0
	xorl	%ecx, %ecx
	vxorpd	%xmm1, %xmm1, %xmm1
	vxorpd	%xmm2, %xmm2, %xmm2
	vxorpd	%xmm3, %xmm3, %xmm3
	jmp	.LBB0_8
.LBB0_6:
	andq	$-8, %r9
	leaq	992(%rdi), %r11
	leaq	992(%rsi), %rax
	vxorpd	%xmm0, %xmm0, %xmm0
	xorl	%ecx, %ecx
	vxorpd	%xmm1, %xmm1, %xmm1
	vxorpd	%xmm2, %xmm2, %xmm2
	vxorpd	%xmm3, %xmm3, %xmm3
	.p2align	4, 0x90
.LBB0_7:                                # =>This Inner Loop Header: Depth=1
	vmovupd	-992(%rax,%rcx,8), %ymm4
	vmovupd	-960(%rax,%rcx,8), %ymm5
	vmovupd	-928(%rax,%rcx,8), %ymm6
	vmovupd	-896(%rax,%rcx,8), %ymm7
	vfmadd132pd	-992(%r11,%rcx,8), %ymm0, %ymm4 # ymm4 = (ymm4 * mem) + ymm0
	vfmadd132pd	-960(%r11,%rcx,8), %ymm1, %ymm5 # ymm5 = (ymm5 * mem) + ymm1
	vfmadd132pd	-928(%r11,%rcx,8), %ymm2, %ymm6 # ymm6 = (ymm6 * mem) + ymm2
	vfmadd132pd	-896(%r11,%rcx,8), %ymm3, %ymm7 # ymm7 = (ymm7 * mem) + ymm3
	vmovupd	-864(%rax,%rcx,8), %ymm0
	vmovupd	-832(%rax,%rcx,8), %ymm1
	vmovupd	-800(%rax,%rcx,8), %ymm2
	vmovupd	-768(%rax,%rcx,8), %ymm3
	vfmadd132pd	-864(%r11,%rcx,8), %ymm4, %ymm0 # ymm0 = (ymm0 * mem) + ymm4
	vfmadd132pd	-832(%r11,%rcx,8), %ymm5, %ymm1 # ymm1 = (ymm1 * mem) + ymm5
	vfmadd132pd	-800(%r11,%rcx,8), %ymm6, %ymm2 # ymm2 = (ymm2 * mem) + ymm6
	vfmadd132pd	-768(%r11,%rcx,8), %ymm7, %ymm3 # ymm3 = (ymm3 * mem) + ymm7
	vmovupd	-736(%rax,%rcx,8), %ymm4
	vmovupd	-704(%rax,%rcx,8), %ymm5
	vmovupd	-672(%rax,%rcx,8), %ymm6
	vmovupd	-640(%rax,%rcx,8), %ymm7
	vfmadd132pd	-736(%r11,%rcx,8), %ymm0, %ymm4 # ymm4 = (ymm4 * mem) + ymm0
	vfmadd132pd	-704(%r11,%rcx,8), %ymm1, %ymm5 # ymm5 = (ymm5 * mem) + ymm1
	vfmadd132pd	-672(%r11,%rcx,8), %ymm2, %ymm6 # ymm6 = (ymm6 * mem) + ymm2
	vfmadd132pd	-640(%r11,%rcx,8), %ymm3, %ymm7 # ymm7 = (ymm7 * mem) + ymm3
	vmovupd	-608(%rax,%rcx,8), %ymm0
	vmovupd	-576(%rax,%rcx,8), %ymm1
	vmovupd	-544(%rax,%rcx,8), %ymm2
	vmovupd	-512(%rax,%rcx,8), %ymm3
	vfmadd132pd	-608(%r11,%rcx,8), %ymm4, %ymm0 # ymm0 = (ymm0 * mem) + ymm4
	vfmadd132pd	-576(%r11,%rcx,8), %ymm5, %ymm1 # ymm1 = (ymm1 * mem) + ymm5
	vfmadd132pd	-544(%r11,%rcx,8), %ymm6, %ymm2 # ymm2 = (ymm2 * mem) + ymm6
	vfmadd132pd	-512(%r11,%rcx,8), %ymm7, %ymm3 # ymm3 = (ymm3 * mem) + ymm7
	vmovupd	-480(%rax,%rcx,8), %ymm4
	vmovupd	-448(%rax,%rcx,8), %ymm5
	vmovupd	-416(%rax,%rcx,8), %ymm6
	vmovupd	-384(%rax,%rcx,8), %ymm7
	vfmadd132pd	-480(%r11,%rcx,8), %ymm0, %ymm4 # ymm4 = (ymm4 * mem) + ymm0
	vfmadd132pd	-448(%r11,%rcx,8), %ymm1, %ymm5 # ymm5 = (ymm5 * mem) + ymm1
	vfmadd132pd	-416(%r11,%rcx,8), %ymm2, %ymm6 # ymm6 = (ymm6 * mem) + ymm2
	vfmadd132pd	-384(%r11,%rcx,8), %ymm3, %ymm7 # ymm7 = (ymm7 * mem) + ymm3
	vmovupd	-352(%rax,%rcx,8), %ymm0
	vmovupd	-320(%rax,%rcx,8), %ymm1
	vmovupd	-288(%rax,%rcx,8), %ymm2
	vmovupd	-256(%rax,%rcx,8), %ymm3
	vfmadd132pd	-352(%r11,%rcx,8), %ymm4, %ymm0 # ymm0 = (ymm0 * mem) + ymm4
	vfmadd132pd	-320(%r11,%rcx,8), %ymm5, %ymm1 # ymm1 = (ymm1 * mem) + ymm5
	vfmadd132pd	-288(%r11,%rcx,8), %ymm6, %ymm2 # ymm2 = (ymm2 * mem) + ymm6
	vfmadd132pd	-256(%r11,%rcx,8), %ymm7, %ymm3 # ymm3 = (ymm3 * mem) + ymm7
	vmovupd	-224(%rax,%rcx,8), %ymm4
	vmovupd	-192(%rax,%rcx,8), %ymm5
	vmovupd	-160(%rax,%rcx,8), %ymm6
	vmovupd	-128(%rax,%rcx,8), %ymm7
	vfmadd132pd	-224(%r11,%rcx,8), %ymm0, %ymm4 # ymm4 = (ymm4 * mem) + ymm0
	vfmadd132pd	-192(%r11,%rcx,8), %ymm1, %ymm5 # ymm5 = (ymm5 * mem) + ymm1
	vfmadd132pd	-160(%r11,%rcx,8), %ymm2, %ymm6 # ymm6 = (ymm6 * mem) + ymm2
	vfmadd132pd	-128(%r11,%rcx,8), %ymm3, %ymm7 # ymm7 = (ymm7 * mem) + ymm3
	vmovupd	-96(%rax,%rcx,8), %ymm0
	vmovupd	-64(%rax,%rcx,8), %ymm1
	vmovupd	-32(%rax,%rcx,8), %ymm2
	vmovupd	(%rax,%rcx,8), %ymm3
	vfmadd132pd	-96(%r11,%rcx,8), %ymm4, %ymm0 # ymm0 = (ymm0 * mem) + ymm4
	vfmadd132pd	-64(%r11,%rcx,8), %ymm5, %ymm1 # ymm1 = (ymm1 * mem) + ymm5
	vfmadd132pd	-32(%r11,%rcx,8), %ymm6, %ymm2 # ymm2 = (ymm2 * mem) + ymm6
	vfmadd132pd	(%r11,%rcx,8), %ymm7, %ymm3 # ymm3 = (ymm3 * mem) + ymm7
	subq	$-128, %rcx
	addq	$-8, %r9
	jne	.LBB0_7
.LBB0_8:
	testq	%r8, %r8
	je	.LBB0_11
# %bb.9:
	leaq	96(%rsi,%rcx,8), %r9
	leaq	96(%rdi,%rcx,8), %rcx
	shlq	$7, %r8
	xorl	%eax, %eax
	.p2align	4, 0x90
.LBB0_10:                               # =>This Inner Loop Header: Depth=1
	vmovupd	-96(%r9,%rax), %ymm4
	vmovupd	-64(%r9,%rax), %ymm5
	vmovupd	-32(%r9,%rax), %ymm6
	vmovupd	(%r9,%rax), %ymm7
	vfmadd231pd	-96(%rcx,%rax), %ymm4, %ymm0 # ymm0 = (ymm4 * mem) + ymm0
	vfmadd231pd	-64(%rcx,%rax), %ymm5, %ymm1 # ymm1 = (ymm5 * mem) + ymm1
	vfmadd231pd	-32(%rcx,%rax), %ymm6, %ymm2 # ymm2 = (ymm6 * mem) + ymm2
	vfmadd231pd	(%rcx,%rax), %ymm7, %ymm3 # ymm3 = (ymm7 * mem) + ymm3
	subq	$-128, %rax
	cmpq	%rax, %r8
	jne	.LBB0_10
.LBB0_11:
	vaddpd	%ymm3, %ymm1, %ymm1
	vaddpd	%ymm2, %ymm0, %ymm0
	vaddpd	%ymm1, %ymm0, %ymm0
	vextractf128	$1, %ymm0, %xmm1
	vaddpd	%xmm1, %xmm0, %xmm0
	vpermilpd	$1, %xmm0, %xmm1        # xmm1 = xmm0[1,0]
	vaddsd	%xmm1, %xmm0, %xmm0
	cmpq	%rdx, %r10
	je	.LBB0_13
	.p2align	4, 0x90
.LBB0_12:                               # =>This Inner Loop Header: Depth=1
	vmovsd	(%rsi,%r10,8), %xmm1            # xmm1 = mem[0],zero
	vfmadd231sd	(%rdi,%r10,8), %xmm1, %xmm0 # xmm0 = (xmm1 * mem) + xmm0
	incq	%r10
	cmpq	%r10, %rdx
	jne	.LBB0_12
.LBB0_13:
	vzeroupper
	retq
.Lfunc_end0:
	.size	dot, .Lfunc_end0-dot
	.cfi_endproc
                                        # -- End function
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.addrsig
