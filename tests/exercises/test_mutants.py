"""Small changes of the right solutions are refused: a sample here, all by `make mutants`."""

import pytest
from exercises.mutants import EQUIVALENT, judge, list_mutants, read_equivalent

from lesson.exercises.catalogue import EXERCISES

SAMPLE = 20  # mutants of each exercise: two minutes in all


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.name)
def test_sample_of_mutants_is_refused_or_known_to_be_right(exercise):
    known = read_equivalent(exercise.name)
    verdicts = [judge(exercise.name, one) for one in list_mutants(exercise.name, SAMPLE)]
    passed = [one.mutant.change for one in verdicts if not one.rule]
    assert [one for one in passed if one not in known] == []


def test_comparison_number_statement_and_default_of_a_nag_are_changed():
    changes = {one.change for one in list_mutants("nag")}
    assert "if self.rounds >= self.after: -> if self.rounds == self.after:" in changes
    assert "self.rounds += 1 -> self.rounds += 2" in changes
    assert "def __init__(self, after=3): -> def __init__(self, after):" in changes


def test_each_list_of_equivalent_mutants_belongs_to_an_exercise_and_has_reasons():
    names = {one.name for one in EXERCISES}
    for path in EQUIVALENT.glob("*.txt"):
        assert path.stem in names and all(read_equivalent(path.stem).values())
