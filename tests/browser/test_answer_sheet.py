"""The teacher's answer sheet, as Chromium prints it."""

import re

import pytest
from lab import REPOSITORY, find_violations, watch

pytestmark = pytest.mark.release


def test_sheet_prints_on_two_pages(chromium):
    page = chromium.new_page()
    watch(page, "file://")
    page.goto((REPOSITORY / "docs" / "answers.html").as_uri())
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 2
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert find_violations(page, page.locator("html")) == [] and page.problems == []
    page.close()
