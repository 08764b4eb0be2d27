"""A menu that a notebook or a document names, such as *File › New › Terminal*, is in JupyterLab."""

import json
import re

from lab import REPOSITORY

MENU = re.compile(r"\*([A-Z]\w*(?: › [^*›\n]+)+)\*")
OTHERS = ("Security › ", "Settings › General", "Settings › Pages")  # of GitHub


def list_menus():
    """Return each menu that is named, with the files that name it."""
    found = {}
    for path in sorted([*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/*.md")]):
        for menu in MENU.findall(path.read_text(encoding="utf-8")):
            found.setdefault(menu, set()).add(path.name)
    for path in sorted(REPOSITORY.glob("notebooks/*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for menu in MENU.findall("".join(cell["source"])):
                found.setdefault(menu, set()).add(path.name)
    return {menu: names for menu, names in found.items() if not menu.startswith(OTHERS)}


def find_menu(page, menu):
    """Open the menus, and return the label at which there is no further one, or None."""
    name, *labels = menu.split(" › ")
    page.locator(".lm-MenuBar-item").filter(has_text=re.compile(f"^{name}$")).click()
    missing = None
    for depth, label in enumerate(labels):
        items = page.locator(".lm-Menu").nth(depth).locator(".lm-Menu-item:not(.lm-mod-hidden)")
        item = items.filter(has=page.get_by_text(re.compile(f"^{re.escape(label)}…?$")))
        if not item.count():
            missing = label
            break
        item.first.hover()
        if depth + 1 < len(labels):
            page.locator(".lm-Menu").nth(depth + 1).wait_for()
    for _ in labels:
        page.keyboard.press("Escape")
    return missing


def test_menus_that_are_named_exist(lab):
    lab.open("s02_tool_use.ipynb")
    menus = list_menus()
    assert "File › New › Terminal" in menus
    assert {one: menus[one] for one in menus if find_menu(lab.page, one)} == {}
    assert find_menu(lab.page, "View › Presentation Mode") == "Presentation Mode"
    assert find_menu(lab.page, "File › New › Shell") == "Shell"
