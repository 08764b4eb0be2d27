"""A menu that a notebook or a document names, such as *File › New › Terminal*, is in JupyterLab."""

import re

import pytest
from lab import REPOSITORY
from support.documents import NOTEBOOKS, read

pytestmark = pytest.mark.release
MENU = re.compile(r"\*([A-Z]\w*(?: › [^*›\n]+)+)\*")
OTHERS = ("Security › ", "Settings › General", "Settings › Pages")  # of GitHub


def list_menus():
    """Return each menu that is named, with the files that name it."""
    menus = {}
    for path in [*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/*.md"), *NOTEBOOKS.values()]:
        for menu in MENU.findall(read(path)):
            menus.setdefault(menu, set()).add(path.name)
    return {menu: names for menu, names in menus.items() if not menu.startswith(OTHERS)}


# The entries of all menus as they are shown, each behind its menus.
ENTRIES = """
    const list = menu => menu.items.filter(item => item.isVisible).flatMap(({label, submenu}) => {
        const name = (submenu?.title.label ?? label).replace('…', '');
        return [name, ...(submenu ? list(submenu).map(below => `${name} › ${below}`) : [])];
    });
    const bar = [...app.shell.widgets('menu')].find(({menus}) => menus);
    return bar.menus.flatMap(menu => list(menu).map(below => `${menu.title.label} › ${below}`));"""


def test_menus_that_are_named_exist(lab):
    lab.open("s02_tool_use.ipynb")
    menus, entries = list_menus(), lab.script(ENTRIES)
    assert "File › New › Terminal" in menus and "View › Presentation Mode" not in entries
    assert {menu: names for menu, names in menus.items() if menu not in entries} == {}
