# slotscope: `make run` shows it at work on the virtual rig, `make test` passes the tests, `make qemu` boots it
# under OVMF. Everything is built below $(BUILD). README.md speaks to a user, ARCHITECTURE.md to someone who will
# change this.

BUILD ?= build
# `make V=1` shows the commands themselves; otherwise a terminal has one line that counts the files (tools/step.sh).
V ?= 0
MAKEFLAGS += -j$(shell nproc)
CC := gcc
NASM ?= nasm
OBJCOPY ?= objcopy

steps :=
step = $(if $(filter 0,$(V)),@$(eval steps += x)$(if $(MAKE_TERMOUT),sh tools/step.sh $(words $(steps)) $(@:$(BUILD)/%=%)))
built = $(if $(filter 0,$(V)),@sh tools/step.sh --end $(words $(steps)))

WARN := -Wall -Wextra -Wconversion -Wshadow -Werror
EFI_INCLUDE := -isystem /usr/include/efi -isystem /usr/include/efi/x86_64

# The image: freestanding, position independent, no vector registers beyond SSE2, nothing that needs a C library. The
# compiler may replace a memcpy of known size by moves (-fbuiltin), but may not make a call of a loop. Indirect branches
# go to ENDBR64: between calls of a firmware that tracks them, the image's own are tracked, too. Nothing in C is measured,
# so it is not aligned, which saves 3 % of the file; kernels and windows align themselves.
IMAGE_CFLAGS := -std=c11 -O2 -falign-functions=1 -falign-jumps=1 -falign-loops=1 -falign-labels=1 -g $(WARN) -ffreestanding -fno-stack-protector -fpic -fshort-wchar -mno-red-zone \
    -fno-asynchronous-unwind-tables -fno-strict-aliasing -fno-tree-loop-distribute-patterns -fvisibility=hidden \
    -fbuiltin -fcf-protection=branch -mcet-switch -DSLOTSCOPE_IMAGE -DGNU_EFI_USE_MS_ABI -I. $(EFI_INCLUDE)
HOST_CFLAGS := -std=c11 -O2 -g $(WARN) -D_GNU_SOURCE=
# The model clears a few hundred bytes in every cycle, for which a string instruction would cost more than the
# rest of the cycle. Its loops are short, and what they write word by word is soon read again, so vectors make a
# host wait. A second copy of cycle_finish for one of its reasons leaves less room for the rest.
RIG_OPTIMISE := -O3 -fno-tree-vectorize -fno-ipa-cp-clone -mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign
# Whole-program optimisation makes the rig a tenth faster, and takes 12 s. Tests link the same objects in the ordinary
# way: all of them as one, without what only that optimisation reads. Lines and functions are enough to debug by, and
# less to write and to link (-g1). The rig runs where it is linked to (-no-pie), with the emulator in it where the
# distribution has its archive: its functions call each other without a table between, which takes a twentieth less time.
# The rig does not see the image's headers; a test of the rig does, after the rig's own.
RIG_CFLAGS := $(HOST_CFLAGS) $(RIG_OPTIMISE) -fno-pie -g1 -flto -ffat-lto-objects -Irig
# What runs for milliseconds need not be optimised, which would take three times as long to compile.
RIG_TEST_CFLAGS := $(HOST_CFLAGS) -g1 -fno-lto -fno-pie -no-pie -Irig -I.
RIG_TEST_OPTIMISE := -O0
# binutils' second linker takes two thirds of the time of the first. The tests, which are hundreds, are linked by it.
QUICK_LINK := $(if $(shell command -v ld.gold),-fuse-ld=gold)
RIG_LIBS := -Wl,--as-needed -lunicorn -lZydis -ljansson -lz -lm
# Of two functions of the archive the rig has its own (rig/machine/engine/engine_pages.c).
ifneq ($(wildcard $(shell $(CC) -print-file-name=libunicorn.a)),)
UNICORN_ARCHIVE := -Wl,--allow-multiple-definition -l:libunicorn.a
endif
# Sanitized code is compiled for the tests alone: -O1 takes half as long as -O2, and -O0, for most tests' own code, half of
# that again.
TEST_CFLAGS := -std=c11 -O1 -g1 $(WARN) -D_GNU_SOURCE= -I. -fsanitize=address,undefined -fno-sanitize-recover=all
TEST_OPTIMISE := -O0

# Of boot/ what is built for the host, too: files whose header says "Pure" or "on the host, too" in its first comment.
BOOT_PURE := $(wildcard $(patsubst %.h,%.c,$(shell awk 'FNR == 1 { head = 1 } head && /Pure|on the host, too/ { print FILENAME; head = 0 } /\*\// { head = 0 }' boot/*.h boot/*/*.h)))
sources = $(foreach room,$(1),$(wildcard $(foreach depth,* */* */*/*,$(room)/$(depth).$(2))))
IMAGE_C := $(call sources,boot pmu kernels harness,c)
IMAGE_ASM := $(call sources,boot kernels harness,asm)
DEFS := $(wildcard pmu/cpu/*.def)
DEF_OBJ := $(DEFS:pmu/cpu/%.def=$(BUILD)/asm/pmu/cpu/%.o)

KERNEL_OBJ := $(patsubst %.asm,$(BUILD)/asm/%.o,$(wildcard kernels/*.asm))
KERNEL_MAPS := $(BUILD)/maps/kernel_maps.o
TOOLS_C := $(wildcard tools/*.c)

IMAGE_OBJ := $(IMAGE_C:%.c=$(BUILD)/image/%.o) $(IMAGE_ASM:%.asm=$(BUILD)/asm/%.o) $(DEF_OBJ) $(KERNEL_MAPS) \
    $(BUILD)/image/identity.o

# Of slotlog what is pure, for tests too.
SLOTLOG_PURE := $(wildcard slotlog/reader/*.c) slotlog/whole_log.c slotlog/doubted.c slotlog/log_numbers.c
SLOTLOG_DATA := $(BUILD)/asm/slotlog/schema.o $(BUILD)/asm/slotlog/tables.o
SLOTLOG_PAGE := $(BUILD)/asm/slotlog/page.o

# What also compiles on the host and is tested there: everything but the seams and the parts that only a machine has.
HARNESS_MACHINE := harness/main.c
PC_C := $(filter-out pc/tma.c pc/own_check.c pc/config_page.c pc/survey.c pc/recorded_machine.c,$(wildcard pc/*.c))
BIOS_PURE := $(foreach name,boot_information pages pe_image power smbios_entry,bios/$(name).c)
HOST_C := $(BOOT_PURE) $(BIOS_PURE) $(filter-out $(HARNESS_MACHINE),$(call sources,pmu kernels harness,c)) $(PC_C) $(SLOTLOG_PURE) \
    $(filter-out tools/kernel_maps.c,$(TOOLS_C)) tests/tools/gains.c tests/tools/share_verdicts.c tests/tools/truth_log.c \
    $(foreach name,facts doubt real band gap outcome sort table domain plan,tests/sweep/$(name).c) rig/fault/rows.c
HOST_OBJ := $(HOST_C:%.c=$(BUILD)/host/%.o) $(BUILD)/host/identity.o
HOST_DATA := $(KERNEL_OBJ) $(KERNEL_MAPS) $(DEF_OBJ) $(SLOTLOG_DATA)

# Programs for the user's PC, and tools of the tests, are made of the same sources; the linker takes from the
# archive only what they need.
PC_OBJ := $(patsubst %.c,$(BUILD)/pc/%.o,$(BOOT_PURE) $(call sources,pmu harness/plan,c) \
    $(foreach name,library config config_value value,harness/configure/$(name).c) harness/own/own_reader.c \
    $(PC_C) $(SLOTLOG_PURE) $(filter-out tests/tools/check_%,$(wildcard tests/tools/*.c))) $(BUILD)/pc/identity.o

RIG_SRC := $(filter-out tests/rig/%,$(wildcard rig/*/*.c rig/*/*/*.c rig/*/*/*/*.c))
BLOCKS_OBJ := $(patsubst %.c,$(BUILD)/rig-objects/%.o,$(wildcard rig/blocks/*.c))
RIG_OBJ := $(filter-out $(BLOCKS_OBJ),$(RIG_SRC:%.c=$(BUILD)/rig-objects/%.o))
RIG_LIB_OBJ := $(filter-out %/main.o,$(RIG_OBJ) $(BLOCKS_OBJ))
RIG_LIB := $(BUILD)/rig-objects/library.o

UNIT_BIN := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/*_test.c tests/unit/*/*_test.c))
RIG_TEST_BIN := $(patsubst tests/rig/%.c,$(BUILD)/rig-test/%,$(wildcard tests/rig/*/*_test.c))
FUZZ_BIN := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/*_fuzz.c tests/fuzz/rig/*_fuzz.c))
# Of the rig: what reads files that people hand over.
RIG_FUZZED_C := rig/firmware/pe.c rig/firmware/memory_map.c rig/device/guest_memory.c rig/record/cpuid_file.c
FUZZ_SHARED := $(patsubst %.c,$(BUILD)/host/%.o,$(filter-out %_fuzz.c %/libfuzzer.c,$(wildcard tests/fuzz/*.c)))
TOOL_BIN := $(patsubst tests/tools/%.c,$(BUILD)/tools/%,$(wildcard tests/tools/check_*.c))

IMAGE := $(BUILD)/BOOTX64.EFI
ESP := $(BUILD)/esp
DISK := $(BUILD)/slotscope.img

.PHONY: always all kernel report-library report-pictures run test test-all unit fuzz libfuzzer fuzz-long libfuzzer-packages qemu image iso usb sign deb bench sweep gains setup setup-all packages format format-check clean
.DELETE_ON_ERROR:
.SECONDARY:
all: $(IMAGE) $(BUILD)/rig $(BUILD)/tma $(BUILD)/survey $(BUILD)/slotlog $(BUILD)/slotscope.cfg.5 $(DISK)
	$(built)

# --- packages ---------------------------------------------------------------------------------------------------------
# `make run` and `make test` begin by installing what is missing; every other goal names it and stops before it
# compiles.
setup:
	@sh tools/setup.sh $(BUILD)

# With what some tests are skipped without: a browser and what the page draws with, servers, readers of exports.
setup-all:
	@sh tools/setup.sh --all $(BUILD)
	@sh slotlog/page/library.sh $(BUILD)/echarts

packages: $(if $(filter run test test-all,$(MAKECMDGOALS)),setup)
	@sh tools/setup.sh --check $(BUILD)

# Objects of other flags than today's would be linked with new ones: $(BUILD)/.flags is as old as the flags.
FLAGS := $(BUILD)/.flags
$(FLAGS): always | packages
	+@mkdir -p $(@D)
	+@echo '$(IMAGE_CFLAGS) | $(RIG_CFLAGS) | $(TEST_CFLAGS)' | cmp -s - $@ || \
	    echo '$(IMAGE_CFLAGS) | $(RIG_CFLAGS) | $(TEST_CFLAGS)' >$@

# What is linked of all files of a folder is linked anew when one is gone: $(BUILD)/.RIG_OBJ is as old as the list.
$(BUILD)/.%_OBJ: always | packages
	+@mkdir -p $(@D)
	+@echo '$($*_OBJ)' | cmp -s - $@ || echo '$($*_OBJ)' >$@

# Which build this is, compiled anew when it is another one than before.
IDENTITY := $(BUILD)/identity.c
$(IDENTITY): always | packages
	+@mkdir -p $(@D)
	+@sh tools/identity.sh >$@.new
	+@cmp -s $@.new $@ || cp $@.new $@

$(BUILD)/image/identity.o: $(IDENTITY) $(FLAGS)
	@mkdir -p $(@D)
	$(step) $(CC) $(IMAGE_CFLAGS) -c $< -o $@

$(BUILD)/pc/identity.o: $(IDENTITY)
	@mkdir -p $(@D)
	$(step) $(CC) $(HOST_CFLAGS) -I. -c $< -o $@

$(BUILD)/host/identity.o: $(IDENTITY) $(FLAGS)
	@mkdir -p $(@D)
	$(step) $(CC) $(TEST_CFLAGS) -c $< -o $@

# --- the image --------------------------------------------------------------------------------------------------------
# Tables made by the linker: the sections `kernels`, `cpus` and `fixups` are bounded by __start_NAME and
# __stop_NAME, which linker.ld defines for the image and GNU ld by itself for host programs. They end up in .data
# of the image.
$(BUILD)/image/%.o: %.c $(FLAGS) | packages
	@mkdir -p $(@D)
	$(step) $(CC) $(IMAGE_CFLAGS) -MMD -MP -c $< -o $@

# Debian 12's nasm does not list what a file includes.
$(BUILD)/asm/%.o: %.asm $(wildcard kernels/*.inc boot/machine/*.inc) | packages
	@mkdir -p $(@D)
	$(step) $(NASM) -f elf64 -g -F dwarf -I ./ -I $(<D)/ -o $@ $<

$(BUILD)/asm/pmu/cpu/%.def: pmu/cpu/%.def tools/trim_cpu.sh | packages
	@mkdir -p $(@D)
	$(step) sh tools/trim_cpu.sh $< $@

.SECONDARY: $(DEFS:%=$(BUILD)/asm/%)
$(BUILD)/asm/pmu/cpu/%.o: $(BUILD)/asm/pmu/cpu/%.def pmu/cpu_file.asm | packages
	$(step) $(NASM) -f elf64 -DCPU_NAME='"$*"' -DCPU_FILE='"$<"' -o $@ pmu/cpu_file.asm

# A map of the code of each kernel that states its blocks (kernels/kernel_map.h).
$(BUILD)/kernel-maps: $(TOOLS_C:%.c=$(BUILD)/pc/%.o)
	$(step) $(CC) -o $@ $^ -lZydis

$(BUILD)/maps/kernel_maps.c: $(BUILD)/kernel-maps $(KERNEL_OBJ)
	@mkdir -p $(@D)
	$(step) $(BUILD)/kernel-maps $@ $(KERNEL_OBJ)

$(KERNEL_MAPS): $(BUILD)/maps/kernel_maps.c kernels/kernel_map.h
	$(step) $(CC) $(IMAGE_CFLAGS) -c $< -o $@

$(BUILD)/slotscope.so: $(IMAGE_OBJ) linker.ld $(BUILD)/.IMAGE_OBJ
	$(step) ld -nostdlib -znocombreloc -znoexecstack -z pack-relative-relocs --no-warn-rwx-segments -shared -Bsymbolic \
	    --no-undefined -T linker.ld $(IMAGE_OBJ) -o $@

$(IMAGE): $(BUILD)/slotscope.so tools/nx_compat.sh
	$(step) $(OBJCOPY) -j .text -j .reloc -j .data -j .rodata -j .sbat -j .dynamic -j .dynsym -j .dynstr -j .rela -j .relr \
	    --strip-all --target=efi-app-x86_64 --subsystem=10 $< $@
	@sh tools/nx_compat.sh $@

$(ESP)/EFI/BOOT/BOOTX64.EFI: $(IMAGE) harness/slotscope.cfg
	@mkdir -p $(@D) $(ESP)/slotscope
	@cp harness/slotscope.cfg $(ESP)/slotscope/
	$(step) cp $(IMAGE) $@

# For boards without UEFI: GRUB of the distribution starts bios.elf, which starts the same image (bios/README.md).
BIOS := $(BUILD)/bios
BIOS_OBJ := $(patsubst %.c,$(BIOS)/%.o,$(wildcard bios/*.c) boot/acpi.c boot/rc.c boot/smbios.c boot/text.c) $(BUILD)/asm/bios/start.o
GRUB := /usr/lib/grub/i386-pc

$(BIOS)/%.o: %.c $(FLAGS) | packages
	@mkdir -p $(@D)
	$(step) $(CC) $(filter-out -fpic,$(IMAGE_CFLAGS)) -fno-pic -fno-pie -MMD -MP -c $< -o $@

$(BIOS)/stick/slotscope/bios.elf: $(BIOS_OBJ) bios/bios.ld bios/grub.cfg
	@mkdir -p $(@D) $(BIOS)/stick/boot/grub
	@cp bios/grub.cfg $(BIOS)/stick/boot/grub/
	$(step) ld -nostdlib -static -no-pie -znoexecstack --no-warn-rwx-segments -T bios/bios.ld --strip-all $(BIOS_OBJ) -o $@

$(BIOS)/core.img: bios/early.cfg | packages
	@mkdir -p $(@D)
	$(step) grub-mkimage -O i386-pc -d $(GRUB) -c bios/early.cfg -p /boot/grub -o $@ \
	    biosdisk part_gpt fat search normal multiboot2 test regexp

$(DISK): $(ESP)/EFI/BOOT/BOOTX64.EFI $(BIOS)/stick/slotscope/bios.elf $(BIOS)/core.img tools/image.sh
	$(step) sh tools/image.sh $(ESP) $(BIOS)/stick $(GRUB)/boot.img $(BIOS)/core.img $@

# A loader for the tests under QEMU: it starts the image with five levels of paging.
LA57 := $(BUILD)/qemu/la57
$(LA57)/loader.o: tests/qemu/la57/loader.c $(FLAGS) | packages
	@mkdir -p $(@D)
	$(step) $(CC) $(IMAGE_CFLAGS) -MMD -MP -c $< -o $@

$(LA57)/start.o: tests/qemu/la57/start.asm | packages
	@mkdir -p $(@D)
	$(step) $(NASM) -f elf64 -o $@ $<

$(LA57).so: $(LA57)/start.o $(LA57)/loader.o linker.ld
	$(step) ld -nostdlib -znocombreloc -znoexecstack --no-warn-rwx-segments -shared -Bsymbolic --no-undefined \
	    -T linker.ld $(LA57)/start.o $(LA57)/loader.o -o $@

$(LA57).efi: $(LA57).so
	$(step) $(OBJCOPY) -j .text -j .reloc -j .data -j .rodata -j .dynamic -j .dynsym -j .dynstr \
	    --strip-all --target=efi-app-x86_64 --subsystem=10 $< $@

# A CD that boots. GRUB for it reads ISO 9660.
ISO := $(BUILD)/slotscope.iso
$(BIOS)/cd.img: bios/early.cfg | packages
	@mkdir -p $(@D)
	$(step) grub-mkimage -O i386-pc-eltorito -d $(GRUB) -c bios/early.cfg -p /boot/grub -o $@ \
	    biosdisk iso9660 part_gpt part_msdos fat search normal multiboot2 test regexp

$(ISO): $(ESP)/EFI/BOOT/BOOTX64.EFI $(BIOS)/stick/slotscope/bios.elf $(BIOS)/cd.img tools/iso.sh
	$(step) sh tools/iso.sh $(ESP) $(BIOS)/stick $(GRUB)/boot_hybrid.img $(BIOS)/cd.img $@

iso: $(ISO)
	$(built)
	@echo "$(ISO): burn it, hand it to a remote console as virtual media, or write it to a stick"

usb: $(DISK)
	@[ -z "$(SIGNED)" ] || [ $(DISK:.img=.signed.img) -nt $(DISK) ] || \
	    { echo "usb: $(DISK:.img=.signed.img) is not there, or older than the image: make sign" >&2; exit 2; }
	@FORCE=$(FORCE) sh tools/usb.sh $(if $(SIGNED),$(DISK:.img=.signed.img),$(DISK)) "$(DEV)"

deb: $(DISK) $(BUILD)/slotlog $(BUILD)/tma $(BUILD)/survey $(BUILD)/slotscope.cfg.5
	@sh tools/deb.sh $(BUILD)

sign: $(DISK)
	@sh tools/sign.sh $(IMAGE) $(DISK) "$(KEY)" "$(CERT)"

image: $(DISK)
	$(built)
	@echo "$(DISK): write it to a USB stick (see README.md)"

# --- the rig and the tests --------------------------------------------------------------------------------------------
$(BUILD)/rig-objects/%.o: %.c $(FLAGS) | packages
	@mkdir -p $(@D)
	$(step) $(CC) $(RIG_CFLAGS) -MMD -MP -c $< -o $@

# The rig's firmware takes the constants and structures of the UEFI specification from the headers that the image
# uses.
$(BUILD)/rig-objects/rig/firmware/%.o: private RIG_CFLAGS += $(EFI_INCLUDE) -fshort-wchar
# What runs once a boot, if at all, gains nothing by whole-program optimisation, and costs 3 s of it.
$(BUILD)/rig-objects/rig/firmware/%.o $(BUILD)/rig-objects/rig/record/%.o: private RIG_CFLAGS += -fno-lto
$(BUILD)/rig-test/firmware/%: private RIG_TEST_CFLAGS += $(EFI_INCLUDE) -fshort-wchar

$(BUILD)/rig: $(RIG_OBJ) $(BUILD)/.RIG_OBJ
	$(step) $(CC) $(RIG_OPTIMISE) -flto=auto -fno-pie -no-pie -o $@ $(RIG_OBJ) $(UNICORN_ARCHIVE) $(RIG_LIBS)

$(RIG_LIB): $(RIG_LIB_OBJ) $(BUILD)/.RIG_LIB_OBJ
	$(step) sh -c 'ld -r -o $@ $(RIG_LIB_OBJ) && $(OBJCOPY) -R ".gnu.lto_*" -R ".gnu.debuglto_*" $@'

# One fault at a time, over the whole of a run (doc/reliability.md).
SWEEP_OBJ := $(patsubst %.c,$(BUILD)/pc/%.o,$(wildcard tests/sweep/*.c))
$(BUILD)/sweep: $(SWEEP_OBJ) $(SLOTLOG_DATA) $(BUILD)/pc/libslotscope.a
	$(step) $(CC) -o $@ $^ -Wl,-z,noexecstack -Wl,--as-needed -ljansson -lz -lm

# Holds a core model against basic blocks measured on silicon.
$(BUILD)/blocks: $(BUILD)/rig-objects/rig/blocks/main.o $(RIG_LIB)
	$(step) $(CC) -fno-lto -no-pie -o $@ $^ $(RIG_LIBS)

# Says what the core model takes for the loop bodies that tests/rig/mca.sh compares.
$(BUILD)/mca-model: tests/rig/mca/compare.c $(RIG_LIB)
	$(step) $(CC) $(RIG_TEST_CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(RIG_LIB) $(RIG_LIBS)

$(BUILD)/rig-test/vector/vector_host_test $(BUILD)/rig-test/vector/vector_fault_host_test: \
    tests/rig/vector/vector_host.s
# These run for seconds: a model calls them back in every cycle. So HOST_CFLAGS say -O2.
$(BUILD)/rig-test/core/% $(BUILD)/rig-test/pmu/netburst_zen_test: private RIG_TEST_OPTIMISE :=
$(BUILD)/rig-test/%: tests/rig/%.c $(RIG_LIB)
	@mkdir -p $(@D)
	$(step) $(CC) $(RIG_TEST_CFLAGS) $(RIG_TEST_OPTIMISE) -MMD -MP -MF $@.d -o $@ $< $(RIG_LIB) $(QUICK_LINK) $(RIG_LIBS) -lcmocka -lcsv

$(BUILD)/host/%.o: %.c $(FLAGS) | packages
	@mkdir -p $(@D)
	$(step) $(CC) $(TEST_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/host/libslotscope.a: $(HOST_OBJ) $(BUILD)/host/tests/unit/seams.o $(BUILD)/.HOST_OBJ
	@rm -f $@
	$(step) ar rcs $@ $(filter %.o,$^)

# These include a source of the image that calls the firmware.
$(BUILD)/unit/memory_test $(BUILD)/unit/boot/clock_start_test: private TEST_CFLAGS += $(EFI_INCLUDE) -DGNU_EFI_USE_MS_ABI -fshort-wchar

# This has a body of trap_dispatch.
$(BUILD)/unit/boot/trap_stubs_test: private HOST_DATA += $(BUILD)/asm/boot/machine/trap.o
$(BUILD)/unit/boot/trap_stubs_test: $(BUILD)/asm/boot/machine/trap.o

# These run for seconds themselves.
$(BUILD)/unit/profile/% $(BUILD)/unit/formulas_test $(BUILD)/unit/netburst/netburst_match_test: private TEST_OPTIMISE :=
$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/host/libslotscope.a $(HOST_DATA)
	@mkdir -p $(@D)
	$(step) $(CC) $(TEST_CFLAGS) $(TEST_OPTIMISE) $(QUICK_LINK) -no-pie -MMD -MP -MF $@.d -o $@ $< $(HOST_DATA) \
	    $(BUILD)/host/libslotscope.a -Wl,-z,noexecstack -Wl,--as-needed -lcmocka -lcsv -ljansson -lpfm -lz -lm -lZydis

$(BUILD)/fuzz/%: tests/fuzz/%.c $(FUZZ_SHARED) $(BUILD)/host/libslotscope.a $(HOST_DATA)
	@mkdir -p $(@D)
	$(step) $(CC) $(TEST_CFLAGS) $(TEST_OPTIMISE) $(QUICK_LINK) -no-pie -MMD -MP -MF $@.d -o $@ $< $(FUZZ_SHARED) $(HOST_DATA) \
	    $(BUILD)/host/libslotscope.a -Wl,-z,noexecstack -Wl,--as-needed -ljansson -lz -lm -lZydis

$(RIG_FUZZED_C:%.c=$(BUILD)/host/%.o) $(BUILD)/fuzz/rig/%: private TEST_CFLAGS := -Irig $(EFI_INCLUDE) -fshort-wchar $(TEST_CFLAGS)
$(BUILD)/fuzz/rig/%: tests/fuzz/rig/%.c $(FUZZ_SHARED) $(RIG_FUZZED_C:%.c=$(BUILD)/host/%.o)
	@mkdir -p $(@D)
	$(step) $(CC) $(TEST_CFLAGS) $(TEST_OPTIMISE) $(QUICK_LINK) -MMD -MP -MF $@.d -o $@ $< $(FUZZ_SHARED) \
	    $(RIG_FUZZED_C:%.c=$(BUILD)/host/%.o)

$(BUILD)/pc/%.o: %.c $(FLAGS) | packages
	@mkdir -p $(@D)
	$(step) $(CC) $(HOST_CFLAGS) -I. -MMD -MP -c $< -o $@

$(BUILD)/pc/libslotscope.a: $(PC_OBJ) $(BUILD)/.PC_OBJ
	@rm -f $@
	$(step) ar rcs $@ $(PC_OBJ)

$(BUILD)/tools/check_damage: $(SLOTLOG_DATA)
$(BUILD)/tools/%: $(BUILD)/pc/tests/tools/%.o $(BUILD)/pc/libslotscope.a
	@mkdir -p $(@D)
	$(step) $(CC) $(QUICK_LINK) -o $@ $^ -Wl,--as-needed -ljansson -lz -lm

$(BUILD)/tma: $(BUILD)/pc/pc/tma.o $(BUILD)/pc/libslotscope.a $(DEF_OBJ)
	$(step) $(CC) -no-pie -o $@ $^ -Wl,-z,noexecstack -Wl,--as-needed -ljansson -lm

# The configuration's keys as README's table, and as the manual page slotscope.cfg(5).
$(BUILD)/config-page: $(BUILD)/pc/pc/config_page.o $(BUILD)/pc/libslotscope.a
	$(step) $(CC) -o $@ $^

$(BUILD)/slotscope.cfg.5: $(BUILD)/config-page
	$(step) sh -c '$(BUILD)/config-page man >$@'

# What the image would make of recorded CPUID answers: its detection over a seam of the program's own.
SURVEY_OBJ := $(BUILD)/pc/pc/survey.o $(BUILD)/pc/pc/recorded_machine.o
$(BUILD)/survey: $(SURVEY_OBJ) $(BUILD)/pc/libslotscope.a $(DEF_OBJ)
	$(step) $(CC) -no-pie -o $@ $^ -Wl,-z,noexecstack -Wl,--as-needed -ljansson -lm

# A kernel of the user's own, looked at before it runs; `make kernel SRC=my.asm` runs it. It knows the built-in kernels'
# names.
KERNELS_ON_PC := $(patsubst %.c,$(BUILD)/pc/%.o,$(wildcard kernels/*.c)) $(KERNEL_OBJ) $(KERNEL_MAPS)
$(BUILD)/own-check: $(BUILD)/pc/pc/own_check.o $(KERNELS_ON_PC) $(BUILD)/pc/libslotscope.a
	$(step) $(CC) -no-pie -o $@ $^ -Wl,-z,noexecstack -Wl,--as-needed -lZydis

kernel: $(IMAGE) $(BUILD)/rig $(BUILD)/slotlog $(BUILD)/own-check $(ESP)/EFI/BOOT/BOOTX64.EFI
	$(built)
	@sh tools/kernel.sh $(BUILD) "$(SRC)" "$(CPU)"

# Logs on the user's PC: capture, verify, show, compare, export, merge, report.
SLOTLOG_OBJ := $(patsubst %.c,$(BUILD)/pc/%.o,$(filter-out $(SLOTLOG_PURE),$(wildcard slotlog/*.c)))
$(BUILD)/asm/slotlog/schema.o: doc/log.schema.json
$(BUILD)/asm/slotlog/tables.o: slotlog/tables.sql
$(BUILD)/slotlog: $(SLOTLOG_OBJ) $(SLOTLOG_DATA) $(SLOTLOG_PAGE) $(KERNELS_ON_PC) $(BUILD)/pc/libslotscope.a $(DEF_OBJ)
	$(step) $(CC) -no-pie -o $@ $^ -Wl,-z,noexecstack -Wl,--as-needed -ljansson -lsqlite3 -lz -lm -lZydis

# The page of `slotlog report`: its scripts are one.
$(BUILD)/page.js: $(wildcard slotlog/page/*.js)
	@mkdir -p $(@D)
	@cat $^ >$@

$(SLOTLOG_PAGE): slotlog/page.asm $(BUILD)/page.js slotlog/page/page.html slotlog/page/page.css | packages
	@mkdir -p $(@D)
	$(step) $(NASM) -f elf64 -DPAGE_SCRIPT='"$(BUILD)/page.js"' -o $@ $<

# Apache ECharts for that page, the one thing that is fetched: by npm, or else curl, and held against its hash.
report-library:
	@sh slotlog/page/library.sh $(BUILD)/echarts

# The pictures of README.md, from the page of a run on the virtual rig; they are tracked.
report-pictures: $(BUILD)/rig $(BUILD)/slotlog $(ESP)/EFI/BOOT/BOOTX64.EFI
	@PICTURES=doc/pictures sh tests/report/page_sections.sh $(BUILD) | grep -E '^(not ok|ok [0-9]+ - the picture|.*# SKIP)'

# What planning costs; for `make bench`.
$(BUILD)/planning: $(BUILD)/pc/tests/bench/planning.o $(BUILD)/pc/libslotscope.a $(DEF_OBJ)
	$(step) $(CC) -no-pie -o $@ $^ -Wl,-z,noexecstack -lm

# The fuzz drivers under libFuzzer: make libfuzzer && build/libfuzzer/description -max_len=65536 -max_total_time=30
CLANG ?= clang
LIBFUZZER_CFLAGS := -std=c11 -O1 -g -D_GNU_SOURCE= -I. -fsanitize=fuzzer-no-link,address,undefined \
    -fno-sanitize-recover=all
LIBFUZZER_OBJ := $(patsubst %.c,$(BUILD)/libfuzzer/objects/%.o,$(filter-out kernels/%,$(HOST_C)) tests/unit/seams.c)
LIBFUZZER_RIG_OBJ := $(RIG_FUZZED_C:%.c=$(BUILD)/libfuzzer/objects/%.o)
LIBFUZZER_BIN := $(patsubst tests/fuzz/%_fuzz.c,$(BUILD)/libfuzzer/%,$(wildcard tests/fuzz/*_fuzz.c tests/fuzz/rig/*_fuzz.c))

# What reads or writes text character by character, and what does sums. Tracing every comparison there takes two thirds of
# the time and leads nowhere: keywords are found by the calls of memcmp and strcmp, which are traced everywhere, and by
# the seeds.
LIBFUZZER_TEXT := pmu/parse/% pmu/parser.o pmu/formula/% pmu/symbols.o pmu/intel/selector.o \
    pmu/netburst/raw.o pmu/netburst/select.o pmu/netburst/statements.o pmu/netburst/named_count.o pmu/netburst/asked.o \
    harness/configure/% harness/plan/asked_events.o boot/format.o boot/slice.o slotlog/reader/% slotlog/log_% pc/schema% pc/log_schema.o \
    harness/profile/% harness/experiment/skid/% tests/unit/profile/% tests/fuzz/profile_fuzz.o
$(addprefix $(BUILD)/libfuzzer/objects/,$(LIBFUZZER_TEXT)): private LIBFUZZER_CFLAGS += -fno-sanitize-coverage=trace-cmp

libfuzzer-packages:
	@command -v $(CLANG) >/dev/null && [ -f "$$($(CLANG) -print-file-name=libclang_rt.fuzzer-x86_64.a)" ] || \
	    { echo "make libfuzzer needs clang and its runtime library: on Debian 12 the packages clang and" \
	    "libclang-rt-14-dev" >&2; exit 2; }

$(BUILD)/libfuzzer/objects/%.o: %.c | packages libfuzzer-packages
	@mkdir -p $(@D)
	$(step) $(CLANG) $(LIBFUZZER_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/libfuzzer/objects/libslotscope.a: $(LIBFUZZER_OBJ)
	@rm -f $@
	$(step) ar rcs $@ $^

$(BUILD)/libfuzzer/%: $(BUILD)/libfuzzer/objects/tests/fuzz/%_fuzz.o $(BUILD)/libfuzzer/objects/tests/fuzz/libfuzzer.o \
    $(BUILD)/libfuzzer/objects/libslotscope.a $(DEF_OBJ) $(SLOTLOG_DATA)
	$(step) $(CLANG) $(LIBFUZZER_CFLAGS) -fsanitize=fuzzer -no-pie -o $@ $^ -Wl,-z,noexecstack -ljansson -lz -lm -lZydis

$(LIBFUZZER_RIG_OBJ) $(BUILD)/libfuzzer/objects/tests/fuzz/rig/%: private LIBFUZZER_CFLAGS := -Irig $(EFI_INCLUDE) -fshort-wchar $(LIBFUZZER_CFLAGS)
$(BUILD)/libfuzzer/rig/%: $(BUILD)/libfuzzer/objects/tests/fuzz/rig/%_fuzz.o $(BUILD)/libfuzzer/objects/tests/fuzz/libfuzzer.o \
    $(LIBFUZZER_RIG_OBJ)
	@mkdir -p $(@D)
	$(step) $(CLANG) $(LIBFUZZER_CFLAGS) -fsanitize=fuzzer -o $@ $^

libfuzzer: $(LIBFUZZER_BIN)
	$(built)

# Ten million executions of each fuzz driver: two hours of a processor or more, most of them for `description`, `slotlog`
# and `profile`. What has ended is not run again, what was interrupted goes on from the inputs that it had found.
# make fuzz-long FUZZERS="acpi pci" RUNS=1000000
RUNS ?= 10000000
FUZZERS ?= $(sort $(LIBFUZZER_BIN:$(BUILD)/libfuzzer/%=%))

$(BUILD)/fuzz-long/%.$(RUNS): $(BUILD)/libfuzzer/% tests/fuzz/long.sh
	$(step) sh tests/fuzz/long.sh $(BUILD) $* $(RUNS)

fuzz-long: $(FUZZERS:%=$(BUILD)/fuzz-long/%.$(RUNS))
	$(built)
	@cat $^

unit: $(UNIT_BIN) $(RIG_TEST_BIN)
	$(built)
	@sh tests/run.sh unit $(BUILD)

fuzz: $(FUZZ_BIN)
	$(built)
	@sh tests/run.sh fuzz $(BUILD)

TESTED := $(IMAGE) $(ISO) $(LA57).efi $(BUILD)/rig $(BUILD)/own-check $(BUILD)/tma $(BUILD)/survey $(BUILD)/slotlog $(BUILD)/slotscope.cfg.5 $(DISK) $(BUILD)/planning $(BUILD)/sweep $(BUILD)/mca-model $(BUILD)/blocks $(UNIT_BIN) $(RIG_TEST_BIN) \
    $(FUZZ_BIN) $(TOOL_BIN)
test: $(TESTED)
	$(built)
	@sh tests/run.sh all $(BUILD)

# Before a release: every suite in its long form (CONTRIBUTING.md, "Long forms").
LONG := ARMS=all CORES=all CPUID=all DAMAGES=100000 EXPORTS=all FAULTS=400 LIES=all PEBS=all PHASES=all QEMU=all \
    SERIAL=all SKID=all SMI=all SMT=all TREE=all UNKIND=all
test-all: $(TESTED)
	$(built)
	@$(LONG) sh tests/run.sh all $(BUILD)

# --- form -------------------------------------------------------------------------------------------------------------
format: packages
	@sh tests/format.sh --apply

format-check: packages
	@sh tests/format.sh

# --- at work ----------------------------------------------------------------------------------------------------------
run: $(IMAGE) $(BUILD)/rig $(BUILD)/slotlog $(ESP)/EFI/BOOT/BOOTX64.EFI
	$(built)
	@[ -f $(BUILD)/echarts/echarts.min.js ] || sh slotlog/page/library.sh $(BUILD)/echarts || echo 'so there will be no page with charts'
	@sh tools/show.sh $(BUILD)

qemu: $(DISK) $(TOOL_BIN)
	$(built)
	@sh tests/qemu/run.sh $(BUILD)

# make sweep FAULTS=5000 SEEDS=1,2,3; SWEEP=all: every k; ONE='skylakex-l2 uefi:file_write:12' shows what that one does.
sweep: $(IMAGE) $(BUILD)/rig $(BUILD)/sweep
	$(built)
	@sh tests/sweep/make.sh $(BUILD) "$(SWEEP)" "$(SEEDS)" "$(FAULTS)" "$(ONE)" "$(MINUTES)"

bench: $(IMAGE) $(BUILD)/rig $(DISK) $(BUILD)/planning $(BUILD)/slotlog $(TOOL_BIN)
	$(built)
	@sh tests/bench.sh $(BUILD)

# The tables of doc/gains.md.
gains: $(ESP)/EFI/BOOT/BOOTX64.EFI $(BUILD)/rig $(BUILD)/tools/check_gains
	$(built)
	@sh tests/gains/make.sh $(BUILD)

# `make clean all`: one after the other.
ifneq ($(filter clean,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif
clean:
	rm -rf $(BUILD)

# Only of what this file builds: a folder below $(BUILD) may hold a build of another tree.
MADE := $(IMAGE_OBJ) $(HOST_OBJ) $(RIG_OBJ) $(BLOCKS_OBJ) $(PC_OBJ) $(FUZZ_SHARED) $(RIG_FUZZED_C:%.c=$(BUILD)/host/%.o) $(LIBFUZZER_RIG_OBJ) $(BUILD)/host/tests/unit/seams.o \
    $(BUILD)/pc/pc/tma.o $(BUILD)/pc/pc/own_check.o $(BUILD)/pc/pc/config_page.o $(SURVEY_OBJ) $(SLOTLOG_OBJ) $(SWEEP_OBJ) $(filter $(BUILD)/pc/%,$(KERNELS_ON_PC)) $(BUILD)/pc/tests/bench/planning.o $(TOOL_BIN:$(BUILD)/%=$(BUILD)/pc/tests/%.o) \
    $(LIBFUZZER_OBJ) $(TOOLS_C:%.c=$(BUILD)/pc/%.o) $(LA57)/loader.o
PROGRAMS := $(UNIT_BIN) $(RIG_TEST_BIN) $(FUZZ_BIN) $(BUILD)/mca-model
-include $(wildcard $(MADE:.o=.d) $(PROGRAMS:=.d))
