/* Which build this is. tools/identity.sh writes what these are, for the image and for the programs
 * of the PC alike. */
#ifndef BOOT_IDENTITY_H
#define BOOT_IDENTITY_H

/* The number of the release, in the sense of semver.org. */
extern const char identity_version[];
/* The commit, twelve digits of its hash; behind them "+changed" when its files were changed; ""
 * when it is not known. */
extern const char identity_commit[];
/* The day of that commit, UTC, as 2026-11-25, or what SOURCE_DATE_EPOCH said; "": not known. */
extern const char identity_date[];

#endif
