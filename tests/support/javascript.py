"""The scripts of the widgets in Node.js."""

import json
import shutil
import subprocess

import pytest

from lesson.widgets.bundle import STATIC

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


def run_script(folder, name, module, code, cases):
    """Import a name from a module in static/, run `code`, and return the list `said` as data.

    `cases` is a constant in the code. `folder` is empty.
    """
    shutil.copytree(STATIC, folder / "static")
    # Node.js before version 22 reads a .js file as a module only if a package.json says so.
    (folder / "package.json").write_text('{"type": "module"}')
    script = f"""
        import {{ {name} }} from "{(folder / "static" / module).as_uri()}";
        const cases = {json.dumps(cases)};
        {code}
        console.log(JSON.stringify(said));"""
    node = ["node", "--no-warnings", "--input-type=module", "-e", script]
    return json.loads(subprocess.run(node, capture_output=True, text=True, check=True).stdout)
