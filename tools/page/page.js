"use strict";
// The script of docs/play.html: seven rounds, the seat's comparison, the slider, and the guesses. All pictures
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
// The same as lesson/widgets/seat.py, which has the reasons: a test plays answers through both.
const chosen = new Map(); // of each line, the place of its step, or -1

function listLines(answer) {
  const lines = answer.split(/[\n,;]/).map((one) => one.trim());
  return [...new Set(lines.filter(Boolean))];
}

function listWords(text) {
  return text.toLowerCase().match(/\breadme|\b[a-z]{1,4}/g) ?? [];
}

function propose(text) {
  const written = listWords(text);
  const shared = words.known.map((known) => known.filter((one) => written.includes(one)).length);
  const most = Math.max(...shared);
  return most ? shared.lastIndexOf(most) : -1;
}
globalThis.propose = propose;

function addChoice(line) {
  const label = add(find("#choices"), "label");
  add(label, "span", line);
  const select = add(label, "select");
  add(select, "option", words.none).value = -1;
  words.steps.forEach((step, place) => {
    if (place >= words.given) add(select, "option", step).value = place;
  });
  if (!chosen.has(line)) chosen.set(line, propose(line));
  select.value = chosen.get(line);
  select.addEventListener("change", () => {
    chosen.set(line, Number(select.value));
    drawComparison();
  });
}

function drawComparison() {
  const lines = listLines(find("#answer").value);
  let [named, guesses] = [0, 0];
  all("#comparison tbody tr").forEach((row, place) => {
    const yours = lines.filter((line) => chosen.get(line) === place);
    const isGuess = yours.length > 0 && row.classList.contains("lp-lost");
    if (isGuess) guesses += 1;
    else if (yours.length) named += 1;
    const cell = row.lastElementChild;
    cell.replaceChildren();
    for (const line of yours) add(cell, "div", line);
    const missing = place < words.given ? words.filled : words.nothing;
    if (isGuess || !yours.length) add(cell, "small", isGuess ? words.guess : missing);
  });
  find("#named").textContent = words.result
    .replace("{named}", named)
    .replace("{guessed}", guesses ? words.guessed.replace("{guesses}", guesses) : "");
}

find("#compare").addEventListener("click", () => {
  find("#choices").replaceChildren();
  listLines(find("#answer").value).forEach(addChoice);
  drawComparison();
  find("#comparison").hidden = false;
  find("#comparison").focus();
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
