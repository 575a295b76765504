	.file	"sums.b34b8ef5f693b1e6-cgu.0"
	.section	.text.collatz,"ax",@progbits
	.globl	collatz
	.p2align	4
	.type	collatz,@function
collatz:
.Lfunc_begin0:
	.file	1 "." "sums.rs"
	.loc	1 19 0
	.cfi_startproc
	xorl	%eax, %eax
.Ltmp0:
	.loc	1 21 11 prologue_end
	cmpq	$1, %rdi
	je	.LBB0_3
	.loc	1 0 11 is_stmt 0
	xorl	%eax, %eax
	.p2align	4
.LBB0_2:
	.loc	1 22 16 is_stmt 1
	leaq	1(%rdi,%rdi,2), %rcx
	movl	%edi, %edx
	shrq	%rdi
	testb	$1, %dl
	cmovneq	%rcx, %rdi
	.loc	1 23 9
	incl	%eax
	.loc	1 21 11
	cmpq	$1, %rdi
	jne	.LBB0_2
.Ltmp1:
.LBB0_3:
	.loc	1 26 2
	retq
.Ltmp2:
.Lfunc_end0:
	.size	collatz, .Lfunc_end0-collatz
	.cfi_endproc

	.section	.text.fnv,"ax",@progbits
	.globl	fnv
	.p2align	4
	.type	fnv,@function
fnv:
.Lfunc_begin1:
	.loc	1 9 0
	.cfi_startproc
	movabsq	$-3750763034362895579, %rax
.Ltmp3:
	.file	2 "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860" "library/core/src/ptr/non_null.rs"
	.loc	2 1720 9 prologue_end
	testq	%rsi, %rsi
.Ltmp4:
	.file	3 "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860" "library/core/src/slice/iter/macros.rs"
	.loc	3 25 86
	je	.LBB1_8
.Ltmp5:
	.loc	3 284 24
	movl	%esi, %edx
	movabsq	$1099511628211, %rcx
	andl	$7, %edx
	cmpq	$8, %rsi
	jae	.LBB1_3
	.loc	3 0 24 is_stmt 0
	xorl	%r8d, %r8d
	.loc	3 284 24
	jmp	.LBB1_6
.LBB1_3:
	.loc	3 0 24
	movabsq	$9223372036854775800, %r8
	.loc	3 284 24
	andq	%r8, %rsi
	xorl	%r8d, %r8d
	.loc	3 0 24
.Ltmp6:
	.p2align	4
.LBB1_4:
	.loc	3 279 27 is_stmt 1
	movzbl	(%rdi,%r8), %r9d
.Ltmp7:
	.loc	1 10 59
	xorq	%rax, %r9
.Ltmp8:
	.loc	3 279 27
	movzbl	1(%rdi,%r8), %eax
.Ltmp9:
	.file	4 "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860" "library/core/src/num/uint_macros.rs"
	.loc	4 2533 13
	imulq	%rcx, %r9
.Ltmp10:
	.loc	1 10 59
	xorq	%r9, %rax
.Ltmp11:
	.loc	3 279 27
	movzbl	2(%rdi,%r8), %r9d
.Ltmp12:
	.loc	4 2533 13
	imulq	%rcx, %rax
.Ltmp13:
	.loc	1 10 59
	xorq	%rax, %r9
.Ltmp14:
	.loc	3 279 27
	movzbl	3(%rdi,%r8), %eax
.Ltmp15:
	.loc	4 2533 13
	imulq	%rcx, %r9
.Ltmp16:
	.loc	1 10 59
	xorq	%r9, %rax
.Ltmp17:
	.loc	3 279 27
	movzbl	4(%rdi,%r8), %r9d
.Ltmp18:
	.loc	4 2533 13
	imulq	%rcx, %rax
.Ltmp19:
	.loc	1 10 59
	xorq	%rax, %r9
.Ltmp20:
	.loc	3 279 27
	movzbl	5(%rdi,%r8), %eax
.Ltmp21:
	.loc	4 2533 13
	imulq	%rcx, %r9
.Ltmp22:
	.loc	1 10 59
	xorq	%r9, %rax
.Ltmp23:
	.loc	3 279 27
	movzbl	6(%rdi,%r8), %r9d
.Ltmp24:
	.loc	4 2533 13
	imulq	%rcx, %rax
.Ltmp25:
	.loc	1 10 59
	xorq	%rax, %r9
.Ltmp26:
	.loc	3 279 27
	movzbl	7(%rdi,%r8), %eax
.Ltmp27:
	.loc	4 844 17
	addq	$8, %r8
.Ltmp28:
	.loc	4 2533 13
	imulq	%rcx, %r9
.Ltmp29:
	.loc	1 10 59
	xorq	%r9, %rax
.Ltmp30:
	.loc	4 2533 13
	imulq	%rcx, %rax
.Ltmp31:
	.loc	3 284 24
	cmpq	%r8, %rsi
	jne	.LBB1_4
	testq	%rdx, %rdx
	je	.LBB1_8
.LBB1_6:
	addq	%r8, %rdi
	xorl	%esi, %esi
	movq	%rax, %r8
	.loc	3 0 24 is_stmt 0
.Ltmp32:
	.p2align	4
.LBB1_7:
	.loc	3 279 27 is_stmt 1
	movzbl	(%rdi,%rsi), %eax
	.loc	3 284 24
	incq	%rsi
.Ltmp33:
	.loc	1 10 59
	xorq	%r8, %rax
.Ltmp34:
	.loc	4 2533 13
	imulq	%rcx, %rax
	movq	%rax, %r8
.Ltmp35:
	.loc	3 284 24
	cmpq	%rsi, %rdx
	jne	.LBB1_7
.Ltmp36:
.LBB1_8:
	.loc	1 11 2
	retq
.Ltmp37:
.Lfunc_end1:
	.size	fnv, .Lfunc_end1-fnv
	.cfi_endproc

	.section	.text.gather,"ax",@progbits
	.globl	gather
	.p2align	4
	.type	gather,@function
gather:
.Lfunc_begin2:
	.loc	1 14 0
	.cfi_startproc
	xorl	%eax, %eax
.Ltmp38:
	.loc	2 1720 9 prologue_end
	testq	%rcx, %rcx
.Ltmp39:
	.loc	3 25 86
	je	.LBB2_4
.Ltmp40:
	.loc	3 0 86 is_stmt 0
	xorl	%r9d, %r9d
	.p2align	4
.LBB2_2:
.Ltmp41:
	.loc	3 279 27 is_stmt 1
	movq	(%rdx,%r9,8), %r8
.Ltmp42:
	.loc	1 15 24
	cmpq	%rsi, %r8
	jae	.LBB2_5
.Ltmp43:
	.loc	4 2457 13
	addl	(%rdi,%r8,4), %eax
.Ltmp44:
	.loc	4 844 17
	incq	%r9
.Ltmp45:
	.loc	3 284 24
	cmpq	%r9, %rcx
	jne	.LBB2_2
.Ltmp46:
.LBB2_4:
	.loc	1 16 2
	retq
.LBB2_5:
	.loc	1 0 2 is_stmt 0
	pushq	%rax
	.cfi_def_cfa_offset 16
.Ltmp47:
	.loc	1 15 24 is_stmt 1
	leaq	.Lanon.6d4ac1ed07f08b98f7f6433b1ae57bbd.1(%rip), %rdx
	movq	%r8, %rdi
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
.Ltmp48:
.Lfunc_end2:
	.size	gather, .Lfunc_end2-gather
	.cfi_endproc
	.file	5 "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860" "library/core/src/iter/adapters/map.rs"
	.file	6 "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860" "library/core/src/ops/function.rs"

	.section	.text.sum,"ax",@progbits
	.globl	sum
	.p2align	4
	.type	sum,@function
sum:
.Lfunc_begin3:
	.cfi_startproc
	.loc	2 1720 9 prologue_end
	testq	%rsi, %rsi
.Ltmp49:
	.loc	3 25 86
	je	.LBB3_1
.Ltmp50:
	.loc	3 284 24
	cmpq	$4, %rsi
	jae	.LBB3_5
.Ltmp51:
	.loc	3 0 24 is_stmt 0
	xorl	%ecx, %ecx
	xorl	%eax, %eax
	jmp	.LBB3_4
.LBB3_1:
	xorl	%eax, %eax
	.loc	1 6 2 is_stmt 1
	retq
.LBB3_5:
	.loc	1 0 2 is_stmt 0
	movabsq	$1152921504606846960, %rdx
.Ltmp52:
	.loc	3 284 24 is_stmt 1
	cmpq	$16, %rsi
	jae	.LBB3_7
	.loc	3 0 24 is_stmt 0
	xorl	%ecx, %ecx
	xorl	%eax, %eax
	.loc	3 284 24
	jmp	.LBB3_11
.LBB3_7:
	movq	%rsi, %rax
	shrq	$4, %rax
	movq	%rsi, %rcx
	andq	%rdx, %rcx
	vpxor	%xmm0, %xmm0, %xmm0
	xorl	%r8d, %r8d
	vpxor	%xmm1, %xmm1, %xmm1
	vpxor	%xmm2, %xmm2, %xmm2
	vpxor	%xmm3, %xmm3, %xmm3
	shlq	$7, %rax
	.loc	3 0 24
.Ltmp53:
	.p2align	4
.LBB3_8:
.Ltmp54:
	.file	7 "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860" "library/core/src/ops/arith.rs"
	.loc	7 105 45 is_stmt 1
	vpaddq	(%rdi,%r8), %ymm0, %ymm0
	vpaddq	32(%rdi,%r8), %ymm1, %ymm1
	vpaddq	64(%rdi,%r8), %ymm2, %ymm2
	vpaddq	96(%rdi,%r8), %ymm3, %ymm3
.Ltmp55:
	.loc	3 284 24
	subq	$-128, %r8
	cmpq	%r8, %rax
	jne	.LBB3_8
	vpaddq	%ymm0, %ymm1, %ymm0
	vpaddq	%ymm2, %ymm3, %ymm1
	vpaddq	%ymm0, %ymm1, %ymm0
	vextracti128	$1, %ymm0, %xmm1
	vpaddq	%xmm1, %xmm0, %xmm0
	vpshufd	$238, %xmm0, %xmm1
	vpaddq	%xmm1, %xmm0, %xmm0
	vmovq	%xmm0, %rax
	cmpq	%rcx, %rsi
	je	.LBB3_15
	.loc	3 0 24 is_stmt 0
	testb	$12, %sil
	je	.LBB3_4
.LBB3_11:
	addq	$12, %rdx
	movq	%rcx, %r8
	vmovq	%rax, %xmm0
	movq	%rdx, %rcx
	andq	%rsi, %rcx
	.p2align	4
.LBB3_12:
.Ltmp56:
	.loc	7 105 45 is_stmt 1
	vpaddq	(%rdi,%r8,8), %ymm0, %ymm0
.Ltmp57:
	.loc	3 0 0 is_stmt 0
	addq	$4, %r8
.Ltmp58:
	.loc	3 284 24 is_stmt 1
	cmpq	%r8, %rcx
	jne	.LBB3_12
	vextracti128	$1, %ymm0, %xmm1
	vpaddq	%xmm1, %xmm0, %xmm0
	vpshufd	$238, %xmm0, %xmm1
	vpaddq	%xmm1, %xmm0, %xmm0
	vmovq	%xmm0, %rax
	jmp	.LBB3_14
.LBB3_4:
.Ltmp59:
	.loc	7 105 45
	addq	(%rdi,%rcx,8), %rax
.Ltmp60:
	.loc	4 844 17
	incq	%rcx
.Ltmp61:
.LBB3_14:
	.loc	3 284 24
	cmpq	%rcx, %rsi
	jne	.LBB3_4
.Ltmp62:
.LBB3_15:
	.loc	1 6 2
	vzeroupper
	retq
.Ltmp63:
.Lfunc_end3:
	.size	sum, .Lfunc_end3-sum
	.cfi_endproc
	.file	8 "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860" "library/core/src/iter/traits/accum.rs"
	.file	9 "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860" "library/core/src/iter/traits/iterator.rs"
	.file	10 "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860" "library/core/src/internal_macros.rs"

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

	.section	.debug_abbrev,"",@progbits
	.byte	1
	.byte	17
	.byte	1
	.byte	37
	.byte	14
	.byte	19
	.byte	5
	.byte	3
	.byte	14
	.byte	16
	.byte	23
	.byte	27
	.byte	14
	.byte	17
	.byte	1
	.byte	85
	.byte	23
	.byte	0
	.byte	0
	.byte	2
	.byte	57
	.byte	1
	.byte	3
	.byte	14
	.byte	0
	.byte	0
	.byte	3
	.byte	46
	.byte	0
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	63
	.byte	25
	.byte	0
	.byte	0
	.byte	4
	.byte	46
	.byte	0
	.byte	110
	.byte	14
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	32
	.byte	11
	.byte	0
	.byte	0
	.byte	5
	.byte	46
	.byte	1
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	63
	.byte	25
	.byte	0
	.byte	0
	.byte	6
	.byte	29
	.byte	1
	.byte	49
	.byte	19
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	88
	.byte	11
	.byte	89
	.byte	11
	.byte	87
	.byte	11
	.byte	0
	.byte	0
	.byte	7
	.byte	29
	.byte	0
	.byte	49
	.byte	19
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	88
	.byte	11
	.byte	89
	.byte	11
	.byte	87
	.byte	11
	.byte	0
	.byte	0
	.byte	8
	.byte	29
	.byte	1
	.byte	49
	.byte	19
	.byte	85
	.byte	23
	.byte	88
	.byte	11
	.byte	89
	.byte	5
	.byte	87
	.byte	11
	.byte	0
	.byte	0
	.byte	9
	.byte	29
	.byte	0
	.byte	49
	.byte	19
	.byte	85
	.byte	23
	.byte	88
	.byte	11
	.byte	89
	.byte	11
	.byte	87
	.byte	11
	.byte	0
	.byte	0
	.byte	10
	.byte	29
	.byte	0
	.byte	49
	.byte	19
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	88
	.byte	11
	.byte	89
	.byte	5
	.byte	87
	.byte	11
	.byte	0
	.byte	0
	.byte	11
	.byte	29
	.byte	1
	.byte	49
	.byte	19
	.byte	85
	.byte	23
	.byte	88
	.byte	11
	.byte	89
	.byte	11
	.byte	87
	.byte	11
	.byte	0
	.byte	0
	.byte	12
	.byte	46
	.byte	0
	.byte	110
	.byte	14
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	5
	.byte	32
	.byte	11
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_info,"",@progbits
.Lcu_begin0:
	.long	.Ldebug_info_end0-.Ldebug_info_start0
.Ldebug_info_start0:
	.short	4
	.long	.debug_abbrev
	.byte	8
	.byte	1
	.long	.Linfo_string0
	.short	28
	.long	.Linfo_string1
	.long	.Lline_table_start0
	.long	.Linfo_string2
	.quad	0
	.long	.Ldebug_ranges7
	.byte	2
	.long	.Linfo_string3
	.byte	3
	.quad	.Lfunc_begin0
	.long	.Lfunc_end0-.Lfunc_begin0
	.byte	1
	.byte	87
	.long	.Linfo_string69
	.byte	1
	.byte	19

	.byte	2
	.long	.Linfo_string15
	.byte	4
	.long	.Linfo_string16
	.long	.Linfo_string17
	.byte	1
	.byte	10
	.byte	1
	.byte	0
	.byte	5
	.quad	.Lfunc_begin1
	.long	.Lfunc_end1-.Lfunc_begin1
	.byte	1
	.byte	87
	.long	.Linfo_string15
	.byte	1
	.byte	9

	.byte	6
	.long	590
	.quad	.Ltmp3
	.long	.Ltmp36-.Ltmp3
	.byte	1
	.byte	10
	.byte	18
	.byte	7
	.long	533
	.quad	.Ltmp3
	.long	.Ltmp4-.Ltmp3
	.byte	3
	.byte	44
	.byte	20
	.byte	8
	.long	73
	.long	.Ldebug_ranges0
	.byte	3
	.short	279
	.byte	27
	.byte	9
	.long	642
	.long	.Ldebug_ranges1
	.byte	1
	.byte	10
	.byte	85
	.byte	0
	.byte	10
	.long	661
	.quad	.Ltmp27
	.long	.Ltmp28-.Ltmp27
	.byte	3
	.short	283
	.byte	36
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string34
	.byte	4
	.long	.Linfo_string35
	.long	.Linfo_string17
	.byte	1
	.byte	15
	.byte	1
	.byte	0
	.byte	5
	.quad	.Lfunc_begin2
	.long	.Lfunc_end2-.Lfunc_begin2
	.byte	1
	.byte	87
	.long	.Linfo_string34
	.byte	1
	.byte	14

	.byte	11
	.long	741
	.long	.Ldebug_ranges2
	.byte	1
	.byte	15
	.byte	35
	.byte	11
	.long	603
	.long	.Ldebug_ranges2
	.byte	5
	.byte	128
	.byte	19
	.byte	7
	.long	546
	.quad	.Ltmp38
	.long	.Ltmp39-.Ltmp38
	.byte	3
	.byte	44
	.byte	20
	.byte	8
	.long	759
	.long	.Ldebug_ranges3
	.byte	3
	.short	279
	.byte	27
	.byte	9
	.long	201
	.long	.Ldebug_ranges4
	.byte	5
	.byte	88
	.byte	28
	.byte	6
	.long	863
	.quad	.Ltmp43
	.long	.Ltmp44-.Ltmp43
	.byte	5
	.byte	88
	.byte	21
	.byte	7
	.long	706
	.quad	.Ltmp43
	.long	.Ltmp44-.Ltmp43
	.byte	6
	.byte	166
	.byte	5
	.byte	0
	.byte	0
	.byte	10
	.long	674
	.quad	.Ltmp44
	.long	.Ltmp45-.Ltmp44
	.byte	3
	.short	283
	.byte	36
	.byte	0
	.byte	0
	.byte	0
	.byte	5
	.quad	.Lfunc_begin3
	.long	.Lfunc_end3-.Lfunc_begin3
	.byte	1
	.byte	87
	.long	.Linfo_string66
	.byte	1
	.byte	4

	.byte	11
	.long	831
	.long	.Ldebug_ranges5
	.byte	1
	.byte	5
	.byte	19
	.byte	8
	.long	789
	.long	.Ldebug_ranges5
	.byte	9
	.short	3658
	.byte	9
	.byte	11
	.long	616
	.long	.Ldebug_ranges5
	.byte	8
	.byte	72
	.byte	22
	.byte	7
	.long	559
	.quad	.Lfunc_begin3
	.long	.Ltmp49-.Lfunc_begin3
	.byte	3
	.byte	44
	.byte	20
	.byte	8
	.long	806
	.long	.Ldebug_ranges6
	.byte	3
	.short	279
	.byte	27
	.byte	11
	.long	905
	.long	.Ldebug_ranges6
	.byte	8
	.byte	75
	.byte	28
	.byte	9
	.long	887
	.long	.Ldebug_ranges6
	.byte	10
	.byte	39
	.byte	17
	.byte	0
	.byte	0
	.byte	10
	.long	687
	.quad	.Ltmp60
	.long	.Ltmp61-.Ltmp60
	.byte	3
	.short	283
	.byte	36
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string4
	.byte	2
	.long	.Linfo_string5
	.byte	2
	.long	.Linfo_string6
	.byte	2
	.long	.Linfo_string7
	.byte	12
	.long	.Linfo_string8
	.long	.Linfo_string9
	.byte	2
	.short	1719
	.byte	1
	.byte	12
	.long	.Linfo_string25
	.long	.Linfo_string26
	.byte	2
	.short	1719
	.byte	1
	.byte	12
	.long	.Linfo_string47
	.long	.Linfo_string48
	.byte	2
	.short	1719
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string10
	.byte	2
	.long	.Linfo_string11
	.byte	2
	.long	.Linfo_string12
	.byte	12
	.long	.Linfo_string13
	.long	.Linfo_string14
	.byte	3
	.short	259
	.byte	1
	.byte	12
	.long	.Linfo_string27
	.long	.Linfo_string28
	.byte	3
	.short	259
	.byte	1
	.byte	12
	.long	.Linfo_string49
	.long	.Linfo_string50
	.byte	3
	.short	259
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string18
	.byte	2
	.long	.Linfo_string19
	.byte	12
	.long	.Linfo_string20
	.long	.Linfo_string21
	.byte	4
	.short	2532
	.byte	1
	.byte	0
	.byte	2
	.long	.Linfo_string22
	.byte	12
	.long	.Linfo_string23
	.long	.Linfo_string24
	.byte	4
	.short	832
	.byte	1
	.byte	12
	.long	.Linfo_string23
	.long	.Linfo_string24
	.byte	4
	.short	832
	.byte	1
	.byte	12
	.long	.Linfo_string23
	.long	.Linfo_string24
	.byte	4
	.short	832
	.byte	1
	.byte	0
	.byte	2
	.long	.Linfo_string39
	.byte	12
	.long	.Linfo_string40
	.long	.Linfo_string41
	.byte	4
	.short	2456
	.byte	1
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string11
	.byte	2
	.long	.Linfo_string29
	.byte	2
	.long	.Linfo_string30
	.byte	2
	.long	.Linfo_string31
	.byte	4
	.long	.Linfo_string32
	.long	.Linfo_string33
	.byte	5
	.byte	124
	.byte	1
	.byte	0
	.byte	2
	.long	.Linfo_string36
	.byte	4
	.long	.Linfo_string37
	.long	.Linfo_string38
	.byte	5
	.byte	88
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string51
	.byte	2
	.long	.Linfo_string52
	.byte	2
	.long	.Linfo_string53
	.byte	4
	.long	.Linfo_string54
	.long	.Linfo_string55
	.byte	8
	.byte	71
	.byte	1
	.byte	2
	.long	.Linfo_string66
	.byte	4
	.long	.Linfo_string67
	.long	.Linfo_string68
	.byte	8
	.byte	75
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string56
	.byte	2
	.long	.Linfo_string57
	.byte	12
	.long	.Linfo_string58
	.long	.Linfo_string59
	.byte	9
	.short	3653
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string42
	.byte	2
	.long	.Linfo_string43
	.byte	2
	.long	.Linfo_string44
	.byte	4
	.long	.Linfo_string45
	.long	.Linfo_string46
	.byte	6
	.byte	166
	.byte	1
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string60
	.byte	2
	.long	.Linfo_string61
	.byte	4
	.long	.Linfo_string62
	.long	.Linfo_string63
	.byte	7
	.byte	105
	.byte	1
	.byte	0
	.byte	2
	.long	.Linfo_string64
	.byte	4
	.long	.Linfo_string65
	.long	.Linfo_string63
	.byte	10
	.byte	38
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
.Ldebug_info_end0:
	.section	.text.collatz,"ax",@progbits
.Lsec_end0:
	.section	.text.fnv,"ax",@progbits
.Lsec_end1:
	.section	.text.gather,"ax",@progbits
.Lsec_end2:
	.section	.text.sum,"ax",@progbits
.Lsec_end3:
	.section	.debug_aranges,"",@progbits
	.long	92
	.short	2
	.long	.Lcu_begin0
	.byte	8
	.byte	0
	.zero	4,255
	.quad	.Lfunc_begin0
	.quad	.Lsec_end0-.Lfunc_begin0
	.quad	.Lfunc_begin1
	.quad	.Lsec_end1-.Lfunc_begin1
	.quad	.Lfunc_begin2
	.quad	.Lsec_end2-.Lfunc_begin2
	.quad	.Lfunc_begin3
	.quad	.Lsec_end3-.Lfunc_begin3
	.quad	0
	.quad	0
	.section	.debug_ranges,"",@progbits
.Ldebug_ranges0:
	.quad	.Ltmp7
	.quad	.Ltmp8
	.quad	.Ltmp9
	.quad	.Ltmp11
	.quad	.Ltmp12
	.quad	.Ltmp14
	.quad	.Ltmp15
	.quad	.Ltmp17
	.quad	.Ltmp18
	.quad	.Ltmp20
	.quad	.Ltmp21
	.quad	.Ltmp23
	.quad	.Ltmp24
	.quad	.Ltmp26
	.quad	.Ltmp28
	.quad	.Ltmp31
	.quad	.Ltmp33
	.quad	.Ltmp35
	.quad	0
	.quad	0
.Ldebug_ranges1:
	.quad	.Ltmp9
	.quad	.Ltmp10
	.quad	.Ltmp12
	.quad	.Ltmp13
	.quad	.Ltmp15
	.quad	.Ltmp16
	.quad	.Ltmp18
	.quad	.Ltmp19
	.quad	.Ltmp21
	.quad	.Ltmp22
	.quad	.Ltmp24
	.quad	.Ltmp25
	.quad	.Ltmp28
	.quad	.Ltmp29
	.quad	.Ltmp30
	.quad	.Ltmp31
	.quad	.Ltmp34
	.quad	.Ltmp35
	.quad	0
	.quad	0
.Ldebug_ranges2:
	.quad	.Ltmp38
	.quad	.Ltmp46
	.quad	.Ltmp47
	.quad	.Ltmp48
	.quad	0
	.quad	0
.Ldebug_ranges3:
	.quad	.Ltmp42
	.quad	.Ltmp44
	.quad	.Ltmp47
	.quad	.Ltmp48
	.quad	0
	.quad	0
.Ldebug_ranges4:
	.quad	.Ltmp42
	.quad	.Ltmp43
	.quad	.Ltmp47
	.quad	.Ltmp48
	.quad	0
	.quad	0
.Ldebug_ranges5:
	.quad	.Lfunc_begin3
	.quad	.Ltmp51
	.quad	.Ltmp52
	.quad	.Ltmp62
	.quad	0
	.quad	0
.Ldebug_ranges6:
	.quad	.Ltmp54
	.quad	.Ltmp55
	.quad	.Ltmp56
	.quad	.Ltmp57
	.quad	.Ltmp59
	.quad	.Ltmp60
	.quad	0
	.quad	0
.Ldebug_ranges7:
	.quad	.Lfunc_begin0
	.quad	.Lfunc_end0
	.quad	.Lfunc_begin1
	.quad	.Lfunc_end1
	.quad	.Lfunc_begin2
	.quad	.Lfunc_end2
	.quad	.Lfunc_begin3
	.quad	.Lfunc_end3
	.quad	0
	.quad	0
	.section	.debug_str,"MS",@progbits,1
.Linfo_string0:
	.asciz	"clang LLVM (rustc version 1.95.0 (59807616e 2026-04-14))"
.Linfo_string1:
	.asciz	"sums.rs/@/sums.b34b8ef5f693b1e6-cgu.0"
.Linfo_string2:
	.asciz	"."
.Linfo_string3:
	.asciz	"sums"
.Linfo_string4:
	.asciz	"core"
.Linfo_string5:
	.asciz	"ptr"
.Linfo_string6:
	.asciz	"non_null"
.Linfo_string7:
	.asciz	"{impl#16}"
.Linfo_string8:
	.asciz	"_ZN78_$LT$core..ptr..non_null..NonNull$LT$T$GT$$u20$as$u20$core..cmp..PartialEq$GT$2eq17habf5321063697c20E"
.Linfo_string9:
	.asciz	"eq<u8>"
.Linfo_string10:
	.asciz	"slice"
.Linfo_string11:
	.asciz	"iter"
.Linfo_string12:
	.asciz	"{impl#171}"
.Linfo_string13:
	.asciz	"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h9c14e8f744eadb58E"
.Linfo_string14:
	.asciz	"fold<u8, u64, sums::fnv::{closure_env#0}>"
.Linfo_string15:
	.asciz	"fnv"
.Linfo_string16:
	.asciz	"_ZN4sums3fnv28_$u7b$$u7b$closure$u7d$$u7d$17h9f0c82c132d52979E"
.Linfo_string17:
	.asciz	"{closure#0}"
.Linfo_string18:
	.asciz	"num"
.Linfo_string19:
	.asciz	"{impl#9}"
.Linfo_string20:
	.asciz	"_RNvMs7_NtCsgEmfK2I1SDS_4core3numy12wrapping_mul"
.Linfo_string21:
	.asciz	"wrapping_mul"
.Linfo_string22:
	.asciz	"{impl#11}"
.Linfo_string23:
	.asciz	"_RNvMs9_NtCsgEmfK2I1SDS_4core3numj13unchecked_add"
.Linfo_string24:
	.asciz	"unchecked_add"
.Linfo_string25:
	.asciz	"_ZN78_$LT$core..ptr..non_null..NonNull$LT$T$GT$$u20$as$u20$core..cmp..PartialEq$GT$2eq17h7f9ef360fcf2b08bE"
.Linfo_string26:
	.asciz	"eq<usize>"
.Linfo_string27:
	.asciz	"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h478bdcf52763a02cE"
.Linfo_string28:
	.asciz	"fold<usize, u32, core::iter::adapters::map::map_fold::{closure_env#0}<&usize, u32, u32, sums::gather::{closure_env#0}, fn(u32, u32) -> u32>>"
.Linfo_string29:
	.asciz	"adapters"
.Linfo_string30:
	.asciz	"map"
.Linfo_string31:
	.asciz	"{impl#2}"
.Linfo_string32:
	.asciz	"_ZN102_$LT$core..iter..adapters..map..Map$LT$I$C$F$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h2c4369d4e37085fcE"
.Linfo_string33:
	.asciz	"fold<u32, core::slice::iter::Iter<usize>, sums::gather::{closure_env#0}, u32, fn(u32, u32) -> u32>"
.Linfo_string34:
	.asciz	"gather"
.Linfo_string35:
	.asciz	"_ZN4sums6gather28_$u7b$$u7b$closure$u7d$$u7d$17h09bce655da8fd7fdE"
.Linfo_string36:
	.asciz	"map_fold"
.Linfo_string37:
	.asciz	"_ZN4core4iter8adapters3map8map_fold28_$u7b$$u7b$closure$u7d$$u7d$17ha3c0fe93db2832c0E"
.Linfo_string38:
	.asciz	"{closure#0}<&usize, u32, u32, sums::gather::{closure_env#0}, fn(u32, u32) -> u32>"
.Linfo_string39:
	.asciz	"{impl#8}"
.Linfo_string40:
	.asciz	"_RNvMs6_NtCsgEmfK2I1SDS_4core3numm12wrapping_add"
.Linfo_string41:
	.asciz	"wrapping_add"
.Linfo_string42:
	.asciz	"ops"
.Linfo_string43:
	.asciz	"function"
.Linfo_string44:
	.asciz	"FnMut"
.Linfo_string45:
	.asciz	"_ZN4core3ops8function5FnMut8call_mut17h62ca3dba322b26acE"
.Linfo_string46:
	.asciz	"call_mut<fn(u32, u32) -> u32, (u32, u32)>"
.Linfo_string47:
	.asciz	"_ZN78_$LT$core..ptr..non_null..NonNull$LT$T$GT$$u20$as$u20$core..cmp..PartialEq$GT$2eq17hffc00f9b7bf9ad81E"
.Linfo_string48:
	.asciz	"eq<u64>"
.Linfo_string49:
	.asciz	"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17he039bf1bfacabd58E"
.Linfo_string50:
	.asciz	"fold<u64, u64, core::iter::traits::accum::{impl#42}::sum::{closure_env#0}<core::slice::iter::Iter<u64>>>"
.Linfo_string51:
	.asciz	"traits"
.Linfo_string52:
	.asciz	"accum"
.Linfo_string53:
	.asciz	"{impl#42}"
.Linfo_string54:
	.asciz	"_ZN69_$LT$u64$u20$as$u20$core..iter..traits..accum..Sum$LT$$RF$u64$GT$$GT$3sum17hfb765b93be03cd4bE"
.Linfo_string55:
	.asciz	"sum<core::slice::iter::Iter<u64>>"
.Linfo_string56:
	.asciz	"iterator"
.Linfo_string57:
	.asciz	"Iterator"
.Linfo_string58:
	.asciz	"_ZN4core4iter6traits8iterator8Iterator3sum17hcc9bf8fd206cb3d6E"
.Linfo_string59:
	.asciz	"sum<core::slice::iter::Iter<u64>, u64>"
.Linfo_string60:
	.asciz	"arith"
.Linfo_string61:
	.asciz	"{impl#4}"
.Linfo_string62:
	.asciz	"_RNvXs2_NtNtCsgEmfK2I1SDS_4core3ops5arithyNtB5_3Add3add"
.Linfo_string63:
	.asciz	"add"
.Linfo_string64:
	.asciz	"{impl#29}"
.Linfo_string65:
	.asciz	"_RNvXsr_NtNtCsgEmfK2I1SDS_4core3ops5arithyINtB5_3AddRyE3add"
.Linfo_string66:
	.asciz	"sum"
.Linfo_string67:
	.asciz	"_ZN69_$LT$u64$u20$as$u20$core..iter..traits..accum..Sum$LT$$RF$u64$GT$$GT$3sum28_$u7b$$u7b$closure$u7d$$u7d$17hb283c22d4c75e004E"
.Linfo_string68:
	.asciz	"{closure#0}<core::slice::iter::Iter<u64>>"
.Linfo_string69:
	.asciz	"collatz"
	.ident	"rustc version 1.95.0 (59807616e 2026-04-14)"
	.section	".note.GNU-stack","",@progbits
	.section	.debug_line,"",@progbits
.Lline_table_start0:
