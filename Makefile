# make lab        set up .venv, open the lesson in JupyterLab
# make test       set up, lint, run every test and every notebook
# make notebooks  run the notebooks in place (the files change only where an output did)
# make pictures  take the README's picture anew, in a real browser
# make fuzz       every property test on 20,000 random examples; it takes half an hour
# make lock       renew the pinned versions in requirements/

# The first Python that is new enough; or say `make lab PYTHON=/path/to/python3.12`.
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,\
  $(shell $(name) -c 'import sys; sys.version_info >= (3, 11) and print("$(name)")' 2>/dev/null)))
UV = .venv/bin/uv
VENV = .venv/bin/python
# Without compiled files every kernel of every notebook would compile the same modules again.
unexport PYTHONDONTWRITEBYTECODE
AS_ROOT = $(shell [ "$$(id -u)" != 0 ] || echo --allow-root)

lab: .venv/lab.done
	$(VENV) -m jupyterlab $(AS_ROOT) --ServerApp.root_dir="$(CURDIR)" notebooks/00_start_here.ipynb

test: .venv/test.done
	$(VENV) -m ruff check .
	@$(MAKE) --no-print-directory -j3 package lesson widgets

# Side by side, for they wait a lot; what each says is kept until it has ended.
package lesson widgets:
	@mkdir -p build
	@$(VENV) -m pytest $(SUITE_$@) > build/$@.txt 2>&1; \
		code=$$?; cat build/$@.txt; exit $$code
SUITE_package = tests --ignore=tests/browser --ignore-glob='*/test_exercises_*'
SUITE_widgets = tests/browser/test_widgets.py
SUITE_lesson = $(wildcard tests/test_exercises_*.py) tests/browser --ignore=$(SUITE_widgets) \
	notebooks --nbval --nbval-current-env --nbval-cell-timeout=120

notebooks: .venv/test.done
	$(VENV) tools/notebooks.py

pictures: .venv/test.done
	$(VENV) -m pytest tests/browser/test_lesson.py
	cp build/screenshots/readme-slider.png docs/slider.png

fuzz: .venv/test.done
	$(VENV) -m pytest tests --ignore=tests/browser -m hypothesis --hypothesis-profile=fuzz

# A lock for all, then the lab's part of it, then that part without hashes: pip refuses
# hashes beside `-e .`, and environment.yml needs both in one list.
COMPILE = $(UV) pip compile -q --universal --python-version 3.11 --no-header --no-annotate
lock: $(UV)
	$(COMPILE) --upgrade --generate-hashes pyproject.toml --all-extras -o requirements/test.lock
	$(COMPILE) --generate-hashes pyproject.toml --extra lab -c requirements/test.lock \
		-o requirements/lab.lock
	sed -e '/--hash=/d' -e 's/ \\$$//' requirements/lab.lock > requirements/lab.txt

.venv/%.done: requirements/%.lock pyproject.toml $(UV)
	$(UV) pip install --python $(VENV) -r $< -e .
	@touch $@

$(UV):
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer was found: install one, or say" \
		"'make PYTHON=/path/to/python3'."; exit 1; }
	$(PYTHON) -m venv .venv || $(PYTHON) -m venv --without-pip .venv
	$(VENV) -m pip install -q uv==0.13.8 || $(PYTHON) -m pip --python $(VENV) install -q uv==0.13.8 \
		|| { echo "This Python has no pip. On Debian and Ubuntu, 'sudo apt install python3-venv'" \
		"brings it; then say 'make' again."; exit 1; }

clean:
	rm -rf .venv build

.PHONY: lab test package lesson widgets notebooks pictures fuzz lock clean
.DELETE_ON_ERROR:
