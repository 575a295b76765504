	.text
	.intel_syntax noprefix
	.file	"matrix.c"
	.globl	multiply                        # -- Begin function multiply
	.p2align	4, 0x90
	.type	multiply,@function
multiply:                               # @multiply
	.cfi_startproc
# %bb.0:
	push	rbp
	.cfi_def_cfa_offset 16
	push	r15
	.cfi_def_cfa_offset 24
	push	r14
	.cfi_def_cfa_offset 32
	push	r13
	.cfi_def_cfa_offset 40
	push	r12
	.cfi_def_cfa_offset 48
	push	rbx
	.cfi_def_cfa_offset 56
	.cfi_offset rbx, -56
	.cfi_offset r12, -48
	.cfi_offset r13, -40
	.cfi_offset r14, -32
	.cfi_offset r15, -24
	.cfi_offset rbp, -16
	mov	qword ptr [rsp - 48], rdx       # 8-byte Spill
	test	edi, edi
	jle	.LBB0_15
# %bb.1:
	mov	r13d, edi
	mov	r8d, r13d
	and	r8d, -8
	lea	rax, [r8 - 8]
	mov	qword ptr [rsp - 8], rax        # 8-byte Spill
	mov	rdx, rax
	shr	rdx, 3
	add	rdx, 1
	mov	rax, rdx
	mov	qword ptr [rsp - 16], rdx       # 8-byte Spill
	and	rdx, -2
	mov	qword ptr [rsp - 24], rdx       # 8-byte Spill
	mov	rax, qword ptr [rsp - 48]       # 8-byte Reload
	add	rax, 48
	mov	qword ptr [rsp - 40], rax       # 8-byte Spill
	lea	r15, [4*r13]
	lea	rbx, [rcx + 48]
	xor	r10d, r10d
	mov	rax, rcx
	jmp	.LBB0_2
	.p2align	4, 0x90
.LBB0_14:                               #   in Loop: Header=BB0_2 Depth=1
	mov	r10, qword ptr [rsp - 32]       # 8-byte Reload
	add	r10, 1
	add	rbx, r15
	add	rax, r15
	cmp	r10, r13
	je	.LBB0_15
.LBB0_2:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_3 Depth 2
                                        #       Child Loop BB0_9 Depth 3
                                        #       Child Loop BB0_5 Depth 3
	mov	qword ptr [rsp - 32], r10       # 8-byte Spill
	imul	r10, r13
	mov	rdx, qword ptr [rsp - 48]       # 8-byte Reload
	mov	r12, qword ptr [rsp - 40]       # 8-byte Reload
	xor	r11d, r11d
	jmp	.LBB0_3
	.p2align	4, 0x90
.LBB0_13:                               #   in Loop: Header=BB0_3 Depth=2
	add	r11, 1
	add	r12, r15
	add	rdx, r15
	cmp	r11, r13
	je	.LBB0_14
.LBB0_3:                                #   Parent Loop BB0_2 Depth=1
                                        # =>  This Loop Header: Depth=2
                                        #       Child Loop BB0_9 Depth 3
                                        #       Child Loop BB0_5 Depth 3
	lea	rbp, [r11 + r10]
	movss	xmm0, dword ptr [rsi + 4*rbp]   # xmm0 = mem[0],zero,zero,zero
	cmp	edi, 8
	jae	.LBB0_6
# %bb.4:                                #   in Loop: Header=BB0_3 Depth=2
	xor	ebp, ebp
	jmp	.LBB0_5
	.p2align	4, 0x90
.LBB0_6:                                #   in Loop: Header=BB0_3 Depth=2
	movaps	xmm1, xmm0
	shufps	xmm1, xmm0, 0                   # xmm1 = xmm1[0,0],xmm0[0,0]
	cmp	qword ptr [rsp - 8], 0          # 8-byte Folded Reload
	je	.LBB0_7
# %bb.8:                                #   in Loop: Header=BB0_3 Depth=2
	mov	r9, qword ptr [rsp - 24]        # 8-byte Reload
	xor	r14d, r14d
	.p2align	4, 0x90
.LBB0_9:                                #   Parent Loop BB0_2 Depth=1
                                        #     Parent Loop BB0_3 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	movups	xmm2, xmmword ptr [r12 + 4*r14 - 48]
	movups	xmm3, xmmword ptr [r12 + 4*r14 - 32]
	mulps	xmm2, xmm1
	movups	xmm4, xmmword ptr [rbx + 4*r14 - 48]
	addps	xmm4, xmm2
	movups	xmm2, xmmword ptr [rbx + 4*r14 - 32]
	movups	xmm5, xmmword ptr [rbx + 4*r14 - 16]
	movups	xmm6, xmmword ptr [rbx + 4*r14]
	mulps	xmm3, xmm1
	addps	xmm3, xmm2
	movups	xmmword ptr [rbx + 4*r14 - 48], xmm4
	movups	xmmword ptr [rbx + 4*r14 - 32], xmm3
	movups	xmm2, xmmword ptr [r12 + 4*r14 - 16]
	movups	xmm3, xmmword ptr [r12 + 4*r14]
	mulps	xmm2, xmm1
	addps	xmm2, xmm5
	mulps	xmm3, xmm1
	addps	xmm3, xmm6
	movups	xmmword ptr [rbx + 4*r14 - 16], xmm2
	movups	xmmword ptr [rbx + 4*r14], xmm3
	add	r14, 16
	add	r9, -2
	jne	.LBB0_9
# %bb.10:                               #   in Loop: Header=BB0_3 Depth=2
	test	byte ptr [rsp - 16], 1          # 1-byte Folded Reload
	je	.LBB0_12
.LBB0_11:                               #   in Loop: Header=BB0_3 Depth=2
	mov	rbp, r11
	imul	rbp, r13
	add	rbp, r14
	mov	r9, qword ptr [rsp - 48]        # 8-byte Reload
	movups	xmm2, xmmword ptr [r9 + 4*rbp]
	movups	xmm3, xmmword ptr [r9 + 4*rbp + 16]
	add	r14, r10
	movups	xmm4, xmmword ptr [rcx + 4*r14]
	movups	xmm5, xmmword ptr [rcx + 4*r14 + 16]
	mulps	xmm2, xmm1
	addps	xmm2, xmm4
	mulps	xmm3, xmm1
	addps	xmm3, xmm5
	movups	xmmword ptr [rcx + 4*r14], xmm2
	movups	xmmword ptr [rcx + 4*r14 + 16], xmm3
.LBB0_12:                               #   in Loop: Header=BB0_3 Depth=2
	mov	rbp, r8
	cmp	r8, r13
	je	.LBB0_13
	.p2align	4, 0x90
.LBB0_5:                                #   Parent Loop BB0_2 Depth=1
                                        #     Parent Loop BB0_3 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	movss	xmm1, dword ptr [rdx + 4*rbp]   # xmm1 = mem[0],zero,zero,zero
	mulss	xmm1, xmm0
	addss	xmm1, dword ptr [rax + 4*rbp]
	movss	dword ptr [rax + 4*rbp], xmm1
	add	rbp, 1
	cmp	r13, rbp
	jne	.LBB0_5
	jmp	.LBB0_13
.LBB0_7:                                #   in Loop: Header=BB0_3 Depth=2
	xor	r14d, r14d
	test	byte ptr [rsp - 16], 1          # 1-byte Folded Reload
	jne	.LBB0_11
	jmp	.LBB0_12
.LBB0_15:
	pop	rbx
	.cfi_def_cfa_offset 48
	pop	r12
	.cfi_def_cfa_offset 40
	pop	r13
	.cfi_def_cfa_offset 32
	pop	r14
	.cfi_def_cfa_offset 24
	pop	r15
	.cfi_def_cfa_offset 16
	pop	rbp
	.cfi_def_cfa_offset 8
	ret
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
	cmp	edi, 3
	jl	.LBB1_5
# %bb.1:
	add	edi, -1
	movss	xmm3, dword ptr [rsi]           # xmm3 = mem[0],zero,zero,zero
	movss	xmm1, dword ptr [rsi + 4]       # xmm1 = mem[0],zero,zero,zero
	lea	r8, [rdi - 1]
	mov	eax, 1
	cmp	edi, 2
	jne	.LBB1_6
# %bb.2:
	movaps	xmm4, xmm1
	movaps	xmm0, xmm3
	jmp	.LBB1_3
.LBB1_6:
	mov	r9, r8
	and	r9, -2
	neg	r9
	mov	edi, 1
	movss	xmm2, dword ptr [rip + .LCPI1_0] # xmm2 = mem[0],zero,zero,zero
	.p2align	4, 0x90
.LBB1_7:                                # =>This Inner Loop Header: Depth=1
	addss	xmm3, xmm1
	movss	xmm0, dword ptr [rsi + 4*rdi + 4] # xmm0 = mem[0],zero,zero,zero
	addss	xmm3, xmm0
	divss	xmm3, xmm2
	movss	dword ptr [rdx + 4*rdi], xmm3
	addss	xmm1, xmm0
	lea	rax, [rdi + 2]
	movss	xmm4, dword ptr [rsi + 4*rdi + 8] # xmm4 = mem[0],zero,zero,zero
	addss	xmm1, xmm4
	divss	xmm1, xmm2
	movss	dword ptr [rdx + 4*rdi + 4], xmm1
	lea	rcx, [r9 + rdi + 2]
	movaps	xmm1, xmm4
	movaps	xmm3, xmm0
	mov	rdi, rax
	cmp	rcx, 1
	jne	.LBB1_7
.LBB1_3:
	test	r8b, 1
	je	.LBB1_5
# %bb.4:
	addss	xmm0, xmm4
	addss	xmm0, dword ptr [rsi + 4*rax + 4]
	divss	xmm0, dword ptr [rip + .LCPI1_0]
	movss	dword ptr [rdx + 4*rax], xmm0
.LBB1_5:
	ret
.Lfunc_end1:
	.size	blur, .Lfunc_end1-blur
	.cfi_endproc
                                        # -- End function
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.addrsig
