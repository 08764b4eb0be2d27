"""What looks like a key in a cell is found however it is written, and no other string is."""

import pytest

from lesson.program.find_key import find_key

GLM = "0123abcd4567ef890123abcd4567ef89.AbCdEfGh12345678"
JWT = "eyJhbGciOiJSUzI1NiJ9.eyJHcm91cE5hbWUiOiJtZSJ9.c2lnbmF0dXJl"
SET = {
    "name": "API_KEY = '{}'",
    "annotated": "API_KEY: str = '{}'",
    "attribute": "client.api_key = '{}'",
    "variable": "os.environ['GLM_API_KEY'] = '{}'",
    "in place": "os.environ |= {{'GLM_API_KEY': '{}'}}",
    "setdefault": "os.environ.setdefault('GLM_API_KEY', '{}')",
    "update": "os.environ.update({{'GLM_API_KEY': '{}'}})",
    "update by name": "os.environ.update(GLM_API_KEY='{}')",
    "dict": "ENV = {{\n    'url': 'http://x',\n    'GLM_API_KEY': '{}',\n}}",
    "argument": "client = Anthropic(\n    api_key='{}',\n)",
    "default": "def ask(url, token='{}', *, more=1):\n    pass",
    "default by name": "def ask(*, token='{}'):\n    pass",
    "method": "class A:\n    def key(self):\n        self.token = '{}'",
    "raw": "API_KEY = r'{}'",
    "format": "API_KEY = f'{}'",
    "bytes": "API_KEY = b'{}'",
    "two lines": "API_KEY = (\n    '{}'\n)",
    "continued": "API_KEY = \\\n    '{}'",
    "triple": "API_KEY = '''{}'''",
    "or": "API_KEY = os.environ.get('K') or '{}'",
    "walrus": "if (key := '{}'):\n    pass",
    "strip": "API_KEY = '{}\\n'.strip()",
    "pair": "URL, KEY = 'http://x', '{}'",
    "header pair": "HEADERS = [('x-api-key', '{}')]",
    "short name": "KEY = '{}'",
    "one word": "apikey = '{}'",
    "token": "GLM_TOKEN = '{}'",
    "bearer": "HEADERS = {{'Authorization': 'Bearer {}'}}",
    "header": "os.environ['ANTHROPIC_CUSTOM_HEADERS'] = 'x-api-key: {}'",
    "comment": "a = 1  # my api_key: {}",
    "shell": "WORDS = '''\nexport GLM_API_KEY={}\n'''",
    "magic": "%env GLM_API_KEY={}",
    "no Python": "API_KEY = '{}'\0",
    "deep": f"KEY = {' + '.join(['x'] * 3000)}\n# api_key: {{}}",
}


@pytest.mark.parametrize("cell", SET.values(), ids=SET)
@pytest.mark.parametrize("key", [GLM, JWT, "sk-ant-api03-0123456789abcdef"])
def test_key_is_found_however_it_is_set(cell, key):
    text = f"import os\n{cell.format(key)}\n"
    number = find_key(text)
    assert number and (key in text.split("\n", number - 1)[-1] or "\\\n" in text)


@pytest.mark.parametrize("words", ["hunter-two", "S3cret!?x", "topsecret1", "abcdefgh"])
@pytest.mark.parametrize("name", ["PASSWORD", "API_KEY", "client_secret", "AUTH_TOKEN"])
def test_value_of_a_secret_name_is_found_whatever_it_looks_like(name, words):
    assert find_key(f"x = 1\n{name} = {words!r}") == 2


@pytest.mark.parametrize(
    "cell",
    [
        'SORT_KEY = "priority"',
        'END_TOKEN = "</reminder>"',
        'STATUS_KEY = "in_progress"',
        'TOKEN = "<reminder>"',
        'KEYS = ["id", "text", "status", "activeForm"]',
        'first = sorted(tasks, key=lambda task: task["2026-11-28T12:00:00"])',
        'key = os.environ["ANTHROPIC_API_KEY"]',
        'key = os.environ.get("ANTHROPIC_API_KEY", "not-needed")',
        'NAME = "ANTHROPIC_API_KEY"',
        'API_KEY_NAME = "ANTHROPIC_API_KEY"',
        'os.environ["ANTHROPIC_API_KEY"] = getpass.getpass("Key, 32 letters and digits: ")',
        'connect("claude-haiku-5-5-20261001", env={"ANTHROPIC_API_KEY": key, "B": "http://localhost:1"})',
        'FIELDS = ["password", "username", "api_key", "workspace"]',
        'KEY = {"type": "string", "description": "The id of the task, such as task-0123456789"}',
        'ANTHROPIC_API_KEY = "none"',
        'API_KEY = "YOUR_KEY"',
        "# Set ANTHROPIC_API_KEY before you start, or ask for the password.",
        '"""Say which api_key: the first one of these is used."""',
        'REMINDER_KEY = "reminder_after_3_rounds"',
        'token = words[0] if "task-0123456789abcdef" in words else "end"',
        'SAID = (("401.*api-key", "No key."), ("404.*model-1", "No model."))',
        'LIST = "0123456789abcdef0123456789abcdef"',
        "%time x",
    ],
)
def test_string_of_a_program_is_no_key(cell):
    assert find_key(f"import os\n{cell}\n") is None
