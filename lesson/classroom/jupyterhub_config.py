"""The settings of JupyterHub for a class. Copy this file beside your hub's jupyterhub_config.py.

Load it in the last line of that one:

    load_subconfig("/etc/jupyterhub/lesson_config.py")  # where your copy is

Who may log in, https and the addresses are your school's, so they are not here. Your `environment`
and `args` of `c.Spawner` are kept. A `cmd` or `pre_spawn_hook` of yours is replaced: write both
into one.
"""

import asyncio
import os

c = get_config()  # noqa: F821

# ------------------------------------------------------------------ what a learner finds

# This runs as the learner and in their environment, also if their account is only made at the first
# start (then `pre_spawn_hook` comes too early), or if they work in a container. The folder is made
# for the learner alone, because a home is often open to the others, as `useradd` makes it on
# Debian. `lesson` copies what is missing, and never overwrites a file; with --without-solutions, it
# copies none of ours. A server that got SIGINT, with which a hub ends it, would leave without its
# kernels, and they would leave their copies in the temporary folder. After SIGTERM it ends them
# first. The sockets of a server that was killed are deleted at the next start. JupyterLab gets the
# settings of `planning-agent lab`: a terminal begins in `my_lesson` with the lesson's commands,
# which a login shell would not find in a virtual environment, and nobody is asked about news.
START = """
export JUPYTER_RUNTIME_DIR="$HOME/.jupyter_run"
rm -rf "$JUPYTER_RUNTIME_DIR"
mkdir -p -m 700 "$HOME/my_lesson"
planning-agent lesson "$HOME/my_lesson"
exec python3 -c '
import os, signal, sys
from lesson.program import open_lab
os.environ |= open_lab.find_environment(os.path.expanduser("~/my_lesson"))
sys.argv += open_lab.list_terminal_options()
from jupyterhub.singleuser import main
signal.signal(signal.SIGINT, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
main()' "$@"
"""
c.Spawner.cmd = ["/bin/sh", "-c", START, "sh"]
c.Spawner.default_url = "/lab/tree/my_lesson/00_start_here.ipynb"

args = [
    # A kernel with TCP takes a port that another one can take at the same moment, and then tries
    # the same one again until it is given up. A socket in the learner's folder has no port, and
    # nobody else can open it. Its path may have 107 characters: 58 of them for the folder.
    "--KernelManager.transport=ipc",
    "--MappingKernelManager.transport_encryption=auto",
    # After an hour, a kernel ends that works on nothing and whose notebook no browser has open, and
    # half an hour after its last kernel, a server. Then JupyterLab asks whether to start it again.
    # Do not add `cull_connected`: it ends the kernel of a notebook that somebody looks at.
    "--MappingKernelManager.cull_idle_timeout=3600",
    "--ServerApp.shutdown_no_activity_timeout=1800",
]
c.Spawner.args.extend(args)

# ------------------------------------------------------------------ thirty starts at once

# The default, 30 seconds, is too short if all start at the same moment.
c.Spawner.http_timeout = 120
c.Spawner.start_timeout = 180  # of a hub that starts containers

at_once = asyncio.Semaphore(2 * (os.cpu_count() or 1))


async def wait_for_a_place(spawner):
    """Let the servers start in waves, while the others see that theirs is starting.

    With `concurrent_spawn_limit`, the others would see an error and have to try again.
    """
    await at_once.acquire()
    waiting.add(task := asyncio.create_task(leave_the_place(spawner)))
    task.add_done_callback(waiting.discard)


async def leave_the_place(spawner):
    try:
        while spawner.pending == "spawn":  # until it answers, or is given up
            await asyncio.sleep(0.2)
    finally:
        at_once.release()


waiting = set()  # asyncio keeps no reference to a task
c.Spawner.pre_spawn_hook = wait_for_a_place

# ------------------------------------------------------------------ a restart ends nobody's work

# Without these, a restart of the hub ends all servers. The hub then starts no proxy, and nobody can
# reach it until you start one, with the same secret in its environment as the hub, before the hub:
#   export CONFIGPROXY_AUTH_TOKEN=$(openssl rand -hex 32)
#   configurable-http-proxy --ip 127.0.0.1 --port 8000 --default-target http://127.0.0.1:8081 \
#     --api-ip 127.0.0.1 --api-port 8001
# Its address and port are now those at which people reach the hub, and not `bind_url`. Without --ip
# it answers the whole network: 127.0.0.1 is for a web server with https in front of it. If systemd
# starts the hub, its unit also needs KillMode=process. Because a hub that ends leaves the servers
# running, stop them first, on the page of the administrator, if all should end.
c.JupyterHub.cleanup_servers = False
c.ConfigurableHTTPProxy.should_start = False
