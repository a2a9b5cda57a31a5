# make solve     set up, and solve a problem of 300 blocks
# make test      set up, check, and run all tests
# make check     formatting, lint, types
# make format    repair formatting
# make build     compile the core after a change
# make stub      update liftq/_core.pyi, the types of the core
# make sanitize  tests of the core with AddressSanitizer and UBSan (GCC); TESTS=tests/engine
# make mutants   try a sample of generated mistakes; ARGS="--sample 60 --seed 1 --only orbits --jobs 2"
# make bench     measure speed against peers
# make results   pack results files, and renew the tables made from them
# make report    show the results files as a page in build/report
# make docs      build the documentation as a site in build/site
# make wheels    build a wheel for all Pythons in dist/, and try it with each Python on the path
# make aarch64   the same for 64-bit ARM, cross-compiled and emulated (Debian: g++-aarch64-linux-gnu, qemu-user)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check
CORE := $(wildcard core/*/*.cc core/*/*.h)
EXAMPLE := liftq/zoo/examples/blocksworld

solve: $(VENV)/built
	$(BIN)/liftq solve $(EXAMPLE)/domain.pddl $(EXAMPLE)/problem.pddl

test: check
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2

check: $(VENV)/built $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run -Werror $(CORE)

format: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CORE)

stub: $(VENV)/built $(VENV)/dev
	$(BIN)/python -m nanobind.stubgen -q -m liftq._core -o liftq/_core.pyi
	$(BIN)/ruff format -q liftq/_core.pyi

bench: $(VENV)/built $(VENV)/dev
	for name in reader engine lmcut teachers policy; do OMP_NUM_THREADS=1 $(BIN)/python benchmarks/$$name.py; done

results: $(VENV)/built $(VENV)/dev
	$(BIN)/python -m dev.tables

report: $(VENV)/built $(VENV)/dev
	$(BIN)/python -m dev.tables.report

docs: $(VENV)/built $(VENV)/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

wheels: $(VENV)/wheels
	$(BIN)/python -m dev.wheels.make $(ARGS)

aarch64: $(VENV)/built $(VENV)/wheels
	$(BIN)/python -m dev.wheels.aarch64

mutants: $(VENV)/built $(VENV)/dev
	$(BIN)/python -m dev.mutants $(ARGS)

# A copy of the package, with a core of its own. Without `-S`, Python would find the one that is installed.
SANITIZED := build/sanitized
TESTS := tests/engine tests/encoders tests/policies $(wildcard tests/teachers/test_*search*.py)
sanitize: $(VENV)/built $(VENV)/dev
	cmake -G Ninja -S . -B $(SANITIZED)/core -DCMAKE_BUILD_TYPE=Debug -DLIFTQ_SANITIZE=ON \
	  -DPython_EXECUTABLE=$(abspath $(BIN)/python) >/dev/null
	ninja -C $(SANITIZED)/core
	rm -rf $(SANITIZED)/liftq && cp -r liftq $(SANITIZED) && cp $(SANITIZED)/core/_core.*so $(SANITIZED)/liftq
	packages=$$($(BIN)/python -c "import sys; print(*(p for p in sys.path if p.endswith('-packages')), sep=':')"); \
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0:alloc_dealloc_mismatch=0:handle_abort=1 \
	OMP_NUM_THREADS=1 PYTHONPATH=$$packages $(BIN)/python -S -m pytest -x --capture=sys -o pythonpath="$(SANITIZED) ." $(TESTS)

build: $(VENV)/built

$(VENV)/created:
	python3 -m venv $(VENV)
	touch $@

$(VENV)/runtime: requirements.txt dev/requirements/build.txt | $(VENV)/created
	$(PIP) install -q -r requirements.txt -r dev/requirements/build.txt
	touch $@

$(VENV)/dev: dev/requirements/dev.txt | $(VENV)/runtime
	$(PIP) install -q -r dev/requirements/dev.txt
	touch $@

$(VENV)/docs: dev/requirements/docs.txt | $(VENV)/runtime
	$(PIP) install -q -r dev/requirements/docs.txt
	touch $@

$(VENV)/wheels: dev/requirements/wheels.txt | $(VENV)/runtime
	$(PIP) install -q -r dev/requirements/wheels.txt
	touch $@

$(VENV)/built: $(CORE) CMakeLists.txt pyproject.toml | $(VENV)/runtime
	$(PIP) install -q --no-build-isolation --no-deps -e . -C cmake.define.CMAKE_COMPILE_WARNING_AS_ERROR=ON
	touch $@

.PHONY: solve test check format stub bench results report docs wheels aarch64 sanitize mutants build
