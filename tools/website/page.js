// What a page does beside its widgets.

const SCROLLS = ".code pre, pre.output, .table";

/** A part that is too wide can be scrolled by keys, too. */
const makeReachable = () => {
  for (const part of document.querySelectorAll(SCROLLS)) {
    if (part.scrollWidth > part.clientWidth) part.setAttribute("tabindex", "0");
    else part.removeAttribute("tabindex");
  }
};

makeReachable();
addEventListener("resize", makeReachable);
document.addEventListener("toggle", makeReachable, { capture: true });
