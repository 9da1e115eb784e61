# slotscope: `make run` shows it at work on the virtual rig, `make test` passes the tests, `make qemu` boots it under OVMF.
# Everything is built below $(BUILD). README.md speaks to a user, ARCHITECTURE.md to someone who will change this.

BUILD ?= build
# `make V=1` shows the commands themselves.
V ?= 0
MAKEFLAGS += -j$(shell nproc)
Q := $(if $(filter 0,$(V)),@)
say = $(if $(filter 0,$(V)),@echo '  $(1) $(patsubst $(BUILD)/%,%,$@)')
CC := gcc
NASM ?= nasm
OBJCOPY ?= objcopy

WARN := -Wall -Wextra -Wconversion -Wshadow -Werror
EFI_INCLUDE := -isystem /usr/include/efi -isystem /usr/include/efi/x86_64

# The image: freestanding, position independent, no vector registers beyond SSE2, nothing that needs a C library; the
# compiler may put moves in place of memcpy of a known size (-fbuiltin), but never make a call of a loop.
IMAGE_CFLAGS := -std=c11 -O2 -g $(WARN) -ffreestanding -fno-stack-protector -fpic -fshort-wchar -mno-red-zone \
    -fno-asynchronous-unwind-tables -fno-strict-aliasing -fno-tree-loop-distribute-patterns -fvisibility=hidden \
    -fbuiltin -DSLOTSCOPE_IMAGE -DGNU_EFI_USE_MS_ABI -I. $(EFI_INCLUDE)
HOST_CFLAGS := -std=c11 -O2 -g $(WARN) -D_GNU_SOURCE= -I.
# The model clears a few hundred bytes in every cycle: a string instruction would cost more than all the rest of that. Its
# loops are short, and what it writes word by word is soon read again, so vectors make a host wait; and a second copy of
# cycle_finish for one of its reasons leaves less room for the rest.
RIG_OPTIMISE := -O3 -fno-tree-vectorize -fno-ipa-cp-clone -mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign
# Whole-program optimisation makes the rig a tenth faster; the tests link the same objects in the ordinary way.
RIG_CFLAGS := $(RIG_OPTIMISE) -flto -ffat-lto-objects
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all

BOOT_PURE := text slice format json_line crc32 acpi rc log
IMAGE_C := $(wildcard boot/*.c boot/*/*.c pmu/*.c pmu/*/*.c kernels/*.c harness/*.c harness/*/*.c)
IMAGE_ASM := $(wildcard boot/*.asm boot/*/*.asm kernels/*.asm harness/*/*.asm)
DEFS := $(wildcard pmu/cpu/*.def)

IMAGE_OBJ := $(IMAGE_C:%.c=$(BUILD)/image/%.o) $(IMAGE_ASM:%.asm=$(BUILD)/asm/%.o) \
    $(DEFS:pmu/cpu/%.def=$(BUILD)/asm/pmu/cpu/%.o)

SCHEMA_C := report/log_schema.c report/schema.c report/schema_check.c

# What also compiles on the host and is tested there: everything but the seams and the parts that only a machine has.
HARNESS_MACHINE := harness/main.c
HOST_C := $(BOOT_PURE:%=boot/%.c) $(wildcard pmu/*.c pmu/*/*.c) $(wildcard kernels/*.c) \
    $(filter-out $(HARNESS_MACHINE),$(wildcard harness/*.c harness/*/*.c)) report/counts_line.c $(SCHEMA_C)
HOST_OBJ := $(HOST_C:%.c=$(BUILD)/host/%.o)
HOST_DATA := $(patsubst %.asm,$(BUILD)/asm/%.o,$(wildcard kernels/*.asm)) $(DEFS:pmu/cpu/%.def=$(BUILD)/asm/pmu/cpu/%.o)

PC_OBJ := $(patsubst %.c,$(BUILD)/pc/%.o,$(wildcard pmu/*.c pmu/*/*.c) boot/format.c boot/slice.c)
DEF_OBJ := $(DEFS:pmu/cpu/%.def=$(BUILD)/asm/pmu/cpu/%.o)

RIG_ROOMS := core core/cycle core/decode core/memory core/pipeline core/predict cpu device firmware machine \
    machine/engine machine/special pmu pmu/kind vector
RIG_SRC := $(foreach room,$(RIG_ROOMS),$(wildcard tests/rig/$(room)/*.c))
RIG_OBJ := $(RIG_SRC:%.c=$(BUILD)/rig-objects/%.o)
RIG_LIB_OBJ := $(filter-out $(BUILD)/rig-objects/tests/rig/machine/main.o,$(RIG_OBJ))

UNIT_SRC := $(wildcard tests/unit/*_test.c)
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(BUILD)/unit/%)
RIG_TEST_BIN := $(patsubst tests/rig/test/%.c,$(BUILD)/rig-test/%,$(wildcard tests/rig/test/*/*_test.c))
FUZZ_BIN := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/*_fuzz.c))
TOOL_BIN := $(patsubst tests/tools/%.c,$(BUILD)/tools/%,$(wildcard tests/tools/check_*.c))

IMAGE := $(BUILD)/BOOTX64.EFI
ESP := $(BUILD)/esp
DISK := $(BUILD)/slotscope.img
PACKAGES := $(BUILD)/.packages

.PHONY: all run test unit fuzz libfuzzer libfuzzer-packages qemu image bench setup clean
.DELETE_ON_ERROR:
.SECONDARY:
all: $(IMAGE) $(BUILD)/rig $(BUILD)/tma $(DISK)

setup: $(PACKAGES)
$(PACKAGES): tests/setup.sh
	@mkdir -p $(@D)
	@sh tests/setup.sh
	@touch $@

# Tables made by the linker: the sections `kernels`, `cpus` and `fixups` are bounded by __start_NAME and __stop_NAME, which
# linker.ld defines for the image and GNU ld by itself for host programs. They end up in .data of the image.

# --- the image --------------------------------------------------------------------------------------------------------
$(BUILD)/image/%.o: %.c | $(PACKAGES)
	@mkdir -p $(@D)
	$(call say,CC  )
	$(Q)$(CC) $(IMAGE_CFLAGS) -MMD -MP -c $< -o $@

# Debian 12's nasm does not list what a file includes.
$(BUILD)/asm/%.o: %.asm $(wildcard kernels/*.inc) | $(PACKAGES)
	@mkdir -p $(@D)
	$(call say,ASM )
	$(Q)$(NASM) -f elf64 -g -F dwarf -I ./ -I $(<D)/ -MD $(@:.o=.d) -o $@ $<

$(BUILD)/asm/pmu/cpu/%.o: pmu/cpu/%.def pmu/cpu_file.asm | $(PACKAGES)
	@mkdir -p $(@D)
	$(call say,ASM )
	$(Q)$(NASM) -f elf64 -DCPU_NAME='"$*"' -DCPU_FILE='"$<"' -o $@ pmu/cpu_file.asm

$(BUILD)/slotscope.so: $(IMAGE_OBJ) linker.ld
	$(call say,LINK)
	$(Q)ld -nostdlib -znocombreloc -znoexecstack -z pack-relative-relocs --no-warn-rwx-segments -shared -Bsymbolic --no-undefined -T linker.ld \
	    $(IMAGE_OBJ) -o $@

$(IMAGE): $(BUILD)/slotscope.so
	$(call say,EFI )
	$(Q)$(OBJCOPY) -j .text -j .reloc -j .data -j .rodata -j .dynamic -j .dynsym -j .dynstr -j .rela -j .relr --strip-all \
	    --target=efi-app-x86_64 --subsystem=10 $< $@

$(ESP)/EFI/BOOT/BOOTX64.EFI: $(IMAGE) harness/slotscope.cfg
	@mkdir -p $(@D) $(ESP)/slotscope
	$(Q)cp harness/slotscope.cfg $(ESP)/slotscope/
	$(Q)cp $(IMAGE) $@

$(DISK): $(ESP)/EFI/BOOT/BOOTX64.EFI tests/qemu/image.sh
	$(call say,DISK)
	$(Q)sh tests/qemu/image.sh $(ESP) $@

image: $(DISK)
	@echo "$(DISK): write it to a USB stick (see README.md)"

# --- the rig and the tests --------------------------------------------------------------------------------------------
$(BUILD)/rig-objects/%.o: %.c | $(PACKAGES)
	@mkdir -p $(@D)
	$(call say,CC  )
	$(Q)$(CC) $(HOST_CFLAGS) $(RIG_CFLAGS) -Itests/rig -MMD -MP -c $< -o $@

# The rig's firmware takes the constants and structures of the UEFI specification from the headers that the image takes them from.
$(BUILD)/rig-objects/tests/rig/firmware/%.o $(BUILD)/rig-test/firmware/%: private HOST_CFLAGS += $(EFI_INCLUDE) -fshort-wchar

$(BUILD)/rig: $(RIG_OBJ)
	$(call say,LINK)
	$(Q)$(CC) $(RIG_OPTIMISE) -flto=auto -o $@ $(RIG_OBJ) -lunicorn -lZydis -ljansson -lz -lm

# Says what the core model takes for the loop bodies that tests/rig/test/mca.sh compares.
$(BUILD)/mca-model: tests/rig/test/mca/compare.c $(RIG_LIB_OBJ)
	$(call say,LINK)
	$(Q)$(CC) $(HOST_CFLAGS) -I. -Itests/rig -fno-lto -MMD -MP -MF $@.d -o $@ $< $(RIG_LIB_OBJ) -lunicorn -lZydis -ljansson -lz -lm

$(BUILD)/host/%.o: %.c | $(PACKAGES)
	@mkdir -p $(@D)
	$(call say,CC  )
	$(Q)$(CC) $(HOST_CFLAGS) $(SANITIZE) -MMD -MP -c $< -o $@

$(BUILD)/host/libslotscope.a: $(HOST_OBJ) $(BUILD)/host/tests/unit/seams.o
	@rm -f $@
	$(Q)ar rcs $@ $^

# Programs for the user's PC, made of the image's own sources; only what they need is taken from the archive.
$(BUILD)/pc/%.o: %.c | $(PACKAGES)
	@mkdir -p $(@D)
	$(call say,CC  )
	$(Q)$(CC) $(HOST_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/pc/libpmu.a: $(PC_OBJ)
	@rm -f $@
	$(Q)ar rcs $@ $^

$(BUILD)/tma: $(BUILD)/pc/report/tma.o $(BUILD)/pc/report/counts_line.o $(BUILD)/pc/libpmu.a $(DEF_OBJ)
	$(call say,LINK)
	$(Q)$(CC) -no-pie -o $@ $^ -Wl,-z,noexecstack -ljansson -lm

# What planning costs; for `make bench`.
$(BUILD)/planning: $(BUILD)/pc/tests/bench/planning.o $(BUILD)/pc/harness/plan/selection.o $(BUILD)/pc/libpmu.a $(DEF_OBJ)
	$(call say,LINK)
	$(Q)$(CC) -no-pie -o $@ $^ -Wl,-z,noexecstack -lm

$(BUILD)/rig-test/vector/vector_host_test $(BUILD)/rig-test/vector/vector_fault_host_test: tests/rig/test/vector/vector_host.s
$(BUILD)/rig-test/%: tests/rig/test/%.c $(RIG_LIB_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(HOST_CFLAGS) -I. -Itests/rig -fno-lto -MMD -MP -MF $@.d -o $@ $< $(RIG_LIB_OBJ) -lcmocka -lcsv -lunicorn -lZydis -ljansson -lz -lm

$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/host/libslotscope.a $(HOST_DATA)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(HOST_CFLAGS) $(SANITIZE) -no-pie -MMD -MP -MF $@.d -o $@ $< $(HOST_DATA) $(BUILD)/host/libslotscope.a \
	    -Wl,-z,noexecstack -lcmocka -lcsv -ljansson -lpfm -lz -lm

$(BUILD)/fuzz/%: tests/fuzz/%.c $(BUILD)/host/tests/fuzz/seeded.o $(BUILD)/host/libslotscope.a $(HOST_DATA)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(HOST_CFLAGS) $(SANITIZE) -no-pie -MMD -MP -MF $@.d -o $@ $< $(BUILD)/host/tests/fuzz/seeded.o $(HOST_DATA) \
	    $(BUILD)/host/libslotscope.a -ljansson -lm

# The same drivers under libFuzzer: make libfuzzer && build/libfuzzer/description -max_len=65536 -max_total_time=30
CLANG ?= clang
LIBFUZZER_CFLAGS := -std=c11 -O1 -g -D_GNU_SOURCE= -I. -fsanitize=fuzzer-no-link,address,undefined \
    -fno-sanitize-recover=all
LIBFUZZER_OBJ := $(patsubst %.c,$(BUILD)/libfuzzer/objects/%.o,$(filter-out kernels/%,$(HOST_C)))
LIBFUZZER_BIN := $(patsubst tests/fuzz/%_fuzz.c,$(BUILD)/libfuzzer/%,$(wildcard tests/fuzz/*_fuzz.c))

libfuzzer-packages:
	@command -v $(CLANG) >/dev/null && [ -f "$$($(CLANG) -print-file-name=libclang_rt.fuzzer-x86_64.a)" ] || \
	    { echo "make libfuzzer needs clang and its runtime library: on Debian 12 the packages clang and" \
	    "libclang-rt-14-dev" >&2; exit 1; }

$(BUILD)/libfuzzer/objects/%.o: %.c | $(PACKAGES) libfuzzer-packages
	@mkdir -p $(@D)
	$(call say,CC  )
	$(Q)$(CLANG) $(LIBFUZZER_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/libfuzzer/objects/libslotscope.a: $(LIBFUZZER_OBJ)
	@rm -f $@
	$(Q)ar rcs $@ $^

$(BUILD)/libfuzzer/%: $(BUILD)/libfuzzer/objects/tests/fuzz/%_fuzz.o $(BUILD)/libfuzzer/objects/tests/fuzz/libfuzzer.o \
    $(BUILD)/libfuzzer/objects/libslotscope.a $(DEF_OBJ)
	$(call say,LINK)
	$(Q)$(CLANG) $(LIBFUZZER_CFLAGS) -fsanitize=fuzzer -no-pie -o $@ $^ -Wl,-z,noexecstack -ljansson -lm

$(BUILD)/tools/check_truth $(BUILD)/tools/check_multiplex: $(BUILD)/pc/tests/tools/truth_log.o \
    $(BUILD)/pc/tests/tools/published.o
$(BUILD)/tools/check_schema: $(SCHEMA_C:%.c=$(BUILD)/pc/%.o)
$(BUILD)/tools/%: tests/tools/%.c | $(PACKAGES)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(HOST_CFLAGS) -MMD -MP -MF $@.d -o $@ $(filter %.c %.o,$^) -ljansson -lz -lm

unit: $(UNIT_BIN) $(RIG_TEST_BIN)
	@sh tests/run.sh unit $(BUILD)

fuzz: $(FUZZ_BIN)
	@sh tests/run.sh fuzz $(BUILD)

libfuzzer: $(LIBFUZZER_BIN)

test: all $(BUILD)/planning $(UNIT_BIN) $(RIG_TEST_BIN) $(FUZZ_BIN) $(TOOL_BIN) $(BUILD)/mca-model
	@sh tests/run.sh all $(BUILD)

# --- at work ----------------------------------------------------------------------------------------------------------
run: $(IMAGE) $(BUILD)/rig $(ESP)/EFI/BOOT/BOOTX64.EFI
	@sh tests/show.sh $(BUILD)

qemu: $(DISK) $(TOOL_BIN)
	@sh tests/qemu/run.sh $(BUILD)

bench: all $(BUILD)/planning $(TOOL_BIN)
	@sh tests/bench.sh $(BUILD)

# `make clean all`: one after the other.
ifneq ($(filter clean,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif
clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
