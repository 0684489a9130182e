# Thin verbs; README says what they are for.
SHELL := /bin/bash
PYTHON ?= python3
CORES ?= $(shell $(PYTHON) -c 'import os; print(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count())')
BIN := .venv/bin
STAMP := .venv/.lock-installed

.PHONY: demo test env check lint format bench report estimate verify plan lock schema test-slurm clean

demo: env ## set up, run the whole demo study, say where the results are
	@$(BIN)/snakemake --cores $(CORES) --quiet rules
	@echo
	@echo "Tables:  results/demo/tables/   (start with summary.md)"
	@echo "Figures: results/demo/figures/  (start with cost_accuracy.png)"

test: env ## the whole test suite
	$(BIN)/python -m pytest

env: $(STAMP) ## .venv with every version of envs/requirements.lock

$(STAMP): envs/requirements.lock envs/check_build.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "python3 must be 3.11 or newer")'
	@$(PYTHON) -m venv .venv || { echo "python3 lacks venv; on Debian: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=23.1'
	@echo "Installing envs/requirements.lock; llama.cpp is compiled once, which takes several minutes."
	@$(BIN)/python -m pip install --quiet -r envs/requirements.lock
	@$(BIN)/python envs/check_build.py || { \
	  echo "Compiling llama.cpp anew with the flags of the lock file."; \
	  grep '^llama-cpp-python' envs/requirements.lock > .venv/llama.txt; \
	  $(BIN)/python -m pip install --quiet --force-reinstall --no-deps --no-cache-dir -r .venv/llama.txt; \
	  $(BIN)/python envs/check_build.py; }
	@touch $(STAMP)

check: env ## format, lint, schema, workflow lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint

format: env ## rewrite what check would complain about
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/snakefmt Snakefile workflow

schema: env ## write workflow/schemas/config.schema.json and the tables of config/README.md
	cd workflow/scripts && ../../$(BIN)/python -m reasonaudit.config.write_schema

bench: env ## the engine against its alternatives: results/bench/engine.csv
	$(BIN)/python -m pip install --quiet -r envs/bench.txt
	PYTHONPATH=workflow/scripts $(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/dag.py

report: env ## one self-contained HTML page of figures and tables
	$(BIN)/snakemake --cores $(CORES) --report results/demo/report.html

plan: env ## questions and runs that a given difference needs
	$(BIN)/snakemake --cores $(CORES) --quiet rules plan $(if $(CONFIG),--configfile $(CONFIG))

estimate: env ## calls, tokens, hours and memory before anything runs (CONFIG=config/studies/...)
	@$(BIN)/snakemake estimate --cores $(CORES) --quiet rules host progress $(if $(CONFIG),--configfile $(CONFIG))

verify: env ## derive all results from the stored calls a second time, and compare bytes
	$(BIN)/snakemake verify --cores $(CORES) --quiet rules host progress $(if $(CONFIG),--configfile $(CONFIG))

test-slurm: env ## a small study on a one-node Slurm cluster (needs root, slurm-wlm and munge; installs nothing)
	$(BIN)/python -m pytest tests/slurm/on_slurm.py

lock: env ## pin what is installed now
	$(BIN)/python envs/write_lock.py > envs/requirements.lock.new && mv envs/requirements.lock.new envs/requirements.lock

clean: ## forget the demo's results (models and environment stay)
	rm -rf results/demo
