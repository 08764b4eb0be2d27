"""Judge the step of this job from FILES.md, whoever has written it."""

from ..project_files import ProjectFiles


def has_names(files: ProjectFiles) -> bool:
    return "hello.py" in files.texts.get("FILES.md", "")
