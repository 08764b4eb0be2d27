"""The exercises: one module each, named after its check, with its rules.

    check_priority(PriorityTodo)            a Result: read it, or `assert` its `.ok`

To add an exercise, write a module `check_NAME` with that function, decorated by `@exercise`.
`checking` tries the learner's code.
"""

from pkgutil import iter_modules

CHECKS = sorted(one.name for one in iter_modules(__path__) if one.name.startswith("check_"))
