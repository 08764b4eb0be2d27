"use strict";
// The script of docs/play.html: seven rounds, the seat's boxes, the slider, and the guesses. All pictures
// were drawn by Python, and are only put in their places here.
const find = (name) => document.querySelector(name);
const all = (name) => [...document.querySelectorAll(name)];
find("#round").textContent = "Round 1"; // in place of the sentence on a page without a script
find("#next").disabled = false;
const words = JSON.parse(find("#words").content.textContent);

function add(parent, name, text = "") {
  const child = document.createElement(name);
  child.textContent = text;
  parent.append(child);
  return child;
}

// ---------------------------------------------------------------- the plan is lost
const SLIDE_MS = 1800; // the style's animation, and a moment to see what is left
const frame = find("#frame");
let round = 0;

function playRound() {
  round += 1;
  const messages = all("#frame > [data-round]");
  for (const one of messages) if (Number(one.dataset.round) === round) one.hidden = false;
  const window = Number(frame.dataset.window);
  const seen = messages.filter((one) => !one.hidden).length;
  find("#round").textContent = `Round ${round + 1}: ${Math.min(seen, window)} of ${window} messages`;
  if (seen <= window) return;
  const gone = messages.slice(0, seen - window);
  frame.style.setProperty("--gone", `${gone.reduce((sum, one) => sum + one.offsetHeight, 0)}px`);
  for (const one of gone) one.classList.add("out");
  find("#next").disabled = true;
  setTimeout(() => {
    find("#lose").hidden = true;
    find("#seat-part").hidden = false;
    find("#seat-title").focus();
  }, SLIDE_MS);
}
find("#next").addEventListener("click", playRound);

// ---------------------------------------------------------------- the seat
// As in lesson/widgets/seat.py, whose words these are.
function sayNamed() {
  const count = (kind) => all(`#boxes > ${kind} :checked`).length;
  const [named, guesses] = [":not(.lp-lost)", ".lp-lost"].map(count);
  const said = named + guesses ? words.named.replace("{named}", named) : words.tick;
  find("#named").textContent = said + (guesses ? words.guessed.replace("{guesses}", guesses) : "");
}
find("#boxes").addEventListener("change", sayNamed);

find("#compare").addEventListener("click", () => {
  const { classList } = find("#seat");
  const isWritten = classList.contains("lp-compared") || find("#answer").value.trim();
  find("#named").textContent = isWritten ? "" : words.first;
  if (!isWritten) find("#answer").focus();
  else if (classList.toggle("lp-compared")) {
    sayNamed();
    find("#unknown").focus();
  }
});

// ---------------------------------------------------------------- the slider
const tried = new Set();
let states;

async function unpack() {
  const packed = Uint8Array.from(atob(find("#states").content.textContent.trim()), (one) =>
    one.charCodeAt(0),
  );
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  states = JSON.parse(await new Response(stream).text());
  move();
}

function move() {
  const [after, size, shows] = ["#after", "#size", "#shows"].map(find);
  const kind = shows.checked ? "list" : "plain";
  const key = (number) => `${kind},${size.value},${number}`;
  tried.add(key(after.value));
  find("#after-words").textContent = `threshold: ${after.value}`;
  find("#size-words").textContent = `window: ${size.value} messages`;
  for (const [one, unit] of [[after, "rounds"], [size, "messages"]])
    one.setAttribute("aria-valuetext", `${one.value} ${unit}`);
  if (!states) return;
  const [scale, tape, below] = states[key(after.value)];
  find("#scale").innerHTML = scale;
  find("#tape").innerHTML = tape;
  find("#below").innerHTML = below;
  // A result is seen when the thumb has been there.
  all("#scale .lp-scale > span").forEach((bar, place) =>
    bar.classList.toggle("untried", !tried.has(key(place + 1))),
  );
  find("#said").textContent = find("#below .lp-counts")?.textContent ?? "";
}
for (const name of ["#after", "#size", "#shows"]) find(name).addEventListener("input", move);

// ---------------------------------------------------------------- guesses, and large text
// The hands of a class as bars, beside the right number: "3: 4, 5: 11" is a guess and its hands.
function drawHands(form) {
  const hands = new Map([...form.querySelectorAll("option")].slice(1).map((one) => [one.value, 0]));
  const text = form.querySelector("input").value;
  const read = (all, guess, count) => {
    guess = String(Number(guess));
    if (!hands.has(guess)) return all;
    hands.set(guess, hands.get(guess) + Number(count));
    return "";
  };
  const rest = text.replace(/(\d+)\s*[:=]\s*(\d+)/g, read).replace(/[\s,;]+/g, " ").trim();
  const place = form.nextElementSibling;
  place.replaceChildren();
  place.hidden = !text.trim();
  const most = Math.max(1, ...hands.values());
  const told = [];
  for (const [guess, count] of hands) {
    const isRight = guess === form.dataset.right;
    const bar = add(place, "span");
    bar.classList.toggle("right", isRight);
    add(bar, "b", count || "");
    add(bar, "i").style.height = `${(100 * count) / most}px`;
    add(bar, "small", isRight ? `✓ ${guess}` : guess);
    if (count || isRight) told.push(`${guess}: ${count}${isRight ? ", which is right" : ""}`);
  }
  place.setAttribute("aria-label", `Hands for each guess. ${told.join("; ")}`);
  if (rest) add(place, "p", `Not read: “${rest}”. Write a guess of the list above, a colon, and its hands.`);
}

for (const form of all("form.guess")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const guess = form.querySelector("select").value;
    const right = form.dataset.right;
    const said = form.querySelector("output");
    drawHands(form);
    if (guess) said.textContent = guess === right ? `You said ${guess}, and it is ${right}.` : `You said ${guess}; it is ${right}.`;
    const hidden = find(`#${form.dataset.shows}`);
    hidden.hidden = false;
    if (form.dataset.shows === "soon" && !states) unpack();
  });
}

function enlarge() {
  const isLarge = document.documentElement.classList.toggle("large");
  find("#large").setAttribute("aria-pressed", isLarge);
  // The button and the ten lines of the plan have room together, but not below the title.
  if (isLarge && !find("#lose").hidden && !find("#next").disabled) find(".press").scrollIntoView();
}
find("#large").addEventListener("click", enlarge);
document.addEventListener("keydown", (event) => {
  const isTyped = event.target.closest("textarea, input, select");
  if (event.key === "p" && !isTyped && !event.ctrlKey && !event.metaKey && !event.altKey) enlarge();
});
