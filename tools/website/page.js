// What a page does beside its widgets.

const SCROLLS = "pre:not(.agentlib pre), .table";

/** Let the keyboard reach each part that is too wide for the page, so that keys can scroll it. */
const makeReachable = () => {
  for (const part of document.querySelectorAll(SCROLLS)) {
    if (part.scrollWidth > part.clientWidth) part.setAttribute("tabindex", "0");
    else part.removeAttribute("tabindex");
  }
};

makeReachable();
addEventListener("resize", makeReachable);
document.addEventListener("toggle", makeReachable, { capture: true });
