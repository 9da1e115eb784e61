#ifdef SLOTSCOPE_IMAGE

#include "text.h"

#include "interrupt_safe.h"

/* Words at any address. */
typedef uint64_t __attribute__((aligned(1), may_alias)) loose_8;
typedef uint32_t __attribute__((aligned(1), may_alias)) loose_4;
typedef uint16_t __attribute__((aligned(1), may_alias)) loose_2;
typedef char __attribute__((vector_size(16), aligned(1), may_alias)) loose_16;

/* A bit for each byte, set where the byte is negative, as all ones of a comparison are. */
static unsigned signs_of(loose_16 bytes)
{
    return (unsigned)__builtin_ia32_pmovmskb128(bytes);
}

/* Copies from the lowest byte up. Bytes beyond the whole words are copied by one more word, which
 * overlaps the word before it. A string instruction and no loop: the compiler could turn a loop
 * into a call of memcpy itself. */
INTERRUPT_SAFE static void *copy_up(void *to, const void *from, size_t size)
{
    char *out = to;
    const char *in = from;

    if (size > 32) {
        uint64_t last = *(const loose_8 *)(in + size - 8); /* before the copy overwrites it */
        size_t words = (size - 1) / 8;
        char *stop = out + size - 8;

        __asm__ volatile("rep movsq" : "+D"(out), "+S"(in), "+c"(words) : : "memory");
        *(loose_8 *)stop = last;
    } else if (size > 16) {
        uint64_t first = *(const loose_8 *)in, second = *(const loose_8 *)(in + 8);
        uint64_t third = *(const loose_8 *)(in + size - 16);
        uint64_t last = *(const loose_8 *)(in + size - 8);

        *(loose_8 *)out = first;
        *(loose_8 *)(out + 8) = second;
        *(loose_8 *)(out + size - 16) = third;
        *(loose_8 *)(out + size - 8) = last;
    } else if (size >= 8) {
        uint64_t first = *(const loose_8 *)in, last = *(const loose_8 *)(in + size - 8);

        *(loose_8 *)out = first;
        *(loose_8 *)(out + size - 8) = last;
    } else if (size >= 4) {
        uint32_t first = *(const loose_4 *)in, last = *(const loose_4 *)(in + size - 4);

        *(loose_4 *)out = first;
        *(loose_4 *)(out + size - 4) = last;
    } else if (size >= 2) {
        uint16_t first = *(const loose_2 *)in, last = *(const loose_2 *)(in + size - 2);

        *(loose_2 *)out = first;
        *(loose_2 *)(out + size - 2) = last;
    } else if (size) {
        *out = *in;
    }
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    return copy_up(to, from, size);
}

void *memmove(void *to, const void *from, size_t size)
{
    char *out = to;
    const char *in = from;

    if ((uintptr_t)out - (uintptr_t)in >= size)
        return copy_up(to, from, size);
    while (size) {
        size--;
        out[size] = in[size];
        __asm__ volatile("" : : : "memory"); /* keeps the compiler from making a call of the loop */
    }
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    void *out = to;
    uint64_t pattern = 0x0101010101010101u * (uint8_t)byte;
    size_t words = size / 8, rest = size % 8;

    if (words && rest) {
        *(loose_8 *)((char *)to + size - 8) = pattern;
        rest = 0;
    }
    __asm__ volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(pattern) : "memory");
    if (rest)
        __asm__ volatile("rep stosb" : "+D"(to), "+c"(rest) : "a"(pattern) : "memory");
    return out;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const uint8_t *left = a, *right = b;

    for (; size >= 8 && *(const loose_8 *)left == *(const loose_8 *)right; size -= 8)
        left += 8, right += 8;
    for (; size; size--, left++, right++)
        if (*left != *right)
            return *left < *right ? -1 : 1;
    return 0;
}

/* (x - 1) & ~x has the top bit of a byte set if x is 0, and may have it set in the bytes above that
 * one: the lowest bit set is right (H. S. Warren, "Hacker's Delight", "Find First 0-Byte"). */
void *memchr(const void *bytes, int byte, size_t size)
{
    const uint64_t ones = 0x0101010101010101u, tops = ones << 7;
    const uint8_t *at = bytes;

    for (; size >= 16; size -= 16, at += 16) {
        const unsigned equal = signs_of(*(const loose_16 *)at == (char)byte);

        if (equal)
            return (void *)(uintptr_t)(at + __builtin_ctz(equal));
    }
    if (size >= 8) {
        const uint64_t differ = *(const loose_8 *)at ^ ones * (uint8_t)byte;
        const uint64_t equal = (differ - ones) & ~differ & tops;

        if (equal)
            return (void *)(uintptr_t)(at + __builtin_ctzll(equal) / 8);
        size -= 8;
        at += 8;
    }
    for (; size; size--, at++)
        if (*at == (uint8_t)byte)
            return (void *)(uintptr_t)at;
    return NULL;
}

typedef char bytes_16 __attribute__((vector_size(16), may_alias));

/* A bit for each byte, set where the byte is 0. */
static unsigned zeros_of(const bytes_16 *bytes)
{
    return (unsigned)__builtin_ia32_pmovmskb128(*bytes == (bytes_16){0});
}

/* Reads pieces at multiples of their size, so that no piece reaches into a page without any of the
 * text. The bytes in front of the text do not count. */
size_t strlen(const char *text)
{
    const size_t before = (uintptr_t)text % sizeof(bytes_16);
    const bytes_16 *at = (const void *)(text - before);
    unsigned zeros = zeros_of(at) >> before << before;

    while (!zeros)
        zeros = zeros_of(++at);
    return (size_t)((const char *)at - text) + (size_t)__builtin_ctz(zeros);
}

int strncmp(const char *a, const char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint8_t left = (uint8_t)a[i], right = (uint8_t)b[i];

        if (left != right)
            return left < right ? -1 : 1;
        if (!left)
            return 0;
    }
    return 0;
}

/* Whether 16 bytes from there on may reach into a page without any of the text. */
static bool is_at_page_end(const char *text)
{
    return (uintptr_t)text % 4096 > 4096 - sizeof(loose_16);
}

/* Reads 16 bytes of both texts at once, and so beyond their ends, but not beyond their pages. */
__attribute__((no_sanitize_address)) int strcmp(const char *a, const char *b)
{
    for (;;) {
        unsigned same = 0, at = 0;

        if (!is_at_page_end(a) && !is_at_page_end(b)) {
            const loose_16 left = *(const loose_16 *)a, right = *(const loose_16 *)b;

            same = signs_of((left == right) & (left != 0));
            if (same == 0xffff) {
                a += sizeof(loose_16), b += sizeof(loose_16);
                continue;
            }
            at = (unsigned)__builtin_ctz(~same);
        }
        if (a[at] != b[at])
            return (uint8_t)a[at] < (uint8_t)b[at] ? -1 : 1;
        if (!a[at])
            return 0;
        a++, b++; /* byte by byte past a page's end */
    }
}

char *strchr(const char *text, int c)
{
    for (;; text++) {
        if (*text == (char)c)
            return (char *)(uintptr_t)text;
        if (!*text)
            return NULL;
    }
}

#else
typedef int text_comes_from_the_c_library; /* C11 wants one declaration in a file */
#endif
