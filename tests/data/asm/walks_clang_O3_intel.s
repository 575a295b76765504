	.text
	.intel_syntax noprefix
	.file	"walks.c"
	.globl	chase                           # -- Begin function chase
	.p2align	4, 0x90
	.type	chase,@function
chase:                                  # @chase
	.cfi_startproc
# %bb.0:
	xor	eax, eax
	test	rdi, rdi
	je	.LBB0_3
	.p2align	4, 0x90
.LBB0_1:                                # =>This Inner Loop Header: Depth=1
	add	rax, qword ptr [rdi + 8]
	mov	rdi, qword ptr [rdi]
	test	rdi, rdi
	jne	.LBB0_1
.LBB0_3:
	ret
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
	push	r15
	.cfi_def_cfa_offset 16
	push	r14
	.cfi_def_cfa_offset 24
	push	r12
	.cfi_def_cfa_offset 32
	push	rbx
	.cfi_def_cfa_offset 40
	push	rax
	.cfi_def_cfa_offset 48
	.cfi_offset rbx, -40
	.cfi_offset r12, -32
	.cfi_offset r14, -24
	.cfi_offset r15, -16
	test	rsi, rsi
	je	.LBB1_1
# %bb.2:
	mov	r14, rsi
	mov	r12, rdi
	lea	rax, [rsi - 1]
	mov	r15d, r14d
	and	r15d, 3
	cmp	rax, 3
	jae	.LBB1_8
# %bb.3:
	xorpd	xmm0, xmm0
	xor	ebx, ebx
	jmp	.LBB1_4
.LBB1_1:
	xorpd	xmm0, xmm0
	jmp	.LBB1_7
.LBB1_8:
	and	r14, -4
	xorpd	xmm0, xmm0
	xor	ebx, ebx
	.p2align	4, 0x90
.LBB1_9:                                # =>This Inner Loop Header: Depth=1
	movsd	qword ptr [rsp], xmm0           # 8-byte Spill
	movsd	xmm0, qword ptr [r12 + 8*rbx]   # xmm0 = mem[0],zero
	call	sin@PLT
	addsd	xmm0, qword ptr [rsp]           # 8-byte Folded Reload
	movsd	qword ptr [rsp], xmm0           # 8-byte Spill
	movsd	xmm0, qword ptr [r12 + 8*rbx + 8] # xmm0 = mem[0],zero
	call	sin@PLT
	addsd	xmm0, qword ptr [rsp]           # 8-byte Folded Reload
	movsd	qword ptr [rsp], xmm0           # 8-byte Spill
	movsd	xmm0, qword ptr [r12 + 8*rbx + 16] # xmm0 = mem[0],zero
	call	sin@PLT
	addsd	xmm0, qword ptr [rsp]           # 8-byte Folded Reload
	movsd	qword ptr [rsp], xmm0           # 8-byte Spill
	movsd	xmm0, qword ptr [r12 + 8*rbx + 24] # xmm0 = mem[0],zero
	call	sin@PLT
	addsd	xmm0, qword ptr [rsp]           # 8-byte Folded Reload
	add	rbx, 4
	cmp	r14, rbx
	jne	.LBB1_9
.LBB1_4:
	test	r15, r15
	je	.LBB1_7
# %bb.5:
	lea	r14, [r12 + 8*rbx]
	xor	ebx, ebx
	.p2align	4, 0x90
.LBB1_6:                                # =>This Inner Loop Header: Depth=1
	movsd	qword ptr [rsp], xmm0           # 8-byte Spill
	movsd	xmm0, qword ptr [r14 + 8*rbx]   # xmm0 = mem[0],zero
	call	sin@PLT
	movsd	xmm1, qword ptr [rsp]           # 8-byte Reload
                                        # xmm1 = mem[0],zero
	addsd	xmm1, xmm0
	movsd	qword ptr [rsp], xmm1           # 8-byte Spill
	movsd	xmm0, qword ptr [rsp]           # 8-byte Reload
                                        # xmm0 = mem[0],zero
	add	rbx, 1
	cmp	r15, rbx
	jne	.LBB1_6
.LBB1_7:
	add	rsp, 8
	.cfi_def_cfa_offset 40
	pop	rbx
	.cfi_def_cfa_offset 32
	pop	r12
	.cfi_def_cfa_offset 24
	pop	r14
	.cfi_def_cfa_offset 16
	pop	r15
	.cfi_def_cfa_offset 8
	ret
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
	mov	dl, byte ptr [rdi]
	test	dl, dl
	je	.LBB2_1
# %bb.2:
	add	rdi, 1
	xor	esi, esi
	lea	rcx, [rip + .LJTI2_0]
	xor	eax, eax
	jmp	.LBB2_3
.LBB2_6:                                #   in Loop: Header=BB2_3 Depth=1
	cmp	esi, 1
	adc	eax, 0
	mov	esi, 1
	.p2align	4, 0x90
.LBB2_7:                                #   in Loop: Header=BB2_3 Depth=1
	movzx	edx, byte ptr [rdi]
	add	rdi, 1
	test	dl, dl
	je	.LBB2_8
.LBB2_3:                                # =>This Inner Loop Header: Depth=1
	movsx	edx, dl
	add	edx, -9
	cmp	edx, 86
	ja	.LBB2_6
# %bb.4:                                #   in Loop: Header=BB2_3 Depth=1
	movsxd	rdx, dword ptr [rcx + 4*rdx]
	add	rdx, rcx
	jmp	rdx
.LBB2_5:                                #   in Loop: Header=BB2_3 Depth=1
	xor	esi, esi
	jmp	.LBB2_7
.LBB2_8:
	ret
.LBB2_1:
	xor	eax, eax
	ret
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
