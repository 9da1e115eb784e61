/* Reads a log as its bytes come, says what is believed and what is damaged. Pure: bytes in, calls
 * of the sink out; it takes any bytes.
 *
 * A record is believed when its CRC, which goes on from that of the run's first record, holds, it
 * is JSON as doc/log.schema.json says, and its `seq` is above that of every record before it. Every
 * record that is not believed is named: by its line when there is something like it, and by its
 * `seq` when a later record, or the end, shows that it is not there. Verdicts and comments are
 * believed together, when the CRC behind them holds; they are handed on then, which may be after
 * records that came behind them.
 *
 * What comes before the log's first line, such as the firmware's lines, is no damage. A second run
 * begins with "TAP version 14", also behind the rest of a line that a reset cut; where that is
 * lost, with a first record of another run. Where that is lost, too, its records are not believed:
 * they are not of the run that the others are of. */
#ifndef SLOTLOG_READER_LOG_READER_H
#define SLOTLOG_READER_LOG_READER_H

#include "log_entry.h"
#include "pc/schema.h"

struct reader;

/* NULL: no memory. The schema must live as long as the reader. */
struct reader *reader_new(const struct schema *schema, const struct reader_sink *sink);
void reader_free(struct reader *reader);
void reader_feed(struct reader *reader, const char *bytes, size_t size);
/* No more bytes will come: names what is missing at the end. */
void reader_end(struct reader *reader);
const struct reader_totals *reader_totals(const struct reader *reader);

#endif
