	.text
	.file	"hashes.c"
	.globl	fnv1a                           # -- Begin function fnv1a
	.p2align	4, 0x90
	.type	fnv1a,@function
fnv1a:                                  # @fnv1a
.Lfunc_begin0:
	.file	0 "." "hashes.c" md5 0xcec7a70060bcc9679cd43a88abbb1f0d
	.loc	0 4 0                           # hashes.c:4:0
	.cfi_startproc
# %bb.0:
	#DEBUG_VALUE: fnv1a:bytes <- $rdi
	#DEBUG_VALUE: fnv1a:n <- $rsi
	#DEBUG_VALUE: fnv1a:hash <- -3750763034362895579
	#DEBUG_VALUE: i <- 0
	movabsq	$-3750763034362895579, %rdx     # imm = 0xCBF29CE484222325
.Ltmp0:
	.loc	0 6 26 prologue_end             # hashes.c:6:26
	testq	%rsi, %rsi
.Ltmp1:
	.loc	0 6 5 is_stmt 0                 # hashes.c:6:5
	je	.LBB0_1
.Ltmp2:
# %bb.2:
	#DEBUG_VALUE: fnv1a:bytes <- $rdi
	#DEBUG_VALUE: fnv1a:n <- $rsi
	#DEBUG_VALUE: fnv1a:hash <- -3750763034362895579
	#DEBUG_VALUE: i <- 0
	.loc	0 0 5                           # hashes.c:0:5
	movabsq	$1099511628211, %r9             # imm = 0x100000001B3
	.loc	0 6 5                           # hashes.c:6:5
	leaq	-1(%rsi), %rax
	movl	%esi, %r8d
	andl	$3, %r8d
	cmpq	$3, %rax
	jae	.LBB0_8
.Ltmp3:
# %bb.3:
	#DEBUG_VALUE: fnv1a:bytes <- $rdi
	#DEBUG_VALUE: fnv1a:n <- $rsi
	#DEBUG_VALUE: fnv1a:hash <- -3750763034362895579
	#DEBUG_VALUE: i <- 0
	.loc	0 0 5                           # hashes.c:0:5
	xorl	%ecx, %ecx
	jmp	.LBB0_4
.Ltmp4:
.LBB0_1:
	#DEBUG_VALUE: fnv1a:bytes <- $rdi
	#DEBUG_VALUE: fnv1a:n <- $rsi
	#DEBUG_VALUE: fnv1a:hash <- -3750763034362895579
	movq	%rdx, %rax
	.loc	0 8 5 is_stmt 1                 # hashes.c:8:5
	retq
.Ltmp5:
.LBB0_8:
	#DEBUG_VALUE: fnv1a:bytes <- $rdi
	#DEBUG_VALUE: fnv1a:n <- $rsi
	#DEBUG_VALUE: fnv1a:hash <- -3750763034362895579
	#DEBUG_VALUE: i <- 0
	.loc	0 6 5                           # hashes.c:6:5
	andq	$-4, %rsi
.Ltmp6:
	#DEBUG_VALUE: fnv1a:n <- [DW_OP_LLVM_entry_value 1] $rsi
	.loc	0 0 5 is_stmt 0                 # hashes.c:0:5
	xorl	%ecx, %ecx
.Ltmp7:
	.p2align	4, 0x90
.LBB0_9:                                # =>This Inner Loop Header: Depth=1
	#DEBUG_VALUE: fnv1a:bytes <- $rdi
	#DEBUG_VALUE: fnv1a:n <- [DW_OP_LLVM_entry_value 1] $rsi
	#DEBUG_VALUE: i <- $rcx
	#DEBUG_VALUE: fnv1a:hash <- $rdx
	.loc	0 7 24 is_stmt 1                # hashes.c:7:24
	movzbl	(%rdi,%rcx), %eax
	.loc	0 7 22 is_stmt 0                # hashes.c:7:22
	xorq	%rdx, %rax
	.loc	0 7 34                          # hashes.c:7:34
	imulq	%r9, %rax
.Ltmp8:
	#DEBUG_VALUE: fnv1a:hash <- $rax
	#DEBUG_VALUE: fnv1a:hash <- $rax
	#DEBUG_VALUE: i <- [DW_OP_constu 1, DW_OP_or, DW_OP_stack_value] $rcx
	#DEBUG_VALUE: i <- [DW_OP_constu 1, DW_OP_or, DW_OP_stack_value] $rcx
	.loc	0 7 24                          # hashes.c:7:24
	movzbl	1(%rdi,%rcx), %edx
	.loc	0 7 22                          # hashes.c:7:22
	xorq	%rax, %rdx
	.loc	0 7 34                          # hashes.c:7:34
	imulq	%r9, %rdx
.Ltmp9:
	#DEBUG_VALUE: fnv1a:hash <- $rdx
	#DEBUG_VALUE: fnv1a:hash <- $rdx
	#DEBUG_VALUE: i <- [DW_OP_constu 2, DW_OP_or, DW_OP_stack_value] $rcx
	#DEBUG_VALUE: i <- [DW_OP_constu 2, DW_OP_or, DW_OP_stack_value] $rcx
	.loc	0 7 24                          # hashes.c:7:24
	movzbl	2(%rdi,%rcx), %eax
	.loc	0 7 22                          # hashes.c:7:22
	xorq	%rdx, %rax
	.loc	0 7 34                          # hashes.c:7:34
	imulq	%r9, %rax
.Ltmp10:
	#DEBUG_VALUE: fnv1a:hash <- $rax
	#DEBUG_VALUE: fnv1a:hash <- $rax
	#DEBUG_VALUE: i <- [DW_OP_constu 3, DW_OP_or, DW_OP_stack_value] $rcx
	#DEBUG_VALUE: i <- [DW_OP_constu 3, DW_OP_or, DW_OP_stack_value] $rcx
	.loc	0 7 24                          # hashes.c:7:24
	movzbl	3(%rdi,%rcx), %edx
	.loc	0 7 22                          # hashes.c:7:22
	xorq	%rax, %rdx
	.loc	0 7 34                          # hashes.c:7:34
	imulq	%r9, %rdx
.Ltmp11:
	#DEBUG_VALUE: fnv1a:hash <- $rdx
	.loc	0 6 32 is_stmt 1                # hashes.c:6:32
	addq	$4, %rcx
.Ltmp12:
	#DEBUG_VALUE: i <- $rcx
	.loc	0 6 5 is_stmt 0                 # hashes.c:6:5
	cmpq	%rcx, %rsi
	jne	.LBB0_9
.Ltmp13:
.LBB0_4:
	#DEBUG_VALUE: fnv1a:bytes <- $rdi
	#DEBUG_VALUE: fnv1a:n <- [DW_OP_LLVM_entry_value 1] $rsi
	.loc	0 0 5                           # hashes.c:0:5
	movq	%rdx, %rax
	.loc	0 6 5                           # hashes.c:6:5
	testq	%r8, %r8
	je	.LBB0_7
.Ltmp14:
# %bb.5:
	#DEBUG_VALUE: fnv1a:bytes <- $rdi
	#DEBUG_VALUE: fnv1a:n <- [DW_OP_LLVM_entry_value 1] $rsi
	addq	%rcx, %rdi
.Ltmp15:
	#DEBUG_VALUE: fnv1a:bytes <- [DW_OP_LLVM_entry_value 1] $rdi
	.loc	0 0 5                           # hashes.c:0:5
	xorl	%ecx, %ecx
.Ltmp16:
	.p2align	4, 0x90
.LBB0_6:                                # =>This Inner Loop Header: Depth=1
	#DEBUG_VALUE: fnv1a:bytes <- [DW_OP_LLVM_entry_value 1] $rdi
	#DEBUG_VALUE: fnv1a:n <- [DW_OP_LLVM_entry_value 1] $rsi
	#DEBUG_VALUE: i <- [DW_OP_LLVM_arg 0, DW_OP_LLVM_arg 0, DW_OP_plus, DW_OP_stack_value] undef
	#DEBUG_VALUE: fnv1a:hash <- $rdx
	.loc	0 7 24 is_stmt 1                # hashes.c:7:24
	movzbl	(%rdi,%rcx), %eax
	.loc	0 7 22 is_stmt 0                # hashes.c:7:22
	xorq	%rdx, %rax
	.loc	0 7 34                          # hashes.c:7:34
	imulq	%r9, %rax
.Ltmp17:
	#DEBUG_VALUE: i <- [DW_OP_LLVM_arg 0, DW_OP_consts 1, DW_OP_LLVM_arg 0, DW_OP_plus, DW_OP_plus, DW_OP_stack_value] undef
	#DEBUG_VALUE: fnv1a:hash <- $rax
	.loc	0 6 5 is_stmt 1                 # hashes.c:6:5
	addq	$1, %rcx
	movq	%rax, %rdx
	cmpq	%rcx, %r8
	jne	.LBB0_6
.Ltmp18:
.LBB0_7:
	#DEBUG_VALUE: fnv1a:bytes <- [DW_OP_LLVM_entry_value 1] $rdi
	#DEBUG_VALUE: fnv1a:n <- [DW_OP_LLVM_entry_value 1] $rsi
	.loc	0 8 5                           # hashes.c:8:5
	retq
.Ltmp19:
.Lfunc_end0:
	.size	fnv1a, .Lfunc_end0-fnv1a
	.cfi_endproc
                                        # -- End function
	.globl	mix                             # -- Begin function mix
	.p2align	4, 0x90
	.type	mix,@function
mix:                                    # @mix
.Lfunc_begin1:
	.loc	0 11 0                          # hashes.c:11:0
	.cfi_startproc
# %bb.0:
	#DEBUG_VALUE: mix:x <- $rdi
	.loc	0 12 12 prologue_end            # hashes.c:12:12
	movq	%rdi, %rax
	shrq	$33, %rax
	.loc	0 12 7 is_stmt 0                # hashes.c:12:7
	xorq	%rdi, %rax
.Ltmp20:
	#DEBUG_VALUE: mix:x <- $rax
	.loc	0 0 7                           # hashes.c:0:7
	movabsq	$-49064778989728563, %rcx       # imm = 0xFF51AFD7ED558CCD
	.loc	0 13 7 is_stmt 1                # hashes.c:13:7
	imulq	%rax, %rcx
.Ltmp21:
	#DEBUG_VALUE: mix:x <- $rcx
	.loc	0 14 12                         # hashes.c:14:12
	movq	%rcx, %rax
	shrq	$33, %rax
	.loc	0 14 7 is_stmt 0                # hashes.c:14:7
	xorq	%rcx, %rax
.Ltmp22:
	#DEBUG_VALUE: mix:x <- $rax
	.loc	0 0 7                           # hashes.c:0:7
	movabsq	$-4265267296055464877, %rcx     # imm = 0xC4CEB9FE1A85EC53
	.loc	0 15 7 is_stmt 1                # hashes.c:15:7
	imulq	%rax, %rcx
.Ltmp23:
	#DEBUG_VALUE: mix:x <- $rcx
	.loc	0 16 18                         # hashes.c:16:18
	movq	%rcx, %rax
	shrq	$33, %rax
	.loc	0 16 14 is_stmt 0               # hashes.c:16:14
	xorq	%rcx, %rax
	.loc	0 16 5                          # hashes.c:16:5
	retq
.Ltmp24:
.Lfunc_end1:
	.size	mix, .Lfunc_end1-mix
	.cfi_endproc
                                        # -- End function
	.file	1 "/usr/include/x86_64-linux-gnu/bits" "types.h" md5 0xd108b5f93a74c50510d7d9bc0ab36df9
	.file	2 "/usr/include/x86_64-linux-gnu/bits" "stdint-uintn.h" md5 0x2bf2ae53c58c01b1a1b9383b5195125c
	.file	3 "/usr/lib/llvm-14/lib/clang/14.0.6/include" "stddef.h" md5 0x2499dd2361b915724b073282bea3a7bc
	.section	.debug_loclists,"",@progbits
	.long	.Ldebug_list_header_end0-.Ldebug_list_header_start0 # Length
.Ldebug_list_header_start0:
	.short	5                               # Version
	.byte	8                               # Address size
	.byte	0                               # Segment selector size
	.long	5                               # Offset entry count
.Lloclists_table_base0:
	.long	.Ldebug_loc0-.Lloclists_table_base0
	.long	.Ldebug_loc1-.Lloclists_table_base0
	.long	.Ldebug_loc2-.Lloclists_table_base0
	.long	.Ldebug_loc3-.Lloclists_table_base0
	.long	.Ldebug_loc4-.Lloclists_table_base0
.Ldebug_loc0:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Lfunc_begin0-.Lfunc_begin0    #   starting offset
	.uleb128 .Ltmp15-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	85                              # DW_OP_reg5
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp15-.Lfunc_begin0          #   starting offset
	.uleb128 .Lfunc_end0-.Lfunc_begin0      #   ending offset
	.byte	4                               # Loc expr size
	.byte	163                             # DW_OP_entry_value
	.byte	1                               # 1
	.byte	85                              # DW_OP_reg5
	.byte	159                             # DW_OP_stack_value
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc1:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Lfunc_begin0-.Lfunc_begin0    #   starting offset
	.uleb128 .Ltmp6-.Lfunc_begin0           #   ending offset
	.byte	1                               # Loc expr size
	.byte	84                              # DW_OP_reg4
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp6-.Lfunc_begin0           #   starting offset
	.uleb128 .Lfunc_end0-.Lfunc_begin0      #   ending offset
	.byte	4                               # Loc expr size
	.byte	163                             # DW_OP_entry_value
	.byte	1                               # 1
	.byte	84                              # DW_OP_reg4
	.byte	159                             # DW_OP_stack_value
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc2:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Lfunc_begin0-.Lfunc_begin0    #   starting offset
	.uleb128 .Ltmp7-.Lfunc_begin0           #   ending offset
	.byte	12                              # Loc expr size
	.byte	16                              # DW_OP_constu
	.byte	165                             # 14695981039346656037
	.byte	198                             # 
	.byte	136                             # 
	.byte	161                             # 
	.byte	200                             # 
	.byte	156                             # 
	.byte	167                             # 
	.byte	249                             # 
	.byte	203                             # 
	.byte	1                               # 
	.byte	159                             # DW_OP_stack_value
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp7-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp8-.Lfunc_begin0           #   ending offset
	.byte	1                               # Loc expr size
	.byte	81                              # DW_OP_reg1
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp8-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp9-.Lfunc_begin0           #   ending offset
	.byte	1                               # Loc expr size
	.byte	80                              # DW_OP_reg0
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp9-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp10-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	81                              # DW_OP_reg1
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp10-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp11-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	80                              # DW_OP_reg0
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp11-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp13-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	81                              # DW_OP_reg1
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp16-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp17-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	81                              # DW_OP_reg1
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp17-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp18-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	80                              # DW_OP_reg0
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc3:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Lfunc_begin0-.Lfunc_begin0    #   starting offset
	.uleb128 .Ltmp3-.Lfunc_begin0           #   ending offset
	.byte	2                               # Loc expr size
	.byte	48                              # DW_OP_lit0
	.byte	159                             # DW_OP_stack_value
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp5-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp7-.Lfunc_begin0           #   ending offset
	.byte	2                               # Loc expr size
	.byte	48                              # DW_OP_lit0
	.byte	159                             # DW_OP_stack_value
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp7-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp8-.Lfunc_begin0           #   ending offset
	.byte	1                               # Loc expr size
	.byte	82                              # DW_OP_reg2
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp8-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp9-.Lfunc_begin0           #   ending offset
	.byte	5                               # Loc expr size
	.byte	114                             # DW_OP_breg2
	.byte	0                               # 0
	.byte	49                              # DW_OP_lit1
	.byte	33                              # DW_OP_or
	.byte	159                             # DW_OP_stack_value
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp9-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp10-.Lfunc_begin0          #   ending offset
	.byte	5                               # Loc expr size
	.byte	114                             # DW_OP_breg2
	.byte	0                               # 0
	.byte	50                              # DW_OP_lit2
	.byte	33                              # DW_OP_or
	.byte	159                             # DW_OP_stack_value
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp10-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp12-.Lfunc_begin0          #   ending offset
	.byte	5                               # Loc expr size
	.byte	114                             # DW_OP_breg2
	.byte	0                               # 0
	.byte	51                              # DW_OP_lit3
	.byte	33                              # DW_OP_or
	.byte	159                             # DW_OP_stack_value
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp12-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp13-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	82                              # DW_OP_reg2
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc4:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Lfunc_begin1-.Lfunc_begin0    #   starting offset
	.uleb128 .Ltmp20-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	85                              # DW_OP_reg5
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp20-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp21-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	80                              # DW_OP_reg0
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp21-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp22-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	82                              # DW_OP_reg2
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp22-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp23-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	80                              # DW_OP_reg0
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp23-.Lfunc_begin0          #   starting offset
	.uleb128 .Lfunc_end1-.Lfunc_begin0      #   ending offset
	.byte	1                               # Loc expr size
	.byte	82                              # DW_OP_reg2
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_list_header_end0:
	.section	.debug_abbrev,"",@progbits
	.byte	1                               # Abbreviation Code
	.byte	17                              # DW_TAG_compile_unit
	.byte	1                               # DW_CHILDREN_yes
	.byte	37                              # DW_AT_producer
	.byte	37                              # DW_FORM_strx1
	.byte	19                              # DW_AT_language
	.byte	5                               # DW_FORM_data2
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	114                             # DW_AT_str_offsets_base
	.byte	23                              # DW_FORM_sec_offset
	.byte	16                              # DW_AT_stmt_list
	.byte	23                              # DW_FORM_sec_offset
	.byte	27                              # DW_AT_comp_dir
	.byte	37                              # DW_FORM_strx1
	.byte	17                              # DW_AT_low_pc
	.byte	27                              # DW_FORM_addrx
	.byte	18                              # DW_AT_high_pc
	.byte	6                               # DW_FORM_data4
	.byte	115                             # DW_AT_addr_base
	.byte	23                              # DW_FORM_sec_offset
	.byte	116                             # DW_AT_rnglists_base
	.byte	23                              # DW_FORM_sec_offset
	.ascii	"\214\001"                      # DW_AT_loclists_base
	.byte	23                              # DW_FORM_sec_offset
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	2                               # Abbreviation Code
	.byte	46                              # DW_TAG_subprogram
	.byte	1                               # DW_CHILDREN_yes
	.byte	17                              # DW_AT_low_pc
	.byte	27                              # DW_FORM_addrx
	.byte	18                              # DW_AT_high_pc
	.byte	6                               # DW_FORM_data4
	.byte	64                              # DW_AT_frame_base
	.byte	24                              # DW_FORM_exprloc
	.byte	122                             # DW_AT_call_all_calls
	.byte	25                              # DW_FORM_flag_present
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	58                              # DW_AT_decl_file
	.byte	11                              # DW_FORM_data1
	.byte	59                              # DW_AT_decl_line
	.byte	11                              # DW_FORM_data1
	.byte	39                              # DW_AT_prototyped
	.byte	25                              # DW_FORM_flag_present
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	63                              # DW_AT_external
	.byte	25                              # DW_FORM_flag_present
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	3                               # Abbreviation Code
	.byte	5                               # DW_TAG_formal_parameter
	.byte	0                               # DW_CHILDREN_no
	.byte	2                               # DW_AT_location
	.byte	34                              # DW_FORM_loclistx
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	58                              # DW_AT_decl_file
	.byte	11                              # DW_FORM_data1
	.byte	59                              # DW_AT_decl_line
	.byte	11                              # DW_FORM_data1
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	4                               # Abbreviation Code
	.byte	52                              # DW_TAG_variable
	.byte	0                               # DW_CHILDREN_no
	.byte	2                               # DW_AT_location
	.byte	34                              # DW_FORM_loclistx
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	58                              # DW_AT_decl_file
	.byte	11                              # DW_FORM_data1
	.byte	59                              # DW_AT_decl_line
	.byte	11                              # DW_FORM_data1
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	5                               # Abbreviation Code
	.byte	11                              # DW_TAG_lexical_block
	.byte	1                               # DW_CHILDREN_yes
	.byte	85                              # DW_AT_ranges
	.byte	35                              # DW_FORM_rnglistx
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	6                               # Abbreviation Code
	.byte	22                              # DW_TAG_typedef
	.byte	0                               # DW_CHILDREN_no
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	58                              # DW_AT_decl_file
	.byte	11                              # DW_FORM_data1
	.byte	59                              # DW_AT_decl_line
	.byte	11                              # DW_FORM_data1
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	7                               # Abbreviation Code
	.byte	36                              # DW_TAG_base_type
	.byte	0                               # DW_CHILDREN_no
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	62                              # DW_AT_encoding
	.byte	11                              # DW_FORM_data1
	.byte	11                              # DW_AT_byte_size
	.byte	11                              # DW_FORM_data1
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	8                               # Abbreviation Code
	.byte	15                              # DW_TAG_pointer_type
	.byte	0                               # DW_CHILDREN_no
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	9                               # Abbreviation Code
	.byte	38                              # DW_TAG_const_type
	.byte	0                               # DW_CHILDREN_no
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	0                               # EOM(3)
	.section	.debug_info,"",@progbits
.Lcu_begin0:
	.long	.Ldebug_info_end0-.Ldebug_info_start0 # Length of Unit
.Ldebug_info_start0:
	.short	5                               # DWARF version number
	.byte	1                               # DWARF Unit Type
	.byte	8                               # Address Size (in bytes)
	.long	.debug_abbrev                   # Offset Into Abbrev. Section
	.byte	1                               # Abbrev [1] 0xc:0x9a DW_TAG_compile_unit
	.byte	0                               # DW_AT_producer
	.short	12                              # DW_AT_language
	.byte	1                               # DW_AT_name
	.long	.Lstr_offsets_base0             # DW_AT_str_offsets_base
	.long	.Lline_table_start0             # DW_AT_stmt_list
	.byte	2                               # DW_AT_comp_dir
	.byte	0                               # DW_AT_low_pc
	.long	.Lfunc_end1-.Lfunc_begin0       # DW_AT_high_pc
	.long	.Laddr_table_base0              # DW_AT_addr_base
	.long	.Lrnglists_table_base0          # DW_AT_rnglists_base
	.long	.Lloclists_table_base0          # DW_AT_loclists_base
	.byte	2                               # Abbrev [2] 0x2b:0x37 DW_TAG_subprogram
	.byte	0                               # DW_AT_low_pc
	.long	.Lfunc_end0-.Lfunc_begin0       # DW_AT_high_pc
	.byte	1                               # DW_AT_frame_base
	.byte	87
                                        # DW_AT_call_all_calls
	.byte	3                               # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	4                               # DW_AT_decl_line
                                        # DW_AT_prototyped
	.long	123                             # DW_AT_type
                                        # DW_AT_external
	.byte	3                               # Abbrev [3] 0x3a:0x9 DW_TAG_formal_parameter
	.byte	0                               # DW_AT_location
	.byte	8                               # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	4                               # DW_AT_decl_line
	.long	143                             # DW_AT_type
	.byte	3                               # Abbrev [3] 0x43:0x9 DW_TAG_formal_parameter
	.byte	1                               # DW_AT_location
	.byte	10                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	4                               # DW_AT_decl_line
	.long	157                             # DW_AT_type
	.byte	4                               # Abbrev [4] 0x4c:0x9 DW_TAG_variable
	.byte	2                               # DW_AT_location
	.byte	12                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	5                               # DW_AT_decl_line
	.long	123                             # DW_AT_type
	.byte	5                               # Abbrev [5] 0x55:0xc DW_TAG_lexical_block
	.byte	0                               # DW_AT_ranges
	.byte	4                               # Abbrev [4] 0x57:0x9 DW_TAG_variable
	.byte	3                               # DW_AT_location
	.byte	13                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	6                               # DW_AT_decl_line
	.long	157                             # DW_AT_type
	.byte	0                               # End Of Children Mark
	.byte	0                               # End Of Children Mark
	.byte	2                               # Abbrev [2] 0x62:0x19 DW_TAG_subprogram
	.byte	1                               # DW_AT_low_pc
	.long	.Lfunc_end1-.Lfunc_begin1       # DW_AT_high_pc
	.byte	1                               # DW_AT_frame_base
	.byte	87
                                        # DW_AT_call_all_calls
	.byte	7                               # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	11                              # DW_AT_decl_line
                                        # DW_AT_prototyped
	.long	123                             # DW_AT_type
                                        # DW_AT_external
	.byte	3                               # Abbrev [3] 0x71:0x9 DW_TAG_formal_parameter
	.byte	4                               # DW_AT_location
	.byte	14                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	11                              # DW_AT_decl_line
	.long	123                             # DW_AT_type
	.byte	0                               # End Of Children Mark
	.byte	6                               # Abbrev [6] 0x7b:0x8 DW_TAG_typedef
	.long	131                             # DW_AT_type
	.byte	6                               # DW_AT_name
	.byte	2                               # DW_AT_decl_file
	.byte	27                              # DW_AT_decl_line
	.byte	6                               # Abbrev [6] 0x83:0x8 DW_TAG_typedef
	.long	139                             # DW_AT_type
	.byte	5                               # DW_AT_name
	.byte	1                               # DW_AT_decl_file
	.byte	45                              # DW_AT_decl_line
	.byte	7                               # Abbrev [7] 0x8b:0x4 DW_TAG_base_type
	.byte	4                               # DW_AT_name
	.byte	7                               # DW_AT_encoding
	.byte	8                               # DW_AT_byte_size
	.byte	8                               # Abbrev [8] 0x8f:0x5 DW_TAG_pointer_type
	.long	148                             # DW_AT_type
	.byte	9                               # Abbrev [9] 0x94:0x5 DW_TAG_const_type
	.long	153                             # DW_AT_type
	.byte	7                               # Abbrev [7] 0x99:0x4 DW_TAG_base_type
	.byte	9                               # DW_AT_name
	.byte	8                               # DW_AT_encoding
	.byte	1                               # DW_AT_byte_size
	.byte	6                               # Abbrev [6] 0x9d:0x8 DW_TAG_typedef
	.long	139                             # DW_AT_type
	.byte	11                              # DW_AT_name
	.byte	3                               # DW_AT_decl_file
	.byte	46                              # DW_AT_decl_line
	.byte	0                               # End Of Children Mark
.Ldebug_info_end0:
	.section	.debug_rnglists,"",@progbits
	.long	.Ldebug_list_header_end1-.Ldebug_list_header_start1 # Length
.Ldebug_list_header_start1:
	.short	5                               # Version
	.byte	8                               # Address size
	.byte	0                               # Segment selector size
	.long	1                               # Offset entry count
.Lrnglists_table_base0:
	.long	.Ldebug_ranges0-.Lrnglists_table_base0
.Ldebug_ranges0:
	.byte	4                               # DW_RLE_offset_pair
	.uleb128 .Ltmp0-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp3-.Lfunc_begin0           #   ending offset
	.byte	4                               # DW_RLE_offset_pair
	.uleb128 .Ltmp5-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp18-.Lfunc_begin0          #   ending offset
	.byte	0                               # DW_RLE_end_of_list
.Ldebug_list_header_end1:
	.section	.debug_str_offsets,"",@progbits
	.long	64                              # Length of String Offsets Set
	.short	5
	.short	0
.Lstr_offsets_base0:
	.section	.debug_str,"MS",@progbits,1
.Linfo_string0:
	.asciz	"Debian clang version 14.0.6"   # string offset=0
.Linfo_string1:
	.asciz	"hashes.c"                      # string offset=28
.Linfo_string2:
	.asciz	"."                             # string offset=37
.Linfo_string3:
	.asciz	"fnv1a"                         # string offset=39
.Linfo_string4:
	.asciz	"unsigned long"                 # string offset=45
.Linfo_string5:
	.asciz	"__uint64_t"                    # string offset=59
.Linfo_string6:
	.asciz	"uint64_t"                      # string offset=70
.Linfo_string7:
	.asciz	"mix"                           # string offset=79
.Linfo_string8:
	.asciz	"bytes"                         # string offset=83
.Linfo_string9:
	.asciz	"unsigned char"                 # string offset=89
.Linfo_string10:
	.asciz	"n"                             # string offset=103
.Linfo_string11:
	.asciz	"size_t"                        # string offset=105
.Linfo_string12:
	.asciz	"hash"                          # string offset=112
.Linfo_string13:
	.asciz	"i"                             # string offset=117
.Linfo_string14:
	.asciz	"x"                             # string offset=119
	.section	.debug_str_offsets,"",@progbits
	.long	.Linfo_string0
	.long	.Linfo_string1
	.long	.Linfo_string2
	.long	.Linfo_string3
	.long	.Linfo_string4
	.long	.Linfo_string5
	.long	.Linfo_string6
	.long	.Linfo_string7
	.long	.Linfo_string8
	.long	.Linfo_string9
	.long	.Linfo_string10
	.long	.Linfo_string11
	.long	.Linfo_string12
	.long	.Linfo_string13
	.long	.Linfo_string14
	.section	.debug_addr,"",@progbits
	.long	.Ldebug_addr_end0-.Ldebug_addr_start0 # Length of contribution
.Ldebug_addr_start0:
	.short	5                               # DWARF version number
	.byte	8                               # Address size
	.byte	0                               # Segment selector size
.Laddr_table_base0:
	.quad	.Lfunc_begin0
	.quad	.Lfunc_begin1
.Ldebug_addr_end0:
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.section	.debug_line,"",@progbits
.Lline_table_start0:
