# The two commands a newcomer needs are `make demo` and `make check`. Everything real is in CMake; this file only
# gives it short names, and installs the packages that a target needs (scripts/setup).
PREFIX ?= /usr/local
DESTDIR ?=
BUILD := build/release
CMAKE ?= cmake
JOBS ?= $(shell nproc)

.PHONY: all build demo cbir check fuzz scale slurm bench install uninstall format format-check tidy clean help
all: build

build:
	@scripts/setup build
	@test -f $(BUILD)/build.ninja || $(CMAKE) --preset release -DCMAKE_INSTALL_PREFIX='$(PREFIX)' $(CMAKE_FLAGS)
	@$(CMAKE) --build $(BUILD) -j $(JOBS)

demo:
	@scripts/setup demo
	@$(MAKE) --no-print-directory build
	@scripts/demo $(BUILD) all '$(PHOTO)'

cbir:
	@scripts/setup demo
	@$(MAKE) --no-print-directory build
	@scripts/demo $(BUILD) cbir $(QUERY)

check:
	@scripts/setup check demo
	@scripts/check

fuzz:
	@scripts/setup fuzz
	@scripts/fuzz

slurm:
	@scripts/setup check slurm demo
	@test -f build/dev/build.ninja || $(CMAKE) --preset dev
	@scripts/slurm build/dev || { status=$$?; [ $$status -eq 77 ]; }

scale:
	@scripts/setup check
	@test -f build/dev/build.ninja || $(CMAKE) --preset dev
	@$(CMAKE) --build build/dev -j $(JOBS) --target weftrun scale.all scale.first
	@test/scale/scale.sh build/dev

bench:
	@scripts/setup bench demo
	@scripts/peers
	@$(MAKE) --no-print-directory build
	@bench/run $(BUILD) $(PART)
	@case "$(PART)" in armci | caf | upc) ;; *) bench/page.py ;; esac
	@case "$(PART)" in armci | "") bench/page_armci.py ;; esac
	@case "$(PART)" in caf | "") bench/page_caf.py ;; esac
	@case "$(PART)" in upc | "") bench/page_upc.py ;; esac
	@test -n "$(PART)" || bench/corner_turn $(BUILD)
	@test -n "$(PART)" || bench/flow $(BUILD)

install: build
	@umask 022 && DESTDIR='$(DESTDIR)' $(CMAKE) --install $(BUILD) --prefix '$(PREFIX)'

uninstall: build
	@scripts/uninstall $(BUILD) '$(PREFIX)' '$(DESTDIR)'

format format-check tidy:
	@scripts/setup $(firstword $(subst -, ,$@))
	@scripts/$(firstword $(subst -, ,$@)) $@

clean:
	rm -rf build

help:
	@sed -n 's/^\([a-z -]*\):.*/make \1/p' Makefile
