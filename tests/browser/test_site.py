"""The browser edition, as `make site` has built it: JupyterLab and Python from a plain file server.

.ci/run builds it. The browser has no network.
"""

import os
from pathlib import Path

import build_site
import pytest
from lab import PATIENCE_SECONDS, Lab, file_server, watch

pytestmark = pytest.mark.release
SITE = Path(__file__).parents[2] / "build" / "site"


class SiteLab(Lab):
    """A page at the browser edition."""

    @property
    def address(self) -> str:
        return f"{self.url}/lab/index.html"

    def execute(self, code: str) -> str:
        """Run code in the kernel of the notebook in front; return what it prints, or its error.

        Each question is answered with "a".
        """
        return self.script(
            """const {kernel} = panel.sessionContext.session;
               const future = kernel.requestExecute({code: argument, allow_stdin: true});
               let printed = '';
               const all = {status: 'ok', value: 'a'};
               future.onStdin = ({header}) => kernel.sendInputReply(all, header);
               future.onIOPub = ({content}) => { printed += content.text ?? content.evalue ?? ''; };
               await future.done;
               return printed;""",
            code,
        )


@pytest.fixture(scope="module")
def lab(chromium):
    """Come from the page in front of the lesson, and open its first notebook."""
    if not SITE.is_dir():
        give_up = pytest.fail if os.environ.get("CI") else pytest.skip
        give_up("`make site` has not built the browser edition")
    with file_server(SITE) as url, chromium.new_context() as context:
        page = context.new_page()
        watch(page, (url, "data:", "blob:"))
        asked = []
        page.on("response", lambda response: asked.append(response.status))
        page.goto(url)
        assert len(asked) == 1
        largest = build_site.find_largest(SITE)
        with page.expect_response(f"**/{largest[-1]}", timeout=60_000):
            page.get_by_role("button", name="Next round").click()
        assert asked == [200] * (1 + len(largest)), "it fetches files of the site"
        page.get_by_role("link", name="Open the lesson").click()
        page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell", timeout=PATIENCE_SECONDS * 1000)
        lab = SiteLab(page, url, SITE, "")
        yield lab
    # JupyterLab first looks for a picture beside its page, and then in the notebook's folder.
    missing = "favicon.ico", *map("/lab/{}".format, ("agent", "loop", "trim", "lesson_pictures"))
    problems = [text for text in lab.problems if not any(name in text for name in missing)]
    assert problems == []


def test_kernels_files_are_fetched_after_those_of_the_page(lab):
    """On a slow line, the notebook is there to be read before them."""
    begun, done = lab.page.evaluate(
        """() => {
            const all = performance.getEntriesByType('resource');
            const of = name => all.filter(file => new URL(file.name).pathname.includes(name));
            const [begun] = of('/packages.tar').map(file => file.startTime);
            return [begun, Math.max(...of('/jlab_core').map(file => file.responseEnd))];
        }"""
    )
    assert done < begun


IMPORTED = "import sys; print({'lesson', 'anthropic'} <= {*sys.modules})"


def test_idle_kernel_has_imported_the_sdk_before_the_first_cell(lab):
    lab.open("00_start_here.ipynb")
    lab.page.wait_for_timeout(5000)
    tries = range(PATIENCE_SECONDS)
    assert any(
        lab.execute(IMPORTED).strip() == "True" or lab.page.wait_for_timeout(1000) for _ in tries
    )
    # A module is looked for in the library first, as in a kernel elsewhere.
    order = "print(['lib-dynload' in sys.path[sys.path.index('') - 1], sys.path.index('') > 1])"
    assert lab.execute(order).strip() == "[True, True]"


def find_code(lab):
    """Return the place of the first cell with code."""
    cells = lab.notebook()["cells"]
    return next(place for place, cell in enumerate(cells) if cell["cell_type"] == "code")


def test_cells_run_play_works_and_files_are_shared_between_notebooks(lab):
    lab.open("s02_tool_use.ipynb")
    lab.run_cell(find_code(lab))
    printed = lab.execute("from lesson import play\nprint(play('ten_steps', after=3).steps_done)")
    assert printed.splitlines()[-1] == "10"
    # Here the system gives a file that is only read a new time if it is asked not to wait.
    same = "from lesson.program.my_agent import store; print(store._look() == store._state)"
    assert lab.execute(same).strip() == "True"
    lab.page.wait_for_function(
        "[...document.images].some(it => it.src.startsWith('data:image/svg') && it.naturalWidth)"
    )
    lab.execute("open('my_agent/nag.py', 'a').write('# mine\\n')")
    lab.open("00_start_here.ipynb")
    assert lab.execute("print(open('my_agent/nag.py').read()[-7:])").strip() == "# mine"
    assert lab.execute("import lesson; print(lesson.my_agent)").startswith("<module 'my_agent'")


# Our parts, each function with an annotation that nobody has imported: `def` does not notice it.
FORGET_AN_IMPORT = """
import ast
from lesson.common.parts import PARTS
from lesson.common.solutions import read_solutions
from lesson.program.folder import write_part
for part in PARTS.values():
    tree = ast.parse(write_part(part.name, read_solutions()[part.name]))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = ast.Name("Forgotten")
    open(f"my_agent/{part.file}.py", "w").write(ast.unparse(tree))
"""


def test_without_a_service_worker_the_first_cell_says_that_no_file_is_kept(chromium, lab):
    """As with a filter of a school, or in a private window of Firefox."""
    with chromium.new_context(service_workers="block") as context:
        other = context.new_page()
        watch(other, ("http:", "data:", "blob:"))
        blocked = SiteLab(other, lab.url, SITE, "")
        blocked.open("s02_tool_use.ipynb")
        blocked.run_cell(find_code(blocked))
        outputs = blocked.notebook()["cells"][find_code(blocked)]["outputs"]
    assert "Your files cannot be kept here" in str(outputs)
    lab.open("s02_tool_use.ipynb")
    lab.run_cell(find_code(lab))
    assert "cannot be kept" not in str(lab.notebook()["cells"][find_code(lab)]["outputs"])


def test_program_plays_in_the_kernel_and_leaves_as_a_zip(lab):
    lab.open("s02_tool_use.ipynb")
    shop = "Refactor this bookshop in ten steps: easy to read, tested and documented."
    for change in ("", FORGET_AN_IMPORT):  # it is imported anew
        printed = lab.execute(f"{change}\n%run my_agent/__main__.py {shop!r}")
        assert "The files show 10 of 10 steps." in printed
    printed = lab.execute("from lesson import take_away\ntake_away('mine.zip')")
    assert printed.startswith("mine.zip is written.")
    names = lab.execute("import zipfile\nprint(*zipfile.ZipFile('mine.zip').namelist())")
    assert {"__main__.py", "frame.py", "loop.py"} <= {*names.split()}


def test_tab_completes_what_has_run_and_a_package_is_refused_with_a_reason(lab):
    lab.open("s02_tool_use.ipynb")
    complete = """const {kernel} = panel.sessionContext.session;
        const question = {code: argument, cursor_pos: argument.length};
        return (await kernel.requestComplete(question)).content.matches;"""
    lab.execute("import anthropic\nclass Bakery:\n    open_on_sunday = True")
    assert "open_on_sunday" in str(lab.script(complete, "Bakery.open_on"))
    assert "AsyncAnthropic" in str(lab.script(complete, "anthropic.Async"))
    assert "can install no other one" in lab.execute("%pip install numpy")
    # The SDK's imports wait until a name is used, as in the lesson elsewhere.
    modules = "import sys; print(sum('anthropic' in name for name in sys.modules) < 2000)"
    assert lab.execute(modules).strip() == "True"
    assert lab.execute("print(anthropic.types.beta.BetaMessage.__name__)").strip() == "BetaMessage"
