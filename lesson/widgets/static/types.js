// The types that several files use: what Python sends, and what functions take. They are global, so
// no file imports this one, and no page loads it.

/**
 * One element to be: `props` are attributes, except `on…` (a handler), `key` (two trees of
 * different keys are different elements) and `drawn` (a function that fills the element itself).
 * @typedef {{ tag: string, props: Record<string, any>, children: (Tree | string | number)[] }} Tree
 * @typedef {Tree | string | number | boolean | null | undefined | readonly Child[]} Child
 * @typedef {Element & { tree?: Tree }} Drawn
 */

/**
 * The model that anywidget gives a widget: the traits that are synced with the kernel.
 * @typedef {{ get: (name: string) => any, set: (name: string, value: unknown) => void,
 *   save_changes: () => void, widget_manager?: object,
 *   on: (event: string, handler: (...given: any[]) => void) => void }} Model
 *
 * What anywidget gives a widget to reach others: their models, and functions that draw them.
 * @typedef {{ getModel: (ref: string) => Promise<Model>,
 *   getWidget: (ref: string) => Promise<{ render: (place: { el: HTMLElement }) => unknown }> }} Host
 *
 * @typedef {{ model: Model, el: HTMLElement, host: Host }} Place
 */

/**
 * What a slider shows: `words` say its `value`, which is one of the `range`.
 * @typedef {{ label: string, value: number, range: [number, number], words: string }} Scale
 */

/**
 * What the model saw of a request of `sent` messages: those from number `first`, and the `prompt`.
 * `column` has a letter for each message, the newest first: see lesson/message_window.py. `lost` says that the model
 * sees no list. `list` says the same.
 * @typedef {{ sent: number, prompt: number, first: number, column: string,
 *   lost: boolean, list: string }} InView
 *
 * How a message is drawn: it contains the plan, or a short list that replaced it, or work; the plan
 * above the edge is a ghost, and any other message there is removed.
 * @typedef {"plan" | "short" | "work" | "ghost" | "removed"} Look
 */

/**
 * One item; its `letter` is one of LOOKS.
 * @typedef {{ id: string, text: string, status: string, letter: string, active: string | null,
 *   more: string[] }} Item
 *
 * A list; `files` has a letter for each step of the job, and is empty if they were not checked.
 * @typedef {{ items: Item[], files: string }} TodoList
 *
 * @typedef {{ waited: number, after: number | null, reminded: boolean }} Counter
 */

/**
 * The player's state. A message and its blocks are in the API's format.
 * @typedef {{ type: string, [name: string]: any }} Block
 * @typedef {{ role: string, content: string | Block[] }} Message
 *
 * How a call changed the list: its sizes, and for each line its look and its words.
 * @typedef {{ title: string, lines: [string, string][] }} Changes
 *
 * One frame: the prompt, or a round. `said` is what a player says of it, `cell` is its letter on the
 * tape, and `steps` is how many steps it finished. `view` is what the model saw of its request, `from` the first frame of it. In a frame that `leaves`, the model has just lost its list; `unseen`
 * says that it does not see the list, which is that after the frame. `changes` has how each call of
 * the round changed the list, and `lines` a mark and a line of text for each message.
 * @typedef {{ number: number, said: string, cell: string, steps: number,
 *   view: InView & { from: number }, leaves: boolean, unseen: boolean, changes: (Changes | null)[],
 *   reminded: boolean, messages: Message[], lines: [string, string][],
 *   plan: TodoList, counter: Counter }} Frame
 *
 * The run of a player. `window` is in messages, and `finished` is whether the files show every step. Both are
 * null if they are not known.
 * @typedef {{ title: string, listed: boolean, window: number | null, finished: boolean | null,
 *   kinds: Record<string, string>,
 *   frames: Frame[] }} Run
 *
 * A message that was sent, and its line.
 * @typedef {{ message: Message, line: [string, string] }} Sent
 */

/**
 * A run in the chart: a letter for each round (a capital if a reminder went out with its results),
 * and a digit (how many steps it finished); a letter for each step (x: the files show it) and for each
 * item of its list (o: only the list says so).
 * @typedef {{ cells: string, steps: string, done: string, claims: string, tokens: number, outcome: string,
 *   why: string }} Measured
 */

/**
 * @typedef {ReturnType<typeof import("./runs_facts.js").factsOf>} Facts
 * @typedef {ReturnType<typeof import("./player_facts.js").shownOf>} Shown
 */
