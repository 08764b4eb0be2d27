"""The models of the arena: one needs no help, and each of the others fails in its own way.

Each module has one entry of MODELS, and is named nowhere else. Its policy is a function from a
request to the content blocks of a reply, and uses nothing but the request: no memory, no clock and
no randomness. **We wrote these models.** Their `reports` show that such failures exist; how often
they happen is not known.
"""

from importlib import import_module
from pkgutil import iter_modules

from ..scripted_model import ScriptedModel

_modules = [import_module(f"{__name__}.{one.name}") for one in iter_modules(__path__)]
# By name, in alphabetical order, which does not tell which part of a harness helps which model.
MODELS: dict[str, ScriptedModel] = {one.MODEL.name: one.MODEL for one in _modules}
