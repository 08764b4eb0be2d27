"""What the browser's kernel does before the first cell: import what is slow, mend what is amiss.

JupyterLite's page waits for the kernel anyway; imports are slower once its files are mounted.
"""

import os

import anthropic
import pyodide_kernel
from pyodide.ffi import jsnull
from pyodide_kernel import comm, kernel

import lesson.exercises.catalogue
import lesson.practice.api.server
import lesson.widgets

# The runs of the strips were played by the build: in a browser each takes some seconds.
os.environ["LESSON_MEASURED_RUNS"] = "/ten_steps.runs.json"
__all__ = ["anthropic", "lesson", "pyodide_kernel"]


def with_null(thing):
    """JSON in which None is JavaScript's null. By itself it would become `undefined`."""
    if isinstance(thing, dict):
        return {key: with_null(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [with_null(one) for one in thing]
    return jsnull if thing is None else thing


publish = comm.Comm.publish_msg


def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
    """Send a message of a widget's, with its nulls."""
    publish(self, msg_type, with_null(data or {}), metadata, buffers, **keys)


def get_parent(self, channel="shell"):
    """The request that is being answered, with the argument that ipykernel's has."""
    return self._parent_header


comm.Comm.publish_msg = publish_msg
kernel.PyodideKernel.get_parent = get_parent
