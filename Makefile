# The commands for learners and developers. `make` without a target is `make lab`.
#
#   make lab        set up .venv, and open the lesson in JupyterLab, with the options in LAB=…
#   make test       set up, check the style, run the tests and all notebooks; with ALL=1 all tests
#   make check      check the style, run the quick tests: for every day
#   make notebooks  run the notebooks, which saves their outputs, and write docs/play.html
#   make solved     write the notebooks with the solutions, with their outputs, into build/solved
#   make pictures   make the screenshots of README in docs/pictures
#   make site       build the browser edition in build/site
#   make lock       update the versions of all packages, or with ONLY=ruff of this one
#   make clean      delete .venv and everything else that make has installed or built

PYTHON = python3
BIN = .venv/bin
# Many Docker images forbid Python to write bytecode: each start would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE
# uv does not read pip's settings, so it gets pip's mirror, unless it has its own.
MIRROR = $${UV_DEFAULT_INDEX:-$${UV_INDEX_URL:-$${PIP_INDEX_URL:-$$($(BIN)/python -m pip config \
  get global.index-url 2>/dev/null)}}}
# What uv, Jupyter and IPython keep in a home that cannot be written is kept in this folder.
ifneq ($(shell test -w "$$HOME" || echo no),)
  export UV_CACHE_DIR ?= $(CURDIR)/build/home/uv
  export JUPYTER_CONFIG_DIR ?= $(CURDIR)/build/home/config
  export JUPYTER_DATA_DIR ?= $(CURDIR)/build/home/data
  export JUPYTER_RUNTIME_DIR ?= $(CURDIR)/build/home/runtime
  export IPYTHONDIR ?= $(CURDIR)/build/home/ipython
endif
UV_INSTALL = UV_DEFAULT_INDEX="$(MIRROR)" $(BIN)/uv pip install -q -c requirements.lock --python

.PHONY: lab test check style notebooks solved pictures site lock clean
.SILENT: lab .venv/lab.done $(BIN)/uv

lab: .venv/lab.done
	$(BIN)/planning-agent lab my_lesson $(LAB)

test check: style
	$(BIN)/python -m pytest -n 4 $(if $(filter check,$@),-m "not slow and not release",$(if $(ALL),,-m "not release"))

style: .venv/test.done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

notebooks solved pictures: .venv/test.done
	$(BIN)/python tools/$@.py

site: build/env-site/done
	$(BIN)/python tools/build_site.py

lock: .venv/test.done
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-header --no-annotate \
	  --generate-hashes $(if $(ONLY),--upgrade-package $(ONLY),--upgrade) -o requirements.lock \
	  pyproject.toml --all-extras --group build --group grade --group site

clean:
	rm -rf .venv build

# ---------------------------------------------------------------------- what is installed

# If this folder was moved, or if something else has emptied .venv, such as `uv sync`, or its Python
# is gone, everything is installed again.
$(shell grep -qsF "$(CURDIR)/.venv" .venv/pyvenv.cfg && $(BIN)/python -c '' \
  && test -x $(BIN)/jupyter-lab || rm -f .venv/*.done $(BIN)/uv)

# uv comes first and checks the hash of each package that it installs.
$(BIN)/uv: requirements.lock
	$(PYTHON) -m venv --clear .venv
	sed -n '/^uv==/,/[^\\]$$/p' requirements.lock > .venv/uv.txt
	$(BIN)/python -m pip install -q --no-user --require-hashes -r .venv/uv.txt
	touch $@

.venv/lab.done: EXTRAS = lab
.venv/test.done: EXTRAS = lab,test
.venv/lab.done .venv/test.done: $(BIN)/uv pyproject.toml $(wildcard tools/labextension/*)
	$(if $(filter lab,$(EXTRAS)),echo "Loading 75 MB. You can open docs/play.html in a browser meanwhile.")
	$(UV_INSTALL) $(BIN)/python --group build
	$(UV_INSTALL) $(BIN)/python --no-build-isolation -e ".[$(EXTRAS)]"
	touch $@

# nbgrader (build/env-grade/done) and JupyterLite (build/env-site/done), each in its environment.
build/env-%/done: requirements.lock .venv/test.done
	$(PYTHON) -m venv --clear --without-pip build/env-$*
	$(UV_INSTALL) build/env-$*/bin/python --group build
	$(UV_INSTALL) build/env-$*/bin/python --no-build-isolation --group $* -e ".[lab]"
	touch $@
