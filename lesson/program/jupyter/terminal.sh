# What bash reads in the terminals of `planning-agent lab` and of a hub: the user's settings, and
# after them the folder of this Python, because pyenv and conda put their own `python` first there,
# which has no package of the lesson.
[ -f ~/.bashrc ] && . ~/.bashrc
PATH="$LESSON_BIN:$PATH"
# A hub's server is in the folder above the lesson.
[ "$PWD" = "${LESSON_FOLDER%/*}" ] && cd "$LESSON_FOLDER"
