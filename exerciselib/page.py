"""Read the page of an exercise, play its stories, and find the sentence about a mistake.

A page is a text file. A page whose stories are not Python, or whose rules need code, has a module
of the same name beside it. These are the lines of a page:

    [names]                    Python whose names a StoryPage's stories may use
    [solution]                 our solution, as in a cell, if the course has it in no other file
    [extends] MyNag __call__   the part that the class extends, and the methods of that part. Below
                               it is the sentence about a class that does not extend it
    [counts]                   a rule: its name, and after it its level, if it is not the first one
    It counts the rounds.      the rule, as a learner reads it
    ? Where does it count?     a hint
    @ w w                      a story that tries the rule: its steps, in the words of the module.
                               `w x30` is 30 steps. The story of a StoryPage is Python: stories.py
                               explains it
    - Use `>=`, and not `>`.   a sentence, and below it the mistakes of which it is true:
        >= => >                a change of the solution: `>` in place of each `>=`
        + self.rounds = 0      or a change of lines, as in a diff: `+` is before a new line, `-`
          if not calls:        before one that is removed, and spaces are before one that stays.
        -     return None      Lines in between may be left out, and all may be indented less. An
                               empty line ends the change
        ~ pattern              or a pattern of what the part has returned. A pattern that names an
                               error, as `^IndexError`, or has words of its message, is one of what
                               the part has raised. {name} in it is a value of the story
        @ "todo failed"        or a pattern of what was tried up to this step. The last line of that
                               is `about`, a value of the story
        ~                      or anything that nothing else explains: the sentence says what the
                               learner should compare
    [any]                      sentences, with patterns of what is returned at any rule
    [exceptions]               sentences, with patterns of exceptions at any rule

A sentence is written once: `- Use…` repeats the one that begins with `Use`. In any other place, `…`
is a character like any other. A sentence belongs to the level of the rule where it is written, and
is not shown at an earlier level. It may contain `{name}`, a value of the story.

The learner's part and our solution play a rule's stories side by side, and `compare` compares what
can be seen after each step. At the first difference, `Failure` looks for the mistake that acts like
the learner's part. So a sentence is about how the code behaves, and not about how it is written. A
test makes each mistake, and fails unless the mistake gets its own sentence at its own rule.
"""

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from io import StringIO
from itertools import chain, takewhile
from pathlib import Path
from textwrap import indent
from types import CodeType
from typing import Any, NamedTuple, NoReturn

from .causes import LATER, OWN_RAISE, SAME, SHOWN, is_own_raise
from .engine import RULES, Differs, Rule, list_rules, trying
from .learners_code import Cell, OutOfTimeError, Place, Raised, add_teachers
from .restore import save_state
from .show_value import show

NONE: Mapping[str, str] = {}
HEAD = r"^\[(\w+)\] ?(.*?)$"  # begins a section: its name, and the rest of the line
# Prefixes of the lines of a rule, below its sentence, and of the other sections.
RULE = ("? ", "@ ", "- ", "    ", "  ")
SECTIONS = dict.fromkeys(("any", "exceptions"), ("- ", "    "))
FREE = ("names", "solution", "extends")  # their lines may have any prefix
INDENTS = {"    ": "@ - ", "  ": "@ "}  # the lines below which such a line may be
DIFF = re.compile("[-+]( |$)|  ")  # begins each line of a change of lines
NO_PLACE = (
    "such a line has no place here. In [{}], a line begins with one of {}, and an indented one is "
    "below a story or a sentence"
)
NO_CHANGE = (
    "the solution does not have what this changes. Copy the text before ` => `, or the lines "
    "without `+` in their order, from the solution. An empty line ends a change"
)
# A pattern of an error has its name, or words of Python's messages.
NAMES_ERROR = re.compile(
    r"[A-Z]\w*(Error|Exception|Iteration|Exit)|object (is|has|does|of|can)|has no (attr|len)|"
    r"not (support|defin|iter|subscr|calla)|iterable|scriptable|callable|hashable|NoneType|operand|"
    r"out of range|argument|literal|by zero|must be|concatenate|to unpack|changed size|recursion"
)
# Classes of a learner, each with the steps of our solution that extends it. The tests keep three.
PARENTS_KEPT = 1
REST = "rest"  # the kind of row that explains what no other row does
Story = list[Any]  # its steps, in order
FLAGS = {"pattern": re.S, "tried": re.M}
KINDS = {"~ ": "pattern", "@ ": "tried"}


class Observation(NamedTuple):
    """What can be seen after one step of a story, as a check compares it."""

    got: Any  # what the part has returned, or Raised
    key: Any  # what a mistake must have in common with the learner's part
    tried: Callable[[], str]  # the story up to this step, as a learner reads it
    seen: Any = None  # what the module compares beside it
    find_return: Callable[[], Place | None] | None = None  # see Differs

    @property
    def text(self) -> str:
        if isinstance(self.got, BaseException):  # an exception that was returned
            return repr(self.got)
        return "" if isinstance(self.got, Raised) else str(self.got)


class Trial(NamedTuple):
    """Stories of a rule, and the function that raises Differs if a step differs from ours.

    `key` returns what a mistake must have in common after a step. From the learner's step and ours,
    `values` returns what patterns and sentences name, and `text` what the patterns are looked for
    in, or "" for an exception that the table of exceptions explains.
    """

    stories: Iterable[Any]
    compare: Callable[[Observation, Observation], None]
    key: Callable[[Observation], Any] = lambda step: step.key
    values: Callable[[Observation, Observation], Mapping[str, str]] = lambda *_: NONE
    text: Callable[[Observation, Observation], str] = lambda one, _: one.text


class Row(NamedTuple):
    """A line below a sentence: a change, or a pattern."""

    sentence: str
    kind: str
    text: str


class Mistake(NamedTuple):
    """A change of the solution, the section in which it is, and the sentence that it is told."""

    title: str
    changes: str
    sentence: str


PAGES: dict[str, "Page"] = {}  # by the name of the part


class Page:
    """The page of a part: `file`, or the text file beside it if that is its module.

    `solutions` has our solution of each part of the course, by its name. A page with a section
    [solution] needs none, unless its class extends another part.
    """

    def __init__(self, part: str, file: str, solutions: Mapping[str, str] = NONE) -> None:
        self.part, self.parts = part, solutions.keys()
        self.file = Path(file).resolve().with_suffix(".txt")
        add_teachers(Path(file), self.file)
        text = self.file.read_text("utf-8")
        blocks = re.findall(rf"(?ms){HEAD}\n(.*?)(?=\n\[\w+\]|\Z)", text)
        self.levels = {title: level for title, level, _ in blocks}
        self.sections = {title: body.strip("\n") for title, _, body in blocks}
        self.sentences = re.findall(r"(?m)^- (.*[^…\n])$", text)
        solution = self.sections.get("solution") or solutions.get(part)
        if not solution:
            raise LookupError(
                f"{part}: neither its page nor the course's file has a solution of it."
            )
        self.solution = f"{solution}\n"
        self._refuse_unread(text)
        RULES.pop(part, None)  # a page may be read again
        self.level_of = dict[str, str]()  # of each sentence: the level of its rule
        self.rows = {title: self._read_rows(title) for title in self.sections}
        body = self.parse(self.solution, "the solution").body
        own: Any = next(node for node in body if getattr(node, "name", "") == part)
        defined = [node for node in [own, *own.body] if isinstance(node, ast.FunctionDef)]
        self.methods = {node.name: f"{node.name}({ast.unparse(node.args)})" for node in defined}
        PAGES[part] = self

    def _refuse_unread(self, text: str) -> None:
        """Raise ValueError for a line that does not belong where it is.

        It would be left out silently, and each rule, story or mistake below it as well.
        """
        section, before = "", ""
        for line in text.splitlines():
            if head := re.match(HEAD, line):
                section, before = head[1], "["
            elif line.strip() and section not in FREE and (section or line.startswith("[")):
                allowed = SECTIONS.get(section, RULE)
                kind = next((one for one in allowed if line.startswith(one)), "")
                if before == "[" and section not in SECTIONS:
                    kind = "a sentence"
                if line.startswith("["):
                    raise self.line_error(line, "the name of a rule has letters, digits and _ only")
                if not kind or kind in INDENTS and before not in INDENTS[kind]:
                    raise self.line_error(line, NO_PLACE.format(section, allowed))
                before = before if kind in INDENTS else kind
        for title, body in self.sections.items():
            if title not in (*FREE, *SECTIONS) and "\n? " not in body:
                why = f"the rule [{title}] has no hint. Write one, after `? `, below its sentence"
                raise self.line_error(f"[{title}]", why)

    def line_error(self, lines: str, why: str) -> ValueError:
        """Return the error for the place of the page with these lines, with its number."""
        text = "\n" + self.file.read_text("utf-8")
        number = text.count("\n", 0, text.find(f"\n{lines}") + 1)
        return ValueError(f"{self.file}, line {number}: {why}.")

    def parse(self, text: str, what: str, written: str = "") -> ast.Module:
        """Return the tree of Python of the page, `written` so there, or raise ValueError."""
        try:
            return ast.parse(text)
        except SyntaxError as problem:
            line = (written or text).splitlines()[(problem.lineno or 1) - 1]
            raise self.line_error(line, f"{what} is no Python: {problem.msg}") from None

    def _read_rows(self, title: str) -> list[Row]:
        """Return the rows of a section, with their sentences."""
        rows, sentence, before = list[Row](), "", ""
        for line in self.sections[title].splitlines():
            text = line[4:] if line.startswith("    ") and sentence else ""
            if line.startswith("- "):
                sentence = line[2:]
                if sentence.endswith("…"):
                    sentence = self._find_repeated(line)
                else:
                    is_rule = title not in (*FREE, *SECTIONS)
                    self.level_of[sentence] = self.levels[title] if is_rule else ""
            elif DIFF.match(text) and DIFF.match(before):
                rows[-1] = rows[-1]._replace(text=f"{rows[-1].text}\n{text}")
            elif text:
                sign = next((one for one in KINDS if text.startswith(one)), "")
                kind = REST if text.strip() == "~" else KINDS.get(sign, "change")
                rows.append(Row(sentence, kind, text.removeprefix(sign)))
            before = text
        for row in rows:
            if row.kind == "change":
                self.change(row.text)  # raises the error of a change that does not fit
        return rows

    def _find_repeated(self, line: str) -> str:
        """Return the sentence that begins as this line does, which ends with `…`."""
        begin = line[2:-1].rstrip()
        alike: list[str] = [text for text in self.sentences if text.startswith(begin)]
        if len(alike) != 1:
            raise self.line_error(
                line,
                f"{len(alike)} sentences of this page begin with {begin!r}. Write the first words "
                "of exactly one sentence before `…`",
            )
        return alike[0]

    def find_sentence(self, words: str) -> str:
        """Return the first sentence of the page that begins with these words, or else the words."""
        alike = (text for text in self.sentences if words and text.startswith(words))
        return next(alike, words)

    def list_mistakes(self) -> list[Mistake]:
        """Return all changes of the solution."""
        return [
            Mistake(title, row.text, row.sentence)
            for title, rows in self.rows.items()
            for row in rows
            if row.kind == "change"
        ]

    def stories(self, title: str, read: Callable[[str], Any] = str) -> list[Story]:
        """Return the stories of a rule, each word of them `read` by this function."""
        words = re.compile(r"(\[[^]]*\]|[^\s[]+)(?: x(\d+))?")
        lines = re.findall(r"(?m)^@ (.*)", self.sections[title])
        return [
            [read(word) for word, many in words.findall(line) for _ in range(int(many or 1))]
            for line in lines
        ]

    def change(self, changes: str) -> str:
        """Return the text of the solution with a change, or raise ValueError if it does not fit."""
        if not changes:
            return self.solution
        old, arrow, new = changes.partition(" =>")
        if DIFF.match(changes):
            text = change_lines(self.solution, changes)
        elif old and arrow and old in self.solution:
            text = self.solution.replace(old, new.removeprefix(" "))
        else:
            text = ""
        if not text:
            raise self.line_error(indent(changes, "    "), NO_CHANGE)
        return text

    def make(self, changes: str = "", **names: Any) -> Any:
        """Return what the solution defines with these changes, anew each time."""
        scope = {"__name__": "__main__"} | names
        exec(self._compile(changes), scope)
        return scope[self.part]

    @cache  # noqa: B019 (there is one page for each part, as long as Python runs)
    def _compile(self, changes: str) -> CodeType:
        try:
            return compile(self.change(changes), f"<our {self.part}>", "exec")
        except SyntaxError as problem:
            why = f"with this change, the solution is not Python: {problem.msg}"
            raise self.line_error(indent(changes, "    "), why) from None

    def find_names(self, candidate: Any) -> dict[str, Any]:
        """Return the part that a learner's class extends, by its name."""
        if "extends" not in self.sections:
            return {}
        name, *methods = self.levels["extends"].split()
        sentence = self.sections["extends"].removeprefix("- ")
        return {name: parent_of(candidate, {*methods}, sentence, self.parts)}

    def add_rules(
        self,
        observe: Callable[[Any, Any], Iterator[Observation]] | None,
        trials: Mapping[str, list[Any]],
    ) -> None:
        """Register the rules of this page, each with its trials, in this order.

        `observe` plays a story with what a learner, our solution or a mistake defines, and yields
        an observation after each step. A trial may also be a function that gets the learner's part.
        The note of a Differs that it raises, or that `compare` raises, may be the first words of a
        sentence of the page.
        """
        rows = self.rows.get("exceptions", ())
        causes = [(row.text, row.sentence) for row in rows if row.kind == "pattern"]
        for title, tried in trials.items():
            lines = self.sections[title].splitlines()
            hints = tuple(line[2:] for line in lines if line.startswith("? "))
            function = PageRule(self, title, observe, tried)
            rule = Rule(
                *(title, function, lines[0], hints, self.levels[title], tuple(causes)),
                *(self.methods, self.level_of),
            )
            RULES.setdefault(self.part, []).append(rule)


class Difference(NamedTuple):
    """The first step of a story that differs from our solution's, and what `compare` has raised."""

    problem: Differs
    steps: list[Observation]  # all that the part has done, also after this step
    place: int  # of this step, from 1
    values: Mapping[str, str]
    text: str

    @property
    def step(self) -> Observation:
        return self.steps[self.place - 1]


class PageRule:
    """A rule of a page, called with what a learner has written."""

    def __init__(self, page: Page, title: str, observe: Any, trials: list[Any]) -> None:
        self.page, self.title, self.observe, self.trials = page, title, observe, trials
        self.place = 0, 0  # the story and the step that `find_failure` has come to
        # The steps of our solution by story, for each class of a learner that it has extended.
        self.ours_by_names: dict[Any, tuple[Any, dict[int, list[Observation]]]] = {}
        self.rows = [*page.rows[title], *page.rows.get("any", ())]
        code = [page.solution, *(row.text for row in self.rows)]
        self.may_raise = any(re.search("raise [A-Z]", text) for text in code)  # not in a comment

    @cached_property
    def stories(self) -> list[tuple[Any, Any]]:
        """The stories of all trials, in order, each with its trial; a function has none."""
        return [(one, it) for one in self.trials for it in getattr(one, "stories", [None])]

    def __call__(self, candidate: Any) -> None:
        """Raise Differs, with its sentence, at the first step that differs from our solution's."""
        if failure := self.find_failure(candidate, range(len(self.stories))):
            self.fail(failure.difference, failure.find_mistake())

    def find_failure(self, candidate: Any, numbers: Iterable[int]) -> "Failure | None":
        """Return the first failure in the stories with these numbers, played in this order.

        `place` gets the number of the story and the step. A trial that is a function raises its own
        error.
        """
        with trying([f"{self.page.part}.__mro__"]):
            names = self.page.find_names(candidate)
        key = (*map(id, names.values()),)  # the names are kept as well, so that an id stays theirs
        _, self.ours = self.ours_by_names.setdefault(key, (names, {}))
        for old in [*self.ours_by_names][:-PARENTS_KEPT]:
            del self.ours_by_names[old]
        restore, player = save_state([candidate]), Player(self, lambda: candidate, names)
        passed: list[tuple[Trial, Any]] = []
        for number in numbers:
            trial, story = self.stories[number]
            self.place = number, 0
            if not isinstance(trial, Trial):
                self.try_function(trial, candidate)
                continue
            if difference := player.find_difference(trial, story):
                self.place = number, difference.place
                return Failure(self, candidate, names, trial, story, passed, difference)
            passed.append((trial, story))
            restore()
        return None

    def try_function(self, trial: Callable[[Any], None], candidate: Any) -> None:
        """Call a trial that is a function, and find the sentence that it names."""
        try:
            trial(candidate)
        except Differs as problem:
            if isinstance(problem.note, str):
                problem.note = self.page.find_sentence(problem.note)
            raise

    def observe_ours(self, story: Any, names: Any) -> list[Observation]:
        """Return what our solution does in a story, which is played once."""
        if id(story) not in self.ours:  # the trials keep the story, so that its id stays its own
            self.ours[id(story)] = [*self.observe(self.page.make(**names), story)]
        return self.ours[id(story)]

    def fail(self, difference: Difference, sentence: str) -> NoReturn:
        """Raise Differs with this sentence and what was tried."""
        step, problem = difference.step, difference.problem
        for name, value in difference.values.items():
            sentence = sentence.replace(f"{{{name}}}", value)
            problem.otherwise = problem.otherwise.replace(f"{{{name}}}", value)
        with trying([step.tried()]):
            origin = step.got.problem if isinstance(step.got, Raised) else None
            sentence = self.page.find_sentence(str(problem.note)) or sentence
            differs = Differs(problem.got, problem.expected, sentence)
            differs.otherwise, differs.find_return = problem.otherwise, step.find_return
            raise differs from origin


@dataclass
class Player:
    """Play stories with a part: the learner's, or our solution with a mistake.

    `make` returns the part for each story. Several trials may have the same story, so the steps of
    a story without a difference are kept, by its id.
    """

    rule: PageRule
    make: Callable[[], Any]
    names: Mapping[str, Any]  # what the part extends, by name
    played: dict[int, list[Observation]] = field(default_factory=dict)

    def find_difference(self, trial: Trial, story: Any) -> Difference | None:
        """Return the first step of a story that differs from our solution's, or None."""
        part, steps = self.make(), list[Observation]()
        playing = iter(self.played.get(id(story)) or self.rule.observe(part, story))
        for our in self.rule.observe_ours(story, self.names):
            if not (step := next(playing, None)):
                break  # the part has raised an error that `compare` accepts
            steps.append(step)
            try:
                trial.compare(step, our)
            except Differs as problem:
                place = len(steps)
                with suppress(Exception):
                    steps += playing
                values, text = trial.values(step, our), trial.text(step, our)
                return Difference(problem, steps, place, values, text)
        self.played[id(story)] = steps
        return None


@dataclass
class Failure:
    """Explain why a learner's part differs from our solution in a story.

    The cause is the first mistake of the page that acts like the learner's part: it passes the
    stories that the part has passed, differs from our solution at the same step, and has the same
    keys in the whole story. If there is none, the cause is the first pattern that matches what was
    returned, raised or tried. A function that returns one value in every call acts like too many
    mistakes, so it is only asked a question.
    """

    rule: PageRule
    candidate: Any
    names: Mapping[str, Any]  # what the candidate extends, by name
    trial: Trial
    story: Any
    passed: list[tuple[Trial, Any]]  # the stories of this rule before
    difference: Difference

    def find_mistake(self) -> str:
        """Return the sentence of the cause, or "". `otherwise` gets a weaker one."""
        got, problem = self.difference.step.got, self.difference.problem
        if isinstance(got, Raised):
            if is_own_raise(got.problem) and not self.rule.may_raise:
                return OWN_RAISE
            # A ValueError may be a rule of the learner's own, so mistakes are looked at as well.
            if not isinstance(got.problem, ValueError):
                return next((row.sentence for row in self.find_patterns("pattern")), "")
        last = self.difference.steps[-1]
        is_endless = isinstance(last.got, Raised) and isinstance(last.got.problem, OutOfTimeError)
        if is_endless:  # the end of the story is missing, so no mistake can be compared
            problem.otherwise = LATER.format(last.tried().splitlines()[-1])
        changes = [row for row in self.rule.rows if row.kind == "change" and not is_endless]
        if calls := self.count_equal_calls():
            questions = (row for row in changes if row.sentence.endswith("?"))
            if question := next(filter(self.acts_alike, questions), None):
                problem.otherwise = question.sentence
                return ""
            problem.otherwise = SAME.format(show(got)[:SHOWN], calls)
            changes = []
        rest = (row for row in self.rule.rows if row.kind == REST and not isinstance(got, Raised))
        rows = chain(filter(self.acts_alike, changes), self.find_patterns("pattern", "tried"), rest)
        return next((row.sentence for row in rows), "")

    def find_patterns(self, *kinds: str) -> Iterator[Row]:
        """Yield the rows of these kinds whose pattern matches what was returned, raised or tried.

        An error that the trial has no text for is matched only by a pattern of an error.
        """
        step, values, text = self.difference.step, self.difference.values, self.difference.text
        is_error = isinstance(step.got, Raised) and not text
        tried = "\n".join(filter(None, [step.tried(), values.get("about", "")]))
        texts = {"pattern": show(step.got) if is_error else text, "tried": tried}
        for row in self.rule.rows:
            if row.kind not in kinds:
                continue
            if row.kind == "pattern" and is_error and not NAMES_ERROR.search(row.text):
                continue
            if re.search(fill(row.text, values), texts[row.kind], FLAGS[row.kind]):
                yield row

    def acts_alike(self, row: Row) -> bool:
        """Return whether a mistake differs at the same step, in the same way, and nowhere before.

        A mistake that raises an error of its own in an earlier story is left out.
        """
        with suppress(Exception), redirect_stdout(StringIO()):
            make = partial(self.rule.page.make, row.text, **self.names)
            player = Player(self.rule, make, self.names)
            return self.has_equal_keys(make()) and not any(
                player.find_difference(trial, story) for trial, story in self.passed
            )
        return False

    def has_equal_keys(self, mistake: Any) -> bool:
        """Return whether a mistake has the learner's keys in the story, and differs at its place.

        A mistake is played to the end of the story only if it is alike up to the difference.
        """
        place, keys = self.difference.place, [*map(self.trial.key, self.difference.steps)]
        our, others = self.rule.observe_ours(self.story, self.names)[place - 1], list[Any]()
        with suppress(Exception):  # the mistake's steps end where it raises one
            for step in self.rule.observe(mistake, self.story):
                others.append(self.trial.key(step))
                if len(others) == place and (others != keys[:place] or self.is_right(step, our)):
                    return False
        return others == keys

    def is_right(self, step: Observation, our: Observation) -> bool:
        """Return whether `compare` accepts a step."""
        try:
            self.trial.compare(step, our)
        except Differs:
            return False
        return True

    def count_equal_calls(self) -> int:
        """Return how many calls were tried, if a function returns one value in every call, or 0.

        The stories that have passed are those of this rule and of the rules before it. In these,
        the function has returned what our solution returns.
        """
        page, key = self.rule.page, self.trial.key
        if isinstance(self.difference.step.got, Raised) or isinstance(self.candidate, type):
            return 0
        keys = [*map(key, self.difference.steps)]
        for trial, story in self.passed:
            keys += map(trial.key, self.rule.ours[id(story)])
        rules = list_rules(page.part, page.levels[self.rule.title] or None)
        for rule in takewhile(lambda rule: rule.function is not self.rule, rules):
            for steps in getattr(rule.function, "ours", {}).values():
                keys += map(key, steps)
        is_constant = len(keys) > 1 and all(other == keys[0] for other in keys)
        return len(keys) if is_constant else 0


def change_lines(solution: str, diff: str) -> str:
    """Return a text with the changes of a diff, or "" if the text does not have its lines.

    All lines of the diff may lack the same indentation.
    """
    old, lines = solution.splitlines(), [(line[0], line[2:]) for line in diff.splitlines()]
    first = next((line for sign, line in lines if sign != "+"), "")
    for start in [n for n, line in enumerate(old) if first and line.strip() == first.strip()]:
        indentation = old[start].removesuffix(first)
        changed, rest = old[:start], old[start:]
        with suppress(ValueError):  # the rest does not have a line
            for sign, text in lines:
                line = indentation + text if text else ""
                if sign != "+":
                    place = rest.index(line)
                    changed, rest = changed + rest[:place], rest[place + 1 :]
                if sign != "-":
                    changed.append(line)
            return "\n".join([*changed, *rest, ""])
    return ""


def fill(pattern: str, values: Mapping[str, str]) -> str:
    """Return a pattern with these values in place of their names."""
    for name, value in values.items():
        pattern = pattern.replace(f"{{{name}}}", re.escape(value))
    return pattern


def parent_of(cls: type, names: set[str], sentence: str, parts: Collection[str]) -> Any:
    """Return the nearest class with all of these names that a learner's class extends.

    Raise AssertionError with this sentence if there is none. A class of the same cell is left out
    if it is not one of the `parts`, because it belongs to the learner's part.
    """
    bases = [base for base in cls.__mro__[1:] if names <= {*dir(base)}]
    assert bases, sentence
    own = {*Cell(cls).files}
    others = [base for base in bases if base.__name__ in parts or own.isdisjoint(Cell(base).files)]
    return (others or bases)[0]
