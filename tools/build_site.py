"""Build the browser edition in build/site: stock JupyterLite, whose Python is Pyodide.

Everything that a page loads is in the site, so it sends no request to another host. The packages
are those of requirements.lock, with their hashes; npm brings the five files of Pyodide.
"""

import base64
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from importlib.metadata import distributions
from pathlib import Path

import play_page
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from lesson.program.copy_lesson import copy_lesson
from lesson.program.open_lab import SETTINGS

ROOT = Path(__file__).parents[1]
SITE, ENV = ROOT / "build" / "site", ROOT / "build" / "env-site"
LABEXTENSIONS = ENV / "share" / "jupyter" / "labextensions"
OVERRIDES = "default_setting_overrides.json"  # of JupyterLab, such as no news
KERNEL = "@jupyterlite/pyodide-kernel-extension"
PYODIDE = "pyodide@314.0.7"
PYODIDE_SHA512 = (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
LOADER, SCRIPT, WASM = "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"
RUNTIME = (LOADER, SCRIPT, WASM, "python_stdlib.zip")
# Not every server compresses what it sends, and these two would be a fifth of it: so they are
# compressed, and the loader unpacks them. Here is what it does, and what it does instead.
UNPACK = 'new Response(packed.body.pipeThrough(new DecompressionStream("gzip")),{headers:'
FETCH_PACKED = {
    WASM: (
        f'let{{binary:t,response:n}}=_(e+"{WASM}")',
        f"""
let t,n=_(e+"{WASM}.packed").response.then(packed=>{UNPACK}
{{"Content-Type":"application/wasm"}}}}))""",
    ),
    SCRIPT: (
        f"let t=`${{e.indexURL}}{SCRIPT}`;",
        f"""
let packed=await _(e.indexURL+"{SCRIPT}.packed").response,
unpacked={UNPACK}{{"Content-Type":"text/javascript"}}}}),
t=URL.createObjectURL(await unpacked.blob());""",
    ),
}
LOCK, EMPTY = "pyodide-lock.json", "empty.zip"
# Two files, because the cache of a private window keeps none of more than some megabytes.
PACKAGES, COMPILED = "packages.tar", "compiled.tar"
ASKED_FOR = "comm", "ipykernel", "ipython", "jedi", "micropip", "piplite", "pyodide-kernel"
PYTHON = "3.14"  # Pyodide's
BROWSER = {"sys_platform": "emscripten", "platform_system": "Emscripten", "python_version": PYTHON}
BROWSER |= {"python_full_version": f"{PYTHON}.0", "platform_machine": "wasm32", "extra": ""}
# Node.js runs Pyodide with this program, and a Python program in it. (An argument of more than
# 4,096 characters would end Pyodide, which takes it for a path.)
RUN_IN_PYODIDE = """
const env = {SITE_LEVEL: process.env.SITE_LEVEL ?? "19"};
const python = await (await import(process.cwd() + "/pyodide.mjs")).loadPyodide({env});
python.FS.mkdir("/site");
python.FS.mount(python.FS.filesystems.NODEFS, {root: process.cwd()}, "/site");
python.FS.chdir("/site");
python.runPython(python.FS.readFile("compile_site.py", {encoding: "utf8"}));
"""
# What a kernel loads. The page fetches it when JupyterLab's own scripts are there, and the kernel
# finds it in the browser's cache.
OF_THE_KERNEL = [
    f"static/pyodide/{name}"
    for name in (LOADER, f"{SCRIPT}.packed", f"{WASM}.packed", RUNTIME[-1], PACKAGES, COMPILED)
]
# What play.html in front of the site fetches ahead, in this order: most of what the lesson loads.
LARGEST = (*OF_THE_KERNEL, "build/jlab_core*.js", "build/lab/bundle.js")
FIRST_SCRIPT = '<link id="jupyter-lite-main"'
# A browser has six connections to a server, and five large files would take five of them: on a slow
# line, a learner would wait for these before there is anything to read.
FETCH_EARLY = """<script>
      const waiting = setInterval(() => {
        if (!window.jupyterapp) return;
        clearInterval(waiting);
        for (const href of FILES) {
          const about = { rel: "preload", as: "fetch", crossOrigin: "", href };
          document.head.append(Object.assign(document.createElement("link"), about));
        }
      }, 20);
    </script>
    """
IN_THE_KERNEL = {"ipykernel", "jupyterlab-widgets", "widgetsnbextension"}  # it has its own ones
# Completion of code that has not run (IPython works without it, and a Tab knows what has run), and
# IPython in a terminal.
UNUSED = {"jedi", "parso", "prompt-toolkit", "wcwidth"}


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        wheels = work / "static" / "pyodide"  # JupyterLite finds this folder by its name
        lock = unpack_pyodide(wheels)
        download_packages(wheels, lock["info"]["abi_version"])
        compile_code(wheels)
        pack_runtime(wheels)
        write_lock(wheels, lock)
        copy_lesson(work / "contents")
        shutil.copy(SETTINGS / "labconfig" / OVERRIDES, work / "overrides.json")
        shutil.rmtree(SITE, ignore_errors=True)
        run(ENV / "bin/python", "-m", "jupyterlite_core", "build", "--apps=lab",
            "--no-sourcemaps", f"--contents={work / 'contents'}", f"--output-dir={SITE}",
            cwd=work)  # fmt: skip
    shutil.copy(play_page.PAGE, SITE)
    states = play_page.unpack(play_page.PAGE.read_text(encoding="utf-8"))
    page = play_page.write_in_new_folder(states, find_largest(SITE))
    front = SITE / "index.html"
    front.write_text(keep_config(front.read_text(encoding="utf-8"), page), encoding="utf-8")
    lab = SITE / "lab" / "index.html"
    lab.write_text(fetch_early(lab.read_text(encoding="utf-8")), encoding="utf-8")
    shutil.copy(SITE / "icon-120x120.png", SITE / "lab" / "favicon.ico")  # 5 KB, and not 319
    print(f"{SITE.relative_to(ROOT)}: {measure(SITE) / 1e6:.0f} MB")


def run(*command, cwd: Path = ROOT) -> None:
    subprocess.run(command, cwd=cwd, check=True)


def unpack_pyodide(folder: Path) -> dict:
    """Download Pyodide, verify its hash, put its files into `folder`, and return its lock."""
    run("npm", "pack", "--silent", PYODIDE, "--pack-destination", folder.parents[1])
    [archive] = folder.parents[1].glob("*.tgz")
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if digest != PYODIDE_SHA512:
        raise SystemExit(f"{PYODIDE} has the hash {digest}, and not {PYODIDE_SHA512}.")
    folder.mkdir(parents=True)
    with tarfile.open(archive) as files:
        for name in (*RUNTIME, LOCK):
            (folder / name).write_bytes(files.extractfile(f"package/{name}").read())
    return json.loads((folder / LOCK).read_text(encoding="utf-8"))


def add_needed(name: str, needed: set[str]) -> None:
    """Add the packages that `name` needs in a browser.

    They are those of the lock: in .venv may be a newer SDK, which a workflow tries.
    """
    packages = [str(path) for path in ENV.glob("lib/python*/site-packages")]
    for installed in distributions(name=name, path=packages):  # none, if it is for browsers only
        for requirement in map(Requirement, installed.requires or ()):
            package, marker = canonicalize_name(requirement.name), requirement.marker
            if package not in needed and (marker is None or marker.evaluate(BROWSER)):
                needed.add(package)
                add_needed(package, needed)


def download_packages(folder: Path, abi: str) -> None:
    """Download what the lesson needs in a browser, verify the hashes, and build its own wheel."""
    names: set[str] = set()
    add_needed("planning-agent-lesson", names)
    names -= IN_THE_KERNEL | UNUSED
    entries = re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text(encoding="utf-8"))
    entries = [entry for entry in entries if entry.split("==")[0] in names]
    pins = [re.sub(r" ;.*(?= \\)", "", entry) for entry in entries]
    (folder / "pins.txt").write_text("\n".join(pins), encoding="utf-8")
    tags = [
        "--implementation=cp",
        f"--python-version={PYTHON}",
        f"--abi=cp{PYTHON.replace('.', '')}",
    ]
    run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes",
        "--only-binary=:all:", *tags, f"--platform=pyemscripten_{abi}_wasm32", "-d", folder,
        "-r", folder / "pins.txt")  # fmt: skip
    (folder / "pins.txt").unlink()
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    for wheel in (LABEXTENSIONS / KERNEL / "static" / "pypi").glob("*.whl"):
        if not wheel.name.startswith("widgetsnbextension-3"):
            shutil.copy(wheel, folder)


def compile_code(folder: Path) -> None:
    """Compile the packages in `folder`, whose hashes are verified: see compile_site.py."""
    before = measure(folder)
    for name in ("compile_site.py", "site_piplite.py", "site_ahead.py"):
        shutil.copy(ROOT / "tools" / name, folder)
    run("node", "--input-type=module", "--eval", RUN_IN_PYODIDE, cwd=folder)
    (folder / "compile_site.py").unlink()
    print(f"compiled: {before / 1e6:.0f} MB are {measure(folder) / 1e6:.0f} MB")


def pack_runtime(folder: Path) -> None:
    """Compress Pyodide's largest files, and let its loader unpack them."""
    loader = folder / LOADER
    code = loader.read_text(encoding="utf-8")
    for name, (old, new) in FETCH_PACKED.items():
        if code.count(old) != 1:
            raise SystemExit(f"{LOADER} fetches {name} in another way: change FETCH_PACKED.")
        code = code.replace(old, new)
        file = folder / name
        folder.joinpath(f"{name}.packed").write_bytes(gzip.compress(file.read_bytes(), mtime=0))
        file.unlink()
    loader.write_text(code, encoding="utf-8")


def fetch_early(page: str) -> str:
    """Return the page of JupyterLab with a script that fetches the kernel's files ahead of it."""
    if page.count(FIRST_SCRIPT) != 1:
        raise SystemExit("JupyterLite's page has another first script: change FIRST_SCRIPT.")
    files = json.dumps([f"../{name}" for name in OF_THE_KERNEL])
    return page.replace(FIRST_SCRIPT, FETCH_EARLY.replace("FILES", files) + FIRST_SCRIPT)


def find_largest(site: Path) -> list[str]:
    """Return the addresses of LARGEST below the site."""
    addresses: list[str] = []
    for name in LARGEST:
        files = sorted(site.glob(name))
        if not files:
            raise SystemExit(f"The site has no {name}: change LARGEST.")
        addresses += [file.relative_to(site).as_posix() for file in files]
    return addresses


def keep_config(front: str, page: str) -> str:
    """Return `page` with the settings in JupyterLite's first page, which its other pages read."""
    config = re.search(r'<script\s[^>]*id="jupyter-config-data".*?</script>', front, re.DOTALL)
    if not config:
        raise SystemExit("JupyterLite's first page has no settings: change keep_config.")
    return page.replace("</head>", f"{config[0]}\n</head>", 1)


def measure(folder: Path) -> int:
    """Return the size of the files below `folder`, in bytes."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def write_lock(folder: Path, lock: dict) -> None:
    """Name all packages in Pyodide's lock, and let the kernel load them when it starts."""
    with zipfile.ZipFile(folder / EMPTY, "w"):
        pass
    # JupyterLite asks for these by name. They are in the files of all packages.
    files = dict.fromkeys(ASKED_FOR, EMPTY) | {"packages": PACKAGES, "compiled": COMPILED}
    lock["packages"] = {
        name: {
            "name": name, "version": "1", "file_name": file, "install_dir": "site",
            "sha256": hashlib.sha256((folder / file).read_bytes()).hexdigest(), "imports": [],
            "package_type": "package", "depends": [], "unvendored_tests": False,
        }
        for name, file in files.items()
    }  # fmt: skip
    (folder / LOCK).write_text(json.dumps(lock), encoding="utf-8")
    path = f"/lib/python{PYTHON}/site-packages/compiled.zip"  # unpacked from COMPILED
    options = {"packages": sorted(files), "env": {"PYTHONPATH": path}}
    kernel = {"disablePyPIFallback": True, "loadPyodideOptions": options}
    config = {"exposeAppInBrowser": True, "litePluginSettings": {f"{KERNEL}:kernel": kernel}}
    contents = {"jupyter-lite-schema-version": 0, "jupyter-config-data": config}
    (folder.parents[1] / "jupyter-lite.json").write_text(json.dumps(contents), encoding="utf-8")


if __name__ == "__main__":
    main()
