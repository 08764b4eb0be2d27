"""Half-done and wrong states of the logins, by the step that is not done in them."""

from steps_done.states import State, after, original, wrong

FIRST, DONE = original("auth"), after("auth")
MERGED, CONSTANTS, ONE_PLACE, HASHED, TESTED, DOCS = (
    "Let change_password use login instead of a copy of it",
    "Give the magic numbers names",
    "Set and check passwords in one place each",
    "Keep salted hashes instead of passwords",
    "Write tests for auth.py and run them",
    "Update docs/auth.md",
)
CHANGE = """    if not login(name, old) or len(new) < MIN_PASSWORD:
        return False
    set_password(name.strip().lower(), new)
    return True
"""
COPY = """    name = name.strip().lower()
    if name not in users or failed[name] >= MAX_FAILURES:
        return False
    if not matches(name, old):
        failed[name] = failed[name] + 1
        return False
    failed[name] = 0
    if len(new) < MIN_PASSWORD:
        return False
    set_password(name, new)
    return True
"""
TESTS = DONE["test_auth.py"]
PLAIN_AUTH = after("auth", 3)["auth.py"]
RULES = DONE["docs/auth.md"]

REFUSED: dict[str, dict[str, State]] = {
    MERGED: {
        "the copy is there": wrong(("auth.py", CHANGE, COPY)),
        "login is called, and the copy is still there": wrong(
            (
                "auth.py",
                CHANGE,
                COPY.replace("    set_password", "    login(name, new)\n    set_password"),
            )
        ),
        "only the failures are counted again": wrong(
            (
                "auth.py",
                CHANGE,
                "    if failed[name.strip().lower()] >= MAX_FAILURES:\n        return False\n"
                "    if not matches(name.strip().lower(), old) or len(new) < MIN_PASSWORD:\n"
                "        return False\n"
                "    set_password(name.strip().lower(), new)\n    return True\n",
            )
        ),
        "the old password is not checked at all": wrong(
            ("auth.py", "not login(name, old) or len(new)", "len(new)")
        ),
        "the function is gone": wrong(
            ("auth.py", "\n\ndef change_password(name, old, new):\n" + CHANGE, "\n"),
            also=(TESTED, DOCS),
        ),
    },
    CONSTANTS: {
        "there are no names": wrong(
            ("auth.py", "not MIN_NAME <= len(name) <= MAX_NAME", "not 3 <= len(name) <= 20"),
            ("auth.py", "    if len(password) < MIN_PASSWORD:", "    if len(password) < 8:"),
            ("auth.py", "or len(new) < MIN_PASSWORD:", "or len(new) < 8:"),
            ("auth.py", "failed[name] >= MAX_FAILURES", "failed[name] >= 5"),
        ),
        "there are names, and one number is still in the code": wrong(
            ("auth.py", "or len(new) < MIN_PASSWORD:", "or len(new) < 8:")
        ),
        "half of the limits of a name is a number": wrong(
            ("auth.py", "not MIN_NAME <= len(name) <= MAX_NAME", "not MIN_NAME <= len(name) <= 20")
        ),
        "the number is in quotes": wrong(
            ("auth.py", "failed[name] >= MAX_FAILURES", 'failed[name] >= int("5")')
        ),
        "the functions are gone": wrong(
            files={"auth.py": "MIN_NAME, MAX_NAME = 3, 20\n"},
            also=(MERGED, ONE_PLACE, HASHED, TESTED, DOCS),
        ),
    },
    ONE_PLACE: {
        "the password is set in two places": wrong(
            (
                "auth.py",
                "    set_password(name.strip().lower(), new)\n",
                "    salt = os.urandom(16)\n"
                "    users[name.strip().lower()] = salt, digest(new, salt)\n",
            )
        ),
        "it is checked in two places": wrong(
            (
                "auth.py",
                "    set_password(name.strip().lower(), new)\n",
                "    salt, kept = users[name.strip().lower()]\n"
                "    if hmac.compare_digest(kept, digest(new, salt)):\n"
                "        return False\n"
                "    set_password(name.strip().lower(), new)\n",
            )
        ),
        "the new function is not used": wrong(
            (
                "auth.py",
                "    set_password(name, password)\n",
                "    salt = os.urandom(16)\n    users[name] = salt, digest(password, salt)\n",
            )
        ),
        "nothing sets a password any more": wrong(
            (
                "auth.py",
                "    salt = os.urandom(16)\n    users[name] = salt, digest(password, salt)\n",
                "    return None\n",
            ),
            also=(HASHED, DOCS),
        ),
    },
    HASHED: {
        "passwords are kept": wrong(files={"auth.py": PLAIN_AUTH}, also=(DOCS,)),
        "the module is imported, and passwords are kept": wrong(
            files={"auth.py": "import hashlib\nimport hmac\nimport os\n\n" + PLAIN_AUTH},
            also=(DOCS,),
        ),
        "there is a hash, and no salt": wrong(
            (
                "auth.py",
                "    salt = os.urandom(16)\n    users[name] = salt, digest(password, salt)\n",
                "    users[name] = digest(password)\n",
            ),
            ("auth.py", "    salt, kept = users[name]\n", "    kept = users[name]\n"),
            ("auth.py", "digest(password, salt))", "digest(password))"),
            (
                "auth.py",
                "def digest(password, salt):\n"
                "    return hashlib.scrypt(password.encode(), salt=salt, **SCRYPT)\n",
                "def digest(password):\n    return hashlib.sha256(password.encode()).digest()\n",
            ),
            ("auth.py", "import os\n", ""),
            also=(DOCS,),
        ),
        "all users have the same salt": wrong(
            ("auth.py", "    salt = os.urandom(16)\n", '    salt = b"pepper and salt"\n'),
            also=(DOCS,),
        ),
        "all users have the salt of this start": wrong(
            ("auth.py", "    salt = os.urandom(16)\n", "    salt = SALT\n"),
            ("auth.py", "users = {}\n", "SALT = os.urandom(16)\nusers = {}\n"),
            also=(DOCS,),
        ),
        "the hash is made, and the password is kept": wrong(
            (
                "auth.py",
                "    users[name] = salt, digest(password, salt)\n",
                "    digest(password, salt)\n    users[name] = password\n",
            ),
            also=(DOCS,),
        ),
        "the password is kept beside the hash": wrong(
            (
                "auth.py",
                "users[name] = salt, digest(password, salt)",
                "users[name] = salt, digest(password, salt), password",
            ),
            also=(DOCS,),
        ),
        "the hash is an old one": wrong(
            (
                "auth.py",
                "hashlib.scrypt(password.encode(), salt=salt, **SCRYPT)",
                "hashlib.md5(salt + password.encode()).digest()",
            ),
            also=(DOCS,),
        ),
    },
    TESTED: {
        "there are none": wrong(
            ("docs/auth.md", "The tests run with `python -m unittest`.\n", ""),
            files={"test_auth.py": None},
        ),
        "they assert nothing": wrong(
            files={
                "test_auth.py": TESTS.replace("self.assertTrue", "print")
                .replace("self.assertFalse", "print")
                .replace("self.assertNotIn", "print")
            }
        ),
        "they compare constants": wrong(
            files={"test_auth.py": "import auth\n\n\ndef test_auth():\n    assert True\n"}
        ),
        "they test a copy": wrong(
            files={
                "test_auth.py": "def login(name, password):\n    return True\n\n\n"
                'def test_login():\n    assert login("ada", "engine no 1")\n'
            }
        ),
        "they call functions that are not there": wrong(
            files={
                "test_auth.py": "from auth import log_out\n\n\n"
                'def test_log_out():\n    assert log_out("ada")\n'
            }
        ),
        "no test runner finds them": wrong(
            files={"test_auth.py": TESTS.replace("def test_", "def check_")}
        ),
    },
    DOCS: {
        "the TODO is there": wrong(files={"docs/auth.md": FIRST["docs/auth.md"]}),
        "the TODO went, and nothing came": wrong(
            files={"docs/auth.md": FIRST["docs/auth.md"].partition("TODO")[0]}
        ),
        "they say that passwords are kept as typed": wrong(
            files={
                "docs/auth.md": "# Logging in\n\n`register`, `login` and `change_password`.\n\n"
                "We keep the passwords as they were typed.\n"
            }
        ),
        "they name a function that is gone": wrong(
            ("docs/auth.md", "## Rules\n", "Use `log_out()` to log out.\n\n## Rules\n")
        ),
        "they name a file that is gone": wrong(
            ("docs/auth.md", "## Rules\n", "The rules are in `rules.py`.\n\n## Rules\n")
        ),
        "the file is gone": wrong(files={"docs/auth.md": None}),
    },
}
