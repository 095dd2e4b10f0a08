# Context { stack_pointer, fs_base }. Ends in jmp, not ret: the return predictor would miss every time.
        .text
        .globl  __plait_context_switch
        .hidden __plait_context_switch
        .type   __plait_context_switch, @function
        .p2align 4
__plait_context_switch:
        .cfi_startproc
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        pushq   %rbx
        .cfi_adjust_cfa_offset 8
        pushq   %r12
        .cfi_adjust_cfa_offset 8
        pushq   %r13
        .cfi_adjust_cfa_offset 8
        pushq   %r14
        .cfi_adjust_cfa_offset 8
        pushq   %r15
        .cfi_adjust_cfa_offset 8
        movq    %rsp, (%rdi)
        movq    (%rsi), %rsp
        movq    8(%rsi), %rax
        cmpq    8(%rdi), %rax
        je      1f
        wrfsbase %rax
1:      popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        popq    %rax
        jmp     *%rax
        .cfi_endproc
        .size   __plait_context_switch, .-__plait_context_switch

        .globl  __plait_context_jump
        .hidden __plait_context_jump
        .type   __plait_context_jump, @function
        .p2align 4
__plait_context_jump:
        .cfi_startproc
        movq    (%rdi), %rsp
        movq    8(%rdi), %rax
        wrfsbase %rax
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        popq    %rax
        jmp     *%rax
        .cfi_endproc
        .size   __plait_context_jump, .-__plait_context_jump

# The outermost frame of every fiber: the unwinder stops here.
        .globl  __plait_context_entry
        .hidden __plait_context_entry
        .type   __plait_context_entry, @function
        .p2align 4
__plait_context_entry:
        .cfi_startproc
        .cfi_undefined rip
        xorl    %ebp, %ebp
        movq    %r12, %rdi
        callq   *%rbx
        ud2
        .cfi_endproc
        .size   __plait_context_entry, .-__plait_context_entry
        .section .note.GNU-stack,"",@progbits
