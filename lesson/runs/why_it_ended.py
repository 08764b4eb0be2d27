"""Why a run ended as it did: a sentence for each reason that measured.py finds.

Braces enclose a figure of the run: see `Measured.why`. Asterisks enclose the point.
"""

REASONS = {
    "in_time": "Round {read}: the reminder is read while the plan is still in the window. The "
    "model writes its plan again, at the bottom: *nothing is lost*.",
    "never_left": "The plan is still in the window when the work is done. No reminder is needed.",
    "too_late": "The plan is in the window up to round {seen}. The reminder is read in round "
    "{read}, *{late} too late*: the model lists what it still sees, and calls that complete.",
    "in_vain": "The plan is in the window up to round {seen}. The reminder is read in round "
    "{read}, *{late} too late*, and the model does not write a new plan.",
    "not_due": "The plan is in the window up to round {seen}. Then the model improvises, and it "
    "stops in round {rounds}, *before a reminder is due*.",
    "unreminded": "The plan is in the window up to round {seen}. *Nothing reminds* the model of "
    "it: it improvises, and stops early.",
    "no_list": "There is no list. Up to round {seen} the model sees how it began; then it "
    "improvises, and stops early.",
    "done_by_then": "There is no list. Up to round {seen} the model sees how it began, and by then "
    "the work is done.",
    "done_in_time": "The plan is in the window up to round {seen}, and by then the work is done.",
    "no_list_needed": "The whole run stays in the window, so the model needs no list.",
    "unheeded": "The reminder is read in round {read}, while the plan is still in the window, but "
    "the model does not write its plan again, and sees it only up to round {seen}.",
    "came_back": "The plan is out of the window for {lost}, until a reminder *brings it "
    "back*: every step gets done.",
    "otherwise": "The plan stays in the window, but {missing} of {of} are not done.",
}
