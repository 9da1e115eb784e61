/* The instructions of a kernel's code that can be reached from its first byte. */
#ifndef TOOLS_KERNEL_CODE_H
#define TOOLS_KERNEL_CODE_H

#include <stdbool.h>

#include "tools/kernel_object.h"

#define CODE_ERROR_BYTES 256

enum code_kind {
    CODE_ORDINARY, /* runs on into the next instruction */
    CODE_CONDITIONAL,
    CODE_JUMP,
    CODE_JUMP_INDIRECT,
    CODE_CALL,
    CODE_CALL_INDIRECT,
    CODE_RETURN,
};

/* What is known of each byte. */
struct code_byte {
    uint8_t length; /* of the instruction that begins here; 0: none does */
    bool within;    /* belongs to an instruction that begins before */
    bool leader;    /* a basic block begins here */
    bool function;  /* the first instruction, or the target of a CALL */
    enum code_kind kind;
    uint32_t target; /* of a direct branch, in bytes from CODE */
};

struct kernel_code {
    const struct kernel_object *object;
    struct code_byte *bytes; /* as many as the object's code has */
};

/* Decodes. False: the code is refused: it has bytes that are no instruction or that nothing
 * reaches, a branch that leaves it or whose TARGETS are not stated, or an instruction that changes
 * the flow in another way (INT3, SYSCALL, far branches). Then error begins with the label of the
 * place. kernel_code_free takes back the memory, whether it went well or not. */
bool kernel_code_decode(struct kernel_code *code, const struct kernel_object *object,
                        char error[CODE_ERROR_BYTES]);
void kernel_code_free(struct kernel_code *code);

/* Whether the instruction is an indirect JMP or CALL; its targets are those that the file states.
 */
bool code_indirect(enum code_kind kind);
bool code_calls(enum code_kind kind);
/* Whether the next instruction can follow: of a CALL, after the return. */
bool code_continues(enum code_kind kind);

/* Writes "LABEL", or "LABEL + BYTES" after the last BLOCK before the offset, and then the message,
 * to error. Returns false. */
bool code_refuse(const struct kernel_object *object, uint32_t offset, char error[CODE_ERROR_BYTES],
                 const char *message);

#endif
