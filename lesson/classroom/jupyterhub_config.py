"""The settings of JupyterHub for a class. Copy this file beside your hub's jupyterhub_config.py.

Load it in the last line of that file:

    load_subconfig("/etc/jupyterhub/lesson_config.py")  # where your copy is

Your hub's own file says who may log in, and has https and the addresses. Your `environment` and
`args` of `c.Spawner` are kept. A `cmd` of yours is replaced: write both into one.
"""

c = get_config()  # noqa: F821

# The learner runs this in their own environment. A `pre_spawn_hook` would run too early if the
# account is only made at the first start, and not in the learner's container.
#
# - The folder is for the learner alone, because a home is often open to others: Debian's `useradd`
#   makes it so.
# - `lesson` copies what is missing, and never overwrites a file. With --without-solutions, it
#   leaves out our solutions.
# - A hub ends a server with SIGINT. The server would then leave its kernels running, with their
#   copies in the temporary folder. After SIGTERM it ends them first.
# - The sockets of a server that was killed are deleted at the next start.
# - JupyterLab gets the settings of `planning-agent lab`: a terminal begins in `my_lesson` and finds
#   the lesson's commands, which a login shell would not find in a virtual environment. A kernel of
#   a lesson's notebook begins to load the lesson while the page opens. A `kernel_manager_class` of
#   yours would be replaced: then leave out `list_kernel_options`.
START = """
export JUPYTER_RUNTIME_DIR="$HOME/.jupyter_run"
rm -rf "$JUPYTER_RUNTIME_DIR"
mkdir -p -m 700 "$HOME/my_lesson"
planning-agent lesson "$HOME/my_lesson"
exec python3 -c '
import os, signal, sys
from lesson.program import open_lab
os.environ |= open_lab.find_environment(os.path.expanduser("~/my_lesson"))
sys.argv += open_lab.list_terminal_options() + open_lab.list_kernel_options()
from jupyterhub.singleuser import main
signal.signal(signal.SIGINT, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
main()' "$@"
"""
c.Spawner.cmd = ["/bin/sh", "-c", START, "sh"]
c.Spawner.default_url = "/lab/tree/my_lesson/00_start_here.ipynb"

# A kernel with TCP takes a port that another kernel can take at the same moment. It then tries the
# same port until it gives up. A socket in the learner's folder has no port, and nobody else can
# open it. The path of a socket may have 107 characters: 58 of them are left for the folder.
c.Spawner.args.extend(
    ["--KernelManager.transport=ipc", "--MappingKernelManager.transport_encryption=auto"]
)

# The default, 30 seconds, is too short if all learners start at the same moment.
c.Spawner.http_timeout = 120
c.Spawner.start_timeout = 180  # of a hub that starts containers
