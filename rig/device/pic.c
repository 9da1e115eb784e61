/* "8259A Programmable Interrupt Controller": initialisation and operation command words, fully
 * nested priorities, rotation, the special modes, polling. When an input is released before the
 * acknowledgement, the vector is that of input 7. The edge/level control registers are as in the
 * PIIX and its successors. */
#include "pic.h"

#define INPUTS          8u
#define NOBODY          (-1)
#define DEFAULT_INPUT   7u
#define BIT(n)          ((uint8_t)(1u << (n)))
#define ICW1            0x10u
#define ICW1_NEEDS_ICW4 0x01u
#define ICW1_SINGLE     0x02u
#define ICW1_LEVEL      0x08u
#define ICW4_AUTOMATIC  0x02u
#define ICW4_NESTED     0x10u
#define OCW3            0x08u
#define OCW3_POLL       0x04u
#define POLL_FOUND      0x80u

enum ocw2 {
    ROTATE_AUTOMATIC_CLEAR,
    END_ANY,
    NO_OPERATION,
    END_THIS,
    ROTATE_AUTOMATIC_SET,
    ROTATE_END_ANY,
    SET_PRIORITY,
    ROTATE_END_THIS
};

/* Inputs that are always edges on a PC: timer, keyboard, cascade; clock, coprocessor. */
static const uint8_t always_edge[2] = {0x07, 0x21};

void pic_reset(struct pic *pic)
{
    *pic = (struct pic){
        {{.base = 0x68, .mask = 0xff, .lowest = 7}, {.base = 0x70, .mask = 0xff, .lowest = 7}}};
}

bool pic_has_port(uint16_t port)
{
    return (port & ~1u) == PORT_PIC_FIRST || (port & ~1u) == PORT_PIC_SECOND ||
           (port & ~1u) == PORT_PIC_TRIGGER;
}

/* The most urgent input of `bits`, its rank in `rank` (8 when there is none). */
static unsigned most_urgent(const struct pic_chip *chip, uint8_t bits, unsigned *rank)
{
    for (*rank = 0; *rank < INPUTS; ++*rank) {
        unsigned input = (chip->lowest + 1u + *rank) % INPUTS;

        if (bits & BIT(input))
            return input;
    }
    return DEFAULT_INPUT;
}

/* The input for which the chip asserts INTR, or NOBODY. */
static int asking(const struct pic_chip *chip, bool first)
{
    uint8_t above = chip->service;
    unsigned rank, bound, input;

    if (chip->awaits)
        return NOBODY;
    if (chip->masks_specially)
        above &= (uint8_t)~chip->mask;
    if (chip->nested_specially && first)
        above &= (uint8_t)~BIT(PIC_CASCADE);
    input = most_urgent(chip, chip->request & (uint8_t)~chip->mask, &rank);
    most_urgent(chip, above, &bound);
    return rank < bound ? (int)input : NOBODY;
}

static uint8_t levels(const struct pic_chip *chip)
{
    return chip->all_level ? 0xff : chip->level;
}

static void drive(struct pic_chip *chip, unsigned input, bool high)
{
    uint8_t bit = BIT(input);

    if (!high)
        chip->request &= (uint8_t)~bit;
    else if (!(chip->lines & bit) || levels(chip) & bit)
        chip->request |= bit;
    chip->lines = (uint8_t)(high ? chip->lines | bit : chip->lines & ~bit);
}

static void cascade(struct pic *pic)
{
    drive(&pic->chip[0], PIC_CASCADE, asking(&pic->chip[1], false) != NOBODY);
}

void pic_line(struct pic *pic, unsigned irq, bool high)
{
    drive(&pic->chip[irq / INPUTS], irq % INPUTS, high);
    cascade(pic);
}

bool pic_asks(const struct pic *pic)
{
    return asking(&pic->chip[0], true) != NOBODY;
}

static void end(struct pic_chip *chip, unsigned input, bool rotate)
{
    chip->service &= (uint8_t)~BIT(input);
    if (rotate)
        chip->lowest = (uint8_t)input;
}

/* The acknowledgement cycle of one chip: gives the input. */
static unsigned acknowledge(struct pic_chip *chip, bool first)
{
    int input = asking(chip, first);

    if (input == NOBODY)
        return DEFAULT_INPUT;
    if (!(levels(chip) & BIT(input)))
        chip->request &= (uint8_t)~BIT(input);
    chip->service |= BIT(input);
    if (chip->automatic_end)
        end(chip, (unsigned)input, chip->rotates);
    return (unsigned)input;
}

uint8_t pic_acknowledge(struct pic *pic)
{
    bool second = asking(&pic->chip[0], true) == PIC_CASCADE;
    unsigned input = acknowledge(&pic->chip[0], true);
    uint8_t vector = (uint8_t)(pic->chip[0].base + input);

    if (second)
        vector = (uint8_t)(pic->chip[1].base + acknowledge(&pic->chip[1], false));
    /* If the second chip still has a request, it is a new edge to the first. */
    drive(&pic->chip[0], PIC_CASCADE, false);
    cascade(pic);
    return vector;
}

/* ---- registers ---- */

static void initialise(struct pic_chip *chip, uint8_t value)
{
    *chip = (struct pic_chip){.lines = chip->lines,
                              .level = chip->level,
                              .base = chip->base,
                              .lowest = 7,
                              .awaits = 2,
                              .single = value & ICW1_SINGLE,
                              .wants_word_4 = value & ICW1_NEEDS_ICW4,
                              .all_level = value & ICW1_LEVEL};
}

static void initialise_further(struct pic_chip *chip, uint8_t value)
{
    switch (chip->awaits) {
    case 2:
        chip->base = value & 0xf8;
        chip->awaits = chip->single ? 4 : 3;
        break;
    case 3: /* the wiring of the cascade is fixed */
        chip->awaits = 4;
        break;
    default:
        chip->automatic_end = value & ICW4_AUTOMATIC;
        chip->nested_specially = value & ICW4_NESTED;
        chip->awaits = 0;
        break;
    }
    if (chip->awaits == 4 && !chip->wants_word_4)
        chip->awaits = 0;
}

static void command_2(struct pic_chip *chip, uint8_t value)
{
    unsigned rank, input = most_urgent(chip, chip->service, &rank), named = value & 7u;
    enum ocw2 what = (enum ocw2)(value >> 5);

    switch (what) {
    case END_ANY:
    case ROTATE_END_ANY:
        if (rank < INPUTS)
            end(chip, input, what == ROTATE_END_ANY);
        break;
    case END_THIS:
    case ROTATE_END_THIS:
        end(chip, named, what == ROTATE_END_THIS);
        break;
    case SET_PRIORITY:
        chip->lowest = (uint8_t)named;
        break;
    case ROTATE_AUTOMATIC_SET:
    case ROTATE_AUTOMATIC_CLEAR:
        chip->rotates = what == ROTATE_AUTOMATIC_SET;
        break;
    case NO_OPERATION:
        break;
    }
}

static void command_3(struct pic_chip *chip, uint8_t value)
{
    chip->polled = value & OCW3_POLL;
    if (value & 2)
        chip->reads_service = value & 1;
    if (value & 0x40)
        chip->masks_specially = value & 0x20;
}

uint8_t pic_read(struct pic *pic, uint16_t port)
{
    unsigned which = port >= PORT_PIC_SECOND && (port & ~1u) != PORT_PIC_TRIGGER;
    struct pic_chip *chip = &pic->chip[which];

    if ((port & ~1u) == PORT_PIC_TRIGGER)
        return pic->chip[port & 1].level;
    if (chip->polled) {
        bool found = asking(chip, !which) != NOBODY;
        unsigned input = acknowledge(chip, !which);

        chip->polled = false;
        cascade(pic);
        return found ? (uint8_t)(POLL_FOUND | input) : 0;
    }
    if (port & 1)
        return chip->mask;
    return chip->reads_service ? chip->service : chip->request;
}

void pic_write(struct pic *pic, uint16_t port, uint8_t value)
{
    unsigned which = port >= PORT_PIC_SECOND && (port & ~1u) != PORT_PIC_TRIGGER;
    struct pic_chip *chip = &pic->chip[which];

    if ((port & ~1u) == PORT_PIC_TRIGGER)
        pic->chip[port & 1].level = value & (uint8_t)~always_edge[port & 1];
    else if (port & 1 && chip->awaits)
        initialise_further(chip, value);
    else if (port & 1)
        chip->mask = value;
    else if (value & ICW1)
        initialise(chip, value);
    else if (value & OCW3)
        command_3(chip, value);
    else
        command_2(chip, value);
    /* A level-triggered input that is still asserted requests again. */
    for (unsigned i = 0; i < 2; i++)
        pic->chip[i].request |= pic->chip[i].lines & levels(&pic->chip[i]);
    cascade(pic);
}
