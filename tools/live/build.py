"""Build the browser edition of the lesson in build/site/live: JupyterLite with Pyodide.

    python tools/live/build.py

The site contains the notebooks, this package and its dependencies, so a page loads nothing from
other hosts. The build needs Node.js.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import parse_wheel_filename

from lesson.copy_lesson import copy_lesson

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LOCK = ROOT / "requirements" / "live.lock"
WORK = ROOT / "build" / "live"
SITE = ROOT / "build" / "site" / "live"
PYODIDE = HERE / "node_modules" / "pyodide"
SCRIPTS = ("pyodide.mjs", "pyodide.asm.mjs")
RUNTIME = ("pyodide.asm.wasm", "python_stdlib.zip")
ENV = WORK / "env"  # where JupyterLite is
KERNEL = ENV / "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension"
SETTINGS = ROOT / "jupyter/settings/overrides.json"
EXTENSION = ROOT / "jupyter/labextension"
IN_THE_KERNEL = ("jupyterlab-widgets", "widgetsnbextension")  # JupyterLite has its own versions
PLUGIN = "@jupyterlite/pyodide-kernel-extension:kernel"
MAX_BYTES = 50_000_000


def main() -> None:
    """Build the site. Exit with an error message if it is larger than MAX_BYTES."""
    WORK.mkdir(parents=True, exist_ok=True)
    wheels = [*compiled_wheels(), *build_wheels(), *kernel_wheels()]
    build_jupyterlite()
    packages = add_pyodide(SITE / "static" / "pyodide", wheels)
    configure(packages)
    write_early_worker(SITE / "static" / "pyodide" / "early.js")
    finish_page()
    leave_out()
    size = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file())
    print(f"{SITE.relative_to(ROOT)}: {size / 1e6:.1f} MB")
    if size > MAX_BYTES:
        raise SystemExit(f"The limit is {MAX_BYTES / 1e6:.0f} MB.")


def compiled_wheels() -> list[Path]:
    """Return the compiled wheels of requirements/live.lock; build them if the lock changed."""
    made_from = [LOCK, HERE / "compile.py", HERE / "package-lock.json"]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in made_from)).hexdigest()
    folder = WORK / f"wheels-{digest[:16]}"
    if not folder.exists():
        unfinished = WORK / "wheels"
        shutil.rmtree(unfinished, ignore_errors=True)
        fetch_wheels(unfinished)
        subprocess.run(["node", HERE / "compile.mjs", PYODIDE, unfinished], check=True)
        unfinished.rename(folder)
    return sorted(folder.glob("*.whl"))


def fetch_wheels(folder: Path) -> None:
    """Download the wheels of the lock file to `folder`, and verify their hashes."""
    info = read_lock()["info"]
    python = "".join(info["python"].split(".")[:2])
    locked = WORK / "pyodide.txt"
    locked.write_text("\n".join(pins_for_the_browser(info["python"])), encoding="utf-8")
    run("pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes",
        "--requirement", locked, "--dest", folder,
        "--python-version", python, "--implementation", "cp", "--abi", f"cp{python}",
        "--platform", f"pyemscripten_{info['abi_version']}_wasm32")  # fmt: skip


def pins_for_the_browser(python: str) -> Iterator[str]:
    """Yield the entries of the lock, with hashes, that a browser with this Python needs.

    pip would evaluate the markers for the Python that runs it.
    """
    browser = {"sys_platform": "emscripten", "python_full_version": python}
    browser["python_version"] = python.rpartition(".")[0]
    for entry in re.split(r"\n(?=\S)", LOCK.read_text(encoding="utf-8").strip()):
        pin, _, hashes = entry.partition(" \\\n")
        requirement = Requirement(pin)
        is_needed = requirement.marker is None or requirement.marker.evaluate(browser)
        if is_needed and requirement.name not in IN_THE_KERNEL:
            yield f"{requirement.name}{requirement.specifier} \\\n{hashes}"


def build_wheels() -> list[Path]:
    folder = WORK / "own"
    shutil.rmtree(folder, ignore_errors=True)
    run("pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", ROOT, "--wheel-dir", folder)
    return sorted(folder.glob("*.whl"))


def kernel_wheels() -> list[Path]:
    """Return the wheels that JupyterLite's Pyodide kernel contains."""
    wheels = (KERNEL / "static" / "pypi").glob("*.whl")
    return sorted(wheel for wheel in wheels if not wheel.name.startswith("widgetsnbextension-3"))


def build_jupyterlite() -> None:
    """Build JupyterLab as static files, with the learner's notebooks."""
    lite, contents = WORK / "lite", WORK / "contents"
    for folder in (lite, contents, SITE):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    copy_lesson(contents)
    shutil.copy(SETTINGS, lite / "overrides.json")
    installed = ENV / "share/jupyter/labextensions/planning-agent-lesson"
    shutil.copytree(EXTENSION, installed, dirs_exist_ok=True)
    run("jupyterlite_core", "build", "--lite-dir", lite, "--contents", contents, "--no-sourcemaps",
        "--output-dir", SITE, "--apps", "lab", "--no-unused-shared-packages",
        python=ENV / "bin" / "python")  # fmt: skip


def add_pyodide(folder: Path, wheels: list[Path]) -> list[str]:
    """Put Pyodide and the wheels into `folder`; return the packages' names, all to be loaded."""
    folder.mkdir(parents=True)
    for name in RUNTIME:
        shutil.copy(PYODIDE / name, folder)
    for script in (*(PYODIDE / name for name in SCRIPTS), HERE / "start.mjs"):
        # Many web servers, such as nginx 1.22, do not send .mjs as JavaScript. Scripts name others.
        source = script.read_text(encoding="utf-8")
        for name in SCRIPTS:
            source = source.replace(name, name.replace(".mjs", ".js"))
        (folder / script.with_suffix(".js").name).write_text(source, encoding="utf-8")
    shutil.copy(HERE / "start.py", folder)
    entries = {}
    for wheel in wheels:
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        # The address depends on the content, so that no browser uses an old file from its cache.
        place = folder / digest[:12]
        place.mkdir()
        shutil.copy(wheel, place)
        name, version, _, _ = parse_wheel_filename(wheel.name)
        entries[name] = {
            "name": name,
            "version": str(version),
            "file_name": f"{place.name}/{wheel.name}",
            "sha256": digest,
            "install_dir": "site",
            "package_type": "package",
            "imports": [],
            "depends": [],
            "unvendored_tests": False,
        }
    lock = read_lock() | {"packages": entries}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, indent=1))
    return list(entries)


def read_lock() -> dict[str, Any]:
    """Return Pyodide's lock file: its Python version and ABI, and packages on other hosts."""
    return json.loads((PYODIDE / "pyodide-lock.json").read_text())


def configure(packages: list[str]) -> None:
    """Write the name of the app and the address of Pyodide to JupyterLite's configuration."""
    path = SITE / "jupyter-lite.json"
    config = json.loads(path.read_text())
    data = config["jupyter-config-data"]
    data |= {"appName": "The planning-agent lesson", "exposeAppInBrowser": True}
    data.setdefault("litePluginSettings", {})[PLUGIN] = {
        "pyodideUrl": "./static/pyodide/start.js",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": packages},
    }
    path.write_text(json.dumps(config, indent=1))


def write_early_worker(path: Path) -> None:
    """Write the worker that progress.js starts: it imports Pyodide first, then the kernel."""
    (kernel,) = (SITE / "extensions").rglob("comlink.worker.*.js")
    address = "../../" + kernel.relative_to(SITE).as_posix()
    path.write_text(f'import "./start.js";\nimport "{address}";\n')


def finish_page() -> None:
    """Add the language, the title, the icon and the progress messages to the page."""
    shutil.copy(HERE / "progress.js", SITE / "lab")
    page = SITE / "lab" / "index.html"
    html = page.read_text().replace("<html>", '<html lang="en">')
    html = html.replace("<title>JupyterLite</title>", "<title>The planning-agent lesson</title>")
    added = """<link rel="icon" href="./favicon.ico">
    <script type="module" src="./progress.js"></script>"""
    page.write_text(html.replace("</head>", f"{added}\n</head>"))


def leave_out() -> None:
    """Remove icon fonts in formats that only old browsers need."""
    for pattern in ("fa-*.svg", "fa-*.eot", "fa-*.ttf"):
        for font in (SITE / "build").glob(pattern):
            font.unlink()


def run(module: str, *arguments: object, python: str | Path = sys.executable) -> None:
    """Run a Python module in the folder WORK. Raise CalledProcessError if it fails."""
    subprocess.run([python, "-m", module, *map(str, arguments)], check=True, cwd=WORK)


if __name__ == "__main__":
    main()
