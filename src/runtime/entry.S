# Stubs in front of the runtime's functions: see entry.h. Generated calls of the macro follow in entries.inc.
        .bss
        .globl  __plait_entry
        .hidden __plait_entry
        .p2align 4
__plait_entry:
        .zero   112
        .globl  __plait_watch_states
        .hidden __plait_watch_states
__plait_watch_states:
        .zero   16

        .set    kWiped, 2048

        .text
.macro  plait_stub name, target, arguments
        .globl  \name
        .type   \name, @function
        .p2align 4
\name:
        .cfi_startproc
        cmpb    $0, __plait_watch_states(%rip)
        je      \target
        movq    %rsp, __plait_entry(%rip)
        movq    %rbx, __plait_entry+8(%rip)
        movq    %rbp, __plait_entry+16(%rip)
        movq    %r12, __plait_entry+24(%rip)
        movq    %r13, __plait_entry+32(%rip)
        movq    %r14, __plait_entry+40(%rip)
        movq    %r15, __plait_entry+48(%rip)
        movq    %rdi, __plait_entry+56(%rip)
        movq    %rsi, __plait_entry+64(%rip)
        movq    %rdx, __plait_entry+72(%rip)
        movq    %rcx, __plait_entry+80(%rip)
        movq    %r8, __plait_entry+88(%rip)
        movq    %r9, __plait_entry+96(%rip)
        movq    $\arguments, __plait_entry+104(%rip)
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        callq   \target
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        movq    $0, __plait_entry(%rip)
        pxor    %xmm15, %xmm15
        leaq    -kWiped(%rsp), %r11
1:      movups  %xmm15, (%r11)
        movups  %xmm15, 16(%r11)
        addq    $32, %r11
        cmpq    %rsp, %r11
        jb      1b
        retq
        .cfi_endproc
        .size   \name, .-\name
.endm

#include "entries.inc"
        .section .note.GNU-stack,"",@progbits
