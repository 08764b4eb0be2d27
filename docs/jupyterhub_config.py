"""The settings of JupyterHub for a class: add them to your hub's configuration.

Who may log in, https and the addresses are your school's, so they are not here.
"""

import asyncio
import os

c = get_config()  # noqa: F821

# ------------------------------------------------------------------ what a learner finds

# This runs as the learner and in their environment, also if their account is only made at the first
# start (then `pre_spawn_hook` comes too early), or if they work in a container. `lesson` copies
# what is missing, and never overwrites a file. A server that got SIGINT, with which a hub ends it,
# would leave without its kernels, and they would leave their copies in the temporary folder. After
# SIGTERM it ends them first. The sockets of a server that was killed are deleted at the next start.
START = """
export JUPYTER_RUNTIME_DIR="$HOME/.jupyter_run"
rm -rf "$JUPYTER_RUNTIME_DIR"
planning-agent lesson "$HOME/my_lesson"
exec python3 -c '
import os, signal
from jupyterhub.singleuser import main
signal.signal(signal.SIGINT, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
main()' "$@"
"""
c.Spawner.cmd = ["/bin/sh", "-c", START, "sh"]
c.Spawner.default_url = "/lab/tree/my_lesson/00_start_here.ipynb"

# For the teacher's board: where each learner's progress is copied. Nothing is, until you make it:
#   sudo install -d -m 3773 -g TEACHERS /srv/lesson_class
c.Spawner.environment = {"LESSON_CLASS": "/srv/lesson_class"}

c.Spawner.args = [
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

# Without these, a restart of the hub ends all servers. The proxy is a service of its own, with the
# same CONFIGPROXY_AUTH_TOKEN in its environment as the hub, and is started before it:
#   configurable-http-proxy --port 8000 --default-target http://127.0.0.1:8081 --api-port 8001
# If systemd starts the hub, its unit also needs KillMode=process.
c.JupyterHub.cleanup_servers = False
c.ConfigurableHTTPProxy.should_start = False
