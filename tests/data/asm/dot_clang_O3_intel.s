	.text
	.intel_syntax noprefix
	.file	"dot.c"
	.globl	dot                             # -- Begin function dot
	.p2align	4, 0x90
	.type	dot,@function
dot:                                    # @dot
	.cfi_startproc
# %bb.0:
	test	rdx, rdx
	je	.LBB0_1
# %bb.2:
	lea	rcx, [rdx - 1]
	mov	eax, edx
	and	eax, 3
	cmp	rcx, 3
	jae	.LBB0_8
# %bb.3:
	xorpd	xmm0, xmm0
	xor	ecx, ecx
	jmp	.LBB0_4
.LBB0_1:
	xorps	xmm0, xmm0
	ret
.LBB0_8:
	and	rdx, -4
	xorpd	xmm0, xmm0
	xor	ecx, ecx
	.p2align	4, 0x90
.LBB0_9:                                # =>This Inner Loop Header: Depth=1
	movsd	xmm1, qword ptr [rdi + 8*rcx]   # xmm1 = mem[0],zero
	movsd	xmm2, qword ptr [rdi + 8*rcx + 8] # xmm2 = mem[0],zero
	mulsd	xmm1, qword ptr [rsi + 8*rcx]
	mulsd	xmm2, qword ptr [rsi + 8*rcx + 8]
	addsd	xmm1, xmm0
	movsd	xmm3, qword ptr [rdi + 8*rcx + 16] # xmm3 = mem[0],zero
	mulsd	xmm3, qword ptr [rsi + 8*rcx + 16]
	addsd	xmm2, xmm1
	movsd	xmm0, qword ptr [rdi + 8*rcx + 24] # xmm0 = mem[0],zero
	mulsd	xmm0, qword ptr [rsi + 8*rcx + 24]
	addsd	xmm3, xmm2
	addsd	xmm0, xmm3
	add	rcx, 4
	cmp	rdx, rcx
	jne	.LBB0_9
.LBB0_4:
	test	rax, rax
	je	.LBB0_7
# %bb.5:
	lea	rdx, [rsi + 8*rcx]
	lea	rcx, [rdi + 8*rcx]
	xor	esi, esi
	.p2align	4, 0x90
.LBB0_6:                                # =>This Inner Loop Header: Depth=1
	movsd	xmm1, qword ptr [rcx + 8*rsi]   # xmm1 = mem[0],zero
	mulsd	xmm1, qword ptr [rdx + 8*rsi]
	addsd	xmm0, xmm1
	add	rsi, 1
	cmp	rax, rsi
	jne	.LBB0_6
.LBB0_7:
	ret
.Lfunc_end0:
	.size	dot, .Lfunc_end0-dot
	.cfi_endproc
                                        # -- End function
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.addrsig
