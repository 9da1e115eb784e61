/* The configuration's keys for people, from the table that the image reads them by.
 *
 *   config-page markdown    the rows of README's table
 *   config-page man         the manual page slotscope.cfg(5)
 */
#include <stdio.h>
#include <string.h>

#include "harness/configure/config_value.h"

static void print_markdown(void)
{
    const struct config_key *key;

    printf("| key | values | default |\n|---|---|---|\n");
    for (size_t i = 0; (key = config_key_at(i)) != NULL; i++)
        printf("| `%s` | %s | %s |\n", key->name, key->meaning, key->standard);
}

/* Text for roff: words in backquotes are bold; a backslash, and a hyphen that is typed, escaped. */
static void print_roff(const char *text)
{
    bool bold = false;

    for (; *text; text++) {
        if (*text == '`') {
            bold = !bold;
            printf("\\f%c", bold ? 'B' : 'R');
        } else if (*text == '\\') {
            printf("\\e");
        } else {
            printf(*text == '-' ? "\\-" : "%c", *text);
        }
    }
}

static void print_man(void)
{
    const struct config_key *key;

    printf(
        ".TH SLOTSCOPE.CFG 5 \"\" slotscope \"File formats\"\n.SH NAME\n"
        "slotscope.cfg \\- what slotscope measures on a test rig\n.SH DESCRIPTION\n"
        "The file \\fB\\eslotscope\\eslotscope.cfg\\fR on the stick, one\n"
        ".I key = value\na line, # begins a comment. The same words as load options of the image, "
        "\\fIkey=value\\fR, win.\n"
        "An unknown key or a bad value is an error, and nothing is measured.\n.SH KEYS\n");
    for (size_t i = 0; (key = config_key_at(i)) != NULL; i++) {
        printf(".TP\n.BR %s \" (default: ", key->name);
        print_roff(key->standard);
        printf(")\"\n");
        print_roff(key->meaning);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "markdown") == 0)
        print_markdown();
    else if (argc == 2 && strcmp(argv[1], "man") == 0)
        print_man();
    else {
        fprintf(stderr, "usage: config-page markdown|man\n");
        return 2;
    }
    return ferror(stdout) != 0;
}
