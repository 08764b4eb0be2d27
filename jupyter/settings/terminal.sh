# What bash reads in the terminals of `make lab`: the user's settings, and after them this .venv,
# because pyenv and conda put their own `python` first there, which has no package of the lesson.
[ -f ~/.bashrc ] && . ~/.bashrc
. "${BASH_SOURCE[0]%/*}/bin/activate"
