"use strict";
// The script of docs/play.html: seven rounds, the seat's comparison, the slider, and the guesses. All pictures
// were drawn by Python, and are only put in their places here.
const find = (name) => document.querySelector(name);
const all = (name) => [...document.querySelectorAll(name)];
const words = JSON.parse(find("#words").content.textContent);

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
const WORD = () => new RegExp(words.word, "gi");

function stem(word) {
  word = word.toLowerCase();
  for (const ending of words.endings) if (word.endsWith(ending)) word = word.slice(0, -ending.length);
  return word === "doc" ? "document" : word;
}

function listStems(text) {
  text = text.replace(/\b(\w+) file\b/gi, "$1.py $1.md");
  const found = text.match(WORD()) ?? [];
  return new Set(found.filter((one) => !words.common.includes(one.toLowerCase())).map(stem));
}

function findShared(text, step) {
  const written = listStems(text);
  return step.stems.filter((one) => written.has(one));
}

function weigh(shared) {
  const weight = (one) => (one.includes(".") || words.telling.includes(one) ? words.enough : 1);
  return shared.map(weight).reduce((sum, one) => sum + one, 0);
}

function addBeside(yours, text) {
  const weights = words.steps.map((step) => weigh(findShared(text, step)));
  const most = Math.max(...weights);
  if (most < words.enough) return false;
  weights.forEach((weight, place) => weight === most && yours[place].push(text));
  return true;
}

function compare(answer) {
  const yours = words.steps.map(() => []);
  const others = [];
  for (const line of answer.split(/\r?\n/).map((one) => one.trim()).filter(Boolean)) {
    const parts = line.split(/[,;]/).map((one) => one.trim());
    const found = parts.map((one) => addBeside(yours, one));
    if (found.includes(true)) others.push(...parts.filter((one, place) => !found[place]));
    else if (!addBeside(yours, line)) others.push(line);
  }
  return { yours, others: others.filter(Boolean) };
}
globalThis.compare = compare;

function drawShared(text, shared) {
  const drawn = document.createElement("span");
  let end = 0;
  for (const found of text.matchAll(WORD())) {
    if (!shared.includes(stem(found[0]))) continue;
    const bold = document.createElement("b");
    bold.textContent = found[0];
    drawn.append(text.slice(end, found.index), bold);
    end = found.index + found[0].length;
  }
  drawn.append(text.slice(end), document.createElement("br"));
  return drawn;
}

function showComparison() {
  const answer = find("#answer").value;
  const { yours, others } = compare(answer);
  const rows = all("#comparison tbody tr");
  const isLost = (place) => rows[place].classList.contains("lp-lost");
  rows.forEach((row, place) => {
    const cell = row.lastElementChild;
    const missing = place < words.given ? words.filled : answer.trim() ? words.unnamed : words.nothing;
    cell.replaceChildren(...yours[place].map((one) => drawShared(one, findShared(one, words.steps[place]))));
    if (!yours[place].length) cell.innerHTML = "<small></small>";
    if (!yours[place].length) cell.firstChild.textContent = missing;
    if (!yours[place].length || !isLost(place)) return;
    cell.append(Object.assign(document.createElement("small"), { textContent: words.guess }));
  });
  const named = yours.map((one, place) => place >= words.given && one.length > 0);
  const guesses = named.filter((one, place) => one && isLost(place)).length;
  find("#named").textContent = words.result
    .replace("{named}", named.filter(Boolean).length - guesses)
    .replace("{guessed}", guesses ? words.guessed.replace("{guesses}", guesses) : "");
  find("#others").textContent = others.length ? `${words.others} ${others.join("; ")}` : "";
  find("#comparison").hidden = false;
  find("#comparison").focus();
}
find("#compare").addEventListener("click", showComparison);

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
function add(parent, name, text = "") {
  const child = document.createElement(name);
  child.textContent = text;
  parent.append(child);
  return child;
}

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
