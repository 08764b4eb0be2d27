"""Ask for a signature whose annotations may name what does not exist, such as `-> List[Item]`."""

import sys
from functools import partial
from inspect import signature as ask

if sys.version_info >= (3, 14):  # `def` evaluates no annotation there, but `inspect.signature` does
    from annotationlib import Format

    signature = partial(ask, annotation_format=Format.FORWARDREF)
else:
    signature = ask
