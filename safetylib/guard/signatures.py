"""Read a signature even if an annotation has an undefined name, such as `-> List[Item]`."""

import inspect
import sys
from functools import partial

if sys.version_info >= (3, 14):  # `def` evaluates no annotation there, but `inspect.signature` does
    from annotationlib import Format

    signature = partial(inspect.signature, annotation_format=Format.FORWARDREF)
else:
    signature = inspect.signature
