"""The kernels of `planning-agent lab`, and of a hub: they load the lesson while its page opens."""

from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import NATIVE_KERNEL_NAME
from jupyter_server.services.kernels.kernelmanager import ServerKernelManager

from .copy_lesson import lesson_notebooks

AHEAD = "--IPKernelApp.extra_extensions=lesson"  # see `lesson.load_ipython_extension`


class LabKernel(ServerKernelManager):
    """A kernel that loads the lesson from its start on if it is of a notebook of the lesson."""

    async def start_kernel(self, *args: Any, **launch: Any) -> Any:
        """Start the kernel. A restart has the same arguments."""
        # The server gives each kernel the path of its notebook, or of a console, in this variable.
        notebook = Path((launch.get("env") or {}).get("JPY_SESSION_NAME", ""))
        if self.kernel_name == NATIVE_KERNEL_NAME and notebook.name in lesson_notebooks():
            launch["extra_arguments"] = [*launch.get("extra_arguments", ()), AHEAD]
        return await super().start_kernel(*args, **launch)
