#include "cut.h"

#include "boot/firmware/console.h"
#include "boot/format.h"
#include "boot/log.h"
#include "summary.h"

static void say(const struct cut *cut)
{
    log_error("the log file has no room for more, and ends", "\\slotscope",
              cut->stops ? "more room on the stick; the run ends"
                         : "more room on the stick; the serial line goes on alone");
}

static void look(struct run *run)
{
    struct cut *cut = &run->cut;

    if (!console_stick_is_cut())
        return;
    cut->happened = true;
    cut->stops = !console_serial_is_sure();
    if (console_stick_rewind()) {
        say(cut);
        summary_end_cut(run);
        console_close_stick();
    }
    say(cut);
    run->progress.stopped |= cut->stops;
}

void cut_look(struct run *run, const char *kernel, unsigned core)
{
    if (console_stick_has_all())
        format(run->cut.behind, sizeof(run->cut.behind), "%s on core %u", kernel, core);
    look(run);
}

void cut_before_end(struct run *run)
{
    console_before_end();
    if (run != NULL)
        look(run);
    console_give_end_room();
}
