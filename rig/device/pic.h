/* Two 8259A interrupt controllers, the second one on input 2 of the first, as every PC has them. */
#ifndef RIG_DEVICE_PIC_H
#define RIG_DEVICE_PIC_H

#include <stdbool.h>
#include <stdint.h>

#define PORT_PIC_FIRST   0x20u
#define PORT_PIC_SECOND  0xa0u
#define PORT_PIC_TRIGGER 0x4d0u /* edge/level control of the first; the second's is next to it */
#define PIC_CASCADE      2u

struct pic_chip {
    uint8_t lines, request, service, mask, level; /* a bit for each input; level: by ELCR */
    uint8_t base;                                 /* vector of input 0 */
    uint8_t lowest;                               /* the input with the lowest priority */
    uint8_t awaits;                               /* the next initialisation word, 0 none */
    bool single, wants_word_4, all_level;
    bool automatic_end, rotates, nested_specially, masks_specially;
    bool reads_service, polled;
};

struct pic {
    struct pic_chip chip[2];
};

/* As firmware leaves them: vectors 68H and 70H, every input masked. */
void pic_reset(struct pic *pic);
uint8_t pic_read(struct pic *pic, uint16_t port);
void pic_write(struct pic *pic, uint16_t port, uint8_t value);
bool pic_has_port(uint16_t port);
void pic_line(struct pic *pic, unsigned irq, bool high); /* irq 0..15, not 2 */
/* The level of the INTR pin, and the vector with which the chips answer an acknowledgement. */
bool pic_asks(const struct pic *pic);
uint8_t pic_acknowledge(struct pic *pic);

#endif
