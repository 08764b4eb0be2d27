"""Play stories that are Python, and compare the value of each statement with our solution's.

A story of such a page is code, which goes on in lines that begin with two spaces:

    @ nag = MyNag(todo, 2); due(nag(calls("bash")))
      for _ in range(3): due(nag(calls("bash")))

It runs with the learner's part, with our solution and with mistakes of the page. Each time, the
names of the page are made anew. The value of an expression must be equal to that of our solution:
2.0 is equal to 2, and a Counter to a dict, but True is not equal to 1. A view such as `due` leaves
out what may differ. The value of `_ = due(…)` only tells mistakes apart. Any
other statement must not raise an error. An exception must be of our solution's type, or of a class
that extends it. A ValueError may be right, and any other exception ends the story. The learner
reads the statements, without the views, as what was tried.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from functools import cache, partial
from itertools import groupby
from types import CodeType, FunctionType
from typing import Any

from .engine import Differs
from .learners_code import OutOfTimeError, Place, Raised, attempt, is_learners, watch_returns
from .page import NONE, Observation, Page, Trial
from .restore import keeps_more, save_state
from .show_value import Words

SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Delete)
NO_ARGUMENTS = ast.parse("lambda: 0", mode="eval").body.args  # type: ignore[attr-defined]
STORY = "<a story>"  # the file name of its code
AGAIN_SECONDS = 1.0  # limit of processor time, to find the `return` of a function
KEPT = "_ = "  # begins a statement whose value is not compared
Statement = tuple[str, bool]  # its text, and whether its value is compared


class Returned:
    """The value of a statement, copied, because a later statement may change it."""

    def __init__(self, value: Any) -> None:
        self.text, self.value = repr(value), value
        with suppress(Exception):  # some values cannot be copied
            self.value = deepcopy(value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Returned):
            return NotImplemented
        if self.text == other.text:
            return True
        kinds = type(self.value), type(other.value)
        # A learner's own class may say that it is equal to anything.
        if bool in kinds or any(map(is_learners, kinds)):
            return False
        with suppress(Exception):  # an array is compared place by place
            return bool(self.value == other.value)
        return False


class StoryEnded(BaseException):
    """A story has reached its end. Not an Exception, which a story's statement may catch."""


class StoryPage(Page):
    """A page whose stories are Python. `names` returns the names that they may use.

    `views` are functions that a story calls with what is compared, and maybe with more.
    `values` returns what patterns and sentences name in braces, from the names of a story after a
    step of our solution, and from what the learner's part and ours have returned.
    """

    def __init__(
        self,
        part: str,
        file: str,
        names: Callable[[], dict[str, Any]] | None = None,
        views: Iterable[Callable[..., Any]] = (),
        values: Callable[[dict[str, Any], Any, Any], Mapping[str, str]] = lambda *_: {},
        solutions: Mapping[str, str] = NONE,
    ) -> None:
        super().__init__(part, file, solutions)
        tree = self.parse(self.sections.get("names", ""), "this section")
        self.code = compile(tree, str(self.file), "exec")
        self.make_names, self.find_values = names or self.run_names, values
        self.views = {view.__name__: view for view in views}

    def read(self, title: str) -> list[str]:
        """Return the stories of a rule. Raise ValueError if one of them is not Python."""
        texts = re.findall(r"(?m)^@ (.*(?:\n  .*)*)", self.sections[title])
        stories = [text.replace("\n  ", "\n") for text in texts]
        for text, story in zip(texts, stories, strict=True):
            self.parse(story, "this story", f"@ {text}")
        return stories

    def run_names(self) -> dict[str, Any]:
        """Return the names that the section [names] defines, made anew for each story."""
        exec(self.code, names := dict[str, Any]())
        return names

    def add(self, **more: list[Any]) -> None:
        """Register the rules of the page, in its order, each with its stories.

        `more` has further ones of a rule, which only code can write, or functions that get a part.
        """
        trials = {}
        for title, text in self.sections.items():
            if "\n? " in text:  # only a rule has hints
                tried = [*self.read(title), *more.get(title, ())]
                stories = [one for one in tried if isinstance(one, str)]
                functions = [one for one in tried if not isinstance(one, str)]
                trials[title] = [Trial(stories, self.compare, values=self.read_values), *functions]
        self.add_rules(self.observe, trials)

    def read_values(self, step: Observation, our: Observation) -> Mapping[str, str]:
        """Return the values of a step, for which our solution plays the story once more."""
        return self.find_values(our.seen()[0], step.got, our.got)

    def compare(self, step: Observation, our: Observation) -> None:
        """Raise Differs if a statement returns another value than with our solution, or raises."""
        if not (step.key[0] or our.key[0]):
            return
        if isinstance(our.got, Raised):
            name = type(our.got.problem).__name__
            types = type(step.got.problem).__mro__ if isinstance(step.got, Raised) else ()
            if name in [kind.__name__ for kind in types]:
                return
            expected = Words(f"a {name}")
        elif step.key[1] == our.key[1]:
            return
        else:
            expected = our.got if our.key[0] else Words("no error")
        raise Differs(step.got, expected)

    def observe(self, part: Any, story: str) -> Iterator[Observation]:
        """Play a story, up to an error, and yield what each statement returns."""
        yield from self.run(part, story)[1]

    def run(self, part: Any, story: str, many: int = 0) -> tuple[dict[str, Any], list[Observation]]:
        """Return the names and the steps of a story after all statements, or the first `many`."""
        code, statements = read_story(story, frozenset(self.views))
        scope = self.make_names() | self.find_names(part)
        steps, done = list[Observation](), list[int]()

        def end_step(got: Any) -> None:
            text, is_compared = statements[done[-1]]
            is_raised = isinstance(got, Raised)
            key = name_builtin(got.problem) if is_raised else Returned(got)
            tried = partial(describe, statements, done, len(done))
            seen = partial(self.run, part, story, len(done))
            find_return = partial(self.find_return, part, story, len(done), key)
            keys = is_compared or is_raised, key
            steps.append(Observation(got, keys, tried, seen, find_return))
            if len(steps) == many or is_raised and not isinstance(got.problem, ValueError):
                raise StoryEnded

        def run_statement(number: int, value: Callable[[], Any] | None = None) -> None:
            if len(done) > len(steps):
                end_step(None)  # the statement before has no value, and has raised nothing
            done.append(number)
            if value:
                try:
                    end_step(value())
                except Exception as problem:
                    end_step(Raised(problem))

        scope |= self.views | {self.part: part, "run_statement": run_statement}
        with suppress(StoryEnded):
            try:
                exec(code, scope)
            except Exception as problem:
                end_step(Raised(problem))
            except OutOfTimeError as problem:  # the steps before it are compared as well
                problem.limit.add_time()
                end_step(Raised(problem))
        return scope, steps

    def find_return(self, part: Any, story: str, many: int, key: Any) -> Place | None:
        """Return the place at which a function has ended, in the last of `many` statements.

        Return None if the place is not sure: the statement has several calls, the result differs
        now or may depend on an earlier call, or a debugger or coverage traces this thread.
        """
        if sys.gettrace() or not isinstance(part, FunctionType) or keeps_more(part):
            return None
        restore, play = save_state([part]), partial(self.run, part, story, many)
        try:
            with watch_returns(part.__code__, STORY) as places:
                played, _ = attempt(play, AGAIN_SECONDS)
        finally:  # even after Ctrl-C
            restore()
        is_same = not isinstance(played, Raised) and played[1][-1].key[1] == key
        return places[0] if is_same and len(places) == 1 else None


def name_builtin(problem: BaseException) -> str:
    """Return the name of Python's own exception that this one is, or extends."""
    return next(one.__name__ for one in type(problem).__mro__ if one.__module__ == "builtins")


@cache
def read_story(text: str, views: frozenset[str]) -> tuple[CodeType, list[Statement]]:
    """Return code that runs each statement of a story by its number, and the statements."""
    finder = StatementFinder(text, views)
    return compile(finder.visit(ast.parse(text)), STORY, "exec"), finder.statements


class StatementFinder(ast.NodeTransformer):
    """Write `run_statement(NUMBER, lambda: …)` in place of each expression, or its call above."""

    def __init__(self, text: str, views: frozenset[str]) -> None:
        self.lines, self.views = text.splitlines(), views
        self.statements = list[Statement]()

    def visit(self, node: ast.AST) -> Any:
        if not isinstance(node, SIMPLE):
            return self.generic_visit(node)
        is_compared = isinstance(node, ast.Expr)
        has_value = is_compared or self.read_text(node).startswith(KEPT)
        shown = node.value if has_value else node  # type: ignore[union-attr]
        if isinstance(shown, ast.Call) and getattr(shown.func, "id", "") in self.views:
            shown = shown.args[0]
        self.statements.append((self.read_text(shown), is_compared))
        place: Any = {"lineno": node.lineno, "col_offset": node.col_offset}
        arguments: list[ast.expr] = [ast.Constant(len(self.statements) - 1, **place)]
        if has_value:
            arguments.append(ast.Lambda(NO_ARGUMENTS, node.value, **place))  # type: ignore[union-attr]
        call = ast.Call(ast.Name("run_statement", ast.Load(), **place), arguments, [], **place)
        return [ast.Expr(call, **place), *([] if has_value else [node])]

    def read_text(self, node: Any) -> str:
        """Return the text of a node, which `ast` writes if it has several lines."""
        line = self.lines[node.lineno - 1].encode()[node.col_offset : node.end_col_offset]
        return line.decode() if node.lineno == node.end_lineno else ast.unparse(node)


def describe(statements: list[Statement], done: list[int], many: int) -> str:
    """Return the first steps of a story as a learner reads them, equal ones once."""
    steps = (statements[number] for number in done[:many])
    lines = groupby(text for text, _ in steps)
    shown = [(line, len([*equal])) for line, equal in lines]
    return "\n".join(f"{line}  # {times} times" if times > 1 else line for line, times in shown)
