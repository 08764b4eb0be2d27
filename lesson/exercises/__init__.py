"""The exercises: one module each, with its rules and its check.

    check_priority(PriorityTodo)            a Result: read it, or `assert` its `.ok`

To add an exercise, write a module with an `EXERCISE` and add it to CHECKS. `checking` tries the
learner's code, `grading` checks saved notebooks: `python -m lesson.exercises NOTEBOOK…`
"""

# Each exercise's module and its check, in the lesson's order. All else is derived from this.
CHECKS = {
    "loop_by_hand": "check_loop",
    "own_tool": "check_tool",
    "todo_rules": "check_rules",
    "own_nag": "check_nag_facts",
    "kept": "check_kept",
    "priority": "check_priority",
    "priority_nag": "check_nag",
    "brief": "check_brief",
    "timed": "check_timed",
    "own_agent": "check_agent",
}
