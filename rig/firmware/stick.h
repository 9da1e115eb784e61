/* What can be wrong with the stick: no write of a file succeeds once STICK_ROOM bytes are written,
 * or every write after the first fails; or it is nearly full, and says so. Files take whole blocks
 * of it. */
#ifndef RIG_FIRMWARE_STICK_H
#define RIG_FIRMWARE_STICK_H

#define STICK_ROOM  16384u
#define STICK_BLOCK 512u

enum stick_fault { STICK_SOUND, STICK_FULL, STICK_ERROR, STICK_RENAME, STICK_LIMITED };

#endif
