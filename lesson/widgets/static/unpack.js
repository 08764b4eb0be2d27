// What a notebook saves of the code of each widget: these lines, and the rest compressed.

const PACKED = "";

/** Add a style sheet to the page once, after those with a smaller number, in the order of the site's
 * one style sheet. @param {string} number @param {string} text */
const addSheet = (number, text) => {
  /** @type {NodeListOf<HTMLElement>} */
  const added = document.head.querySelectorAll("style[data-agentlib]");
  let sheet = [...added].find((one) => one.dataset.agentlib === number);
  if (!sheet) {
    sheet = document.createElement("style");
    sheet.dataset.agentlib = number;
    const next = [...added].find((one) => String(one.dataset.agentlib) > number);
    document.head.insertBefore(sheet, next ?? null);
  }
  if (sheet.textContent !== text) sheet.textContent = text;
};

export default async () => {
  const bytes = Uint8Array.from(atob(PACKED), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  /** @type {{ code: string, sheets: Record<string, string> }} */
  const { code, sheets } = await new Response(stream).json();
  for (const [number, text] of Object.entries(sheets)) addSheet(number, text);
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const { default: widget } = await import(address);
  URL.revokeObjectURL(address);
  return widget;
};
