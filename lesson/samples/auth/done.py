"""What the files of the logins show: a function for each step."""

import ast
import re
from collections.abc import Iterator

from ..project_files import ProjectFiles
from ..syntax import (
    Function,
    calls_in,
    find_functions,
    first_name,
    has_numbers,
    last_name,
    parameters,
)
from ..written_docs import (
    is_true_of_files,
    is_true_of_functions,
    is_unfinished,
    says_how_to_test,
)
from ..written_tests import find_tested

PASSWORDS = {"password", "old", "new"}  # the parameters of the project with a password
STORE = re.compile("user|account|password|credential|hash", re.IGNORECASE)
COUNTER = re.compile("fail|lock|attempt|tries|count", re.IGNORECASE)
SECRET = re.compile("password|hash|digest", re.IGNORECASE)
HASHES = re.compile(
    "scrypt|pbkdf2|hashpw|argon2|PasswordHasher|generate_password_hash|sha(?:224|256|384|512|3_)"
    "|blake2|hmac"
)
RANDOM = frozenset("urandom token_bytes token_hex token_urlsafe randbytes gensalt uuid4".split())
# These make a random salt themselves.
SALTING = frozenset("PasswordHasher generate_password_hash".split())
VERIFYING = frozenset("compare_digest checkpw check_password_hash verify".split())
HASH_IN_WORDS = re.compile(r"\b(?:hash|scrypt|pbkdf2|bcrypt|argon2)", re.IGNORECASE)


def find_function(files: ProjectFiles, name: str) -> Function | None:
    """Return the function or method of auth.py with this name, or None."""
    tree = files.tree("auth.py")
    found = [one for one in find_functions(tree) if one.name == name] if tree else []
    return found[0] if found else None


def uses_login(files: ProjectFiles) -> bool:
    """Return whether change_password lets another function check the old password.

    It gives the old password to `login`, or to a function that login calls as well and that asks
    more than whether the password is right. None of its conditions is also one of login's.
    """
    login, change = find_function(files, "login"), find_function(files, "change_password")
    if login is None or change is None or conditions(login) & conditions(change):
        return False
    checks = {"login"}
    for name in {last_name(call.func) for call in calls_in(login)}:
        helper = find_function(files, name)
        if helper and any(is_other_condition(node) for node in ast.walk(helper)):
            checks.add(name)
    old = [one.arg for one in parameters(change) if one.arg not in ("self", "cls")][1:2]
    return any(
        last_name(call.func) in checks and any(last_name(given) in old for given in call.args)
        for call in calls_in(change)
    )


def is_other_condition(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) and not is_check(node)


def conditions(function: Function) -> set[str]:
    """Return the comparisons of a function as text, without the names of its variables."""
    local = {one.arg for one in parameters(function)}
    local |= {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and is_bound(n)}
    found = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Compare):
            words = re.findall(r"\w+|\W", ast.unparse(node))
            found.add("".join("_" if word in local else word for word in words))
    return found


def is_bound(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def has_named_numbers(files: ProjectFiles) -> bool:
    """Return whether no function of auth.py contains a number with a meaning.

    Exceptions: 0, 1, and what a function of a library gets directly, as in `os.urandom(16)`.
    """
    tree = files.tree("auth.py")
    if tree is None or not find_functions(tree):
        return False
    return not has_numbers(tree, allowed=(0, 1), to_libraries=True)


def has_one_place_for_passwords(files: ProjectFiles) -> bool:
    """Return whether passwords are set in one place of the programs, and checked in one place.

    Set: something is put into `users`, or into a store whose name says that it has users, accounts,
    passwords or hashes. Checked: a comparison with == or compare_digest of such a thing, or of
    something that is called a password, hash or digest.
    """
    trees = files.programs.values()
    stored = [value for tree in trees for value in stored_values(tree)]
    checked = [node for tree in trees for node in ast.walk(tree) if is_check(node)]
    return len(stored) == 1 and len(checked) == 1


def stored_values(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield what a program puts into its store of users: `users[name] = VALUE`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            if any(is_store(target) for target in node.targets):
                yield node.value
        elif isinstance(node, ast.Call) and last_name(node.func) in ("update", "setdefault"):
            if isinstance(node.func, ast.Attribute) and STORE.search(last_name(node.func.value)):
                yield from node.args[-1:]


def is_store(target: ast.expr) -> bool:
    """Return whether an assignment to this puts something into the store of users."""
    if isinstance(target, ast.Attribute):
        return bool(SECRET.search(target.attr))
    if not isinstance(target, ast.Subscript):
        return False
    key, inner = target.slice, target.value
    if isinstance(key, ast.Constant) and COUNTER.search(str(key.value)):
        return False
    while isinstance(inner, ast.Subscript):
        inner = inner.value
    return bool(STORE.search(last_name(inner))) and not COUNTER.search(last_name(inner))


def is_check(node: ast.AST) -> bool:
    """Return whether a node compares a password, or what is kept of it."""
    if isinstance(node, ast.Call):
        return last_name(node.func) in VERIFYING
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return False
    return any(is_secret(side) for side in [node.left, *node.comparators])


def is_secret(side: ast.expr) -> bool:
    """Return whether a side of a comparison is a password, a hash, or an entry of the store."""
    if isinstance(side, ast.Call):
        return bool(SECRET.search(last_name(side.func)))
    if isinstance(side, ast.Subscript):
        return bool(STORE.search(first_name(side))) and not COUNTER.search(ast.unparse(side))
    return bool(SECRET.search(last_name(side)))


def keeps_salted_hashes(files: ProjectFiles) -> bool:
    """Return whether the programs make a hash with a random salt, and store no password.

    Accepted are scrypt, PBKDF2, bcrypt, argon2, SHA-2, SHA-3 and BLAKE2; MD5 and SHA-1 are not.
    Nothing that is stored contains `password`, `old` or `new` itself, but only a call that gets it.
    """
    called = {last_name(call.func) for tree in files.programs.values() for call in calls_in(tree)}
    is_salted = bool(called & RANDOM and any(map(HASHES.search, called))) or bool(called & SALTING)
    values = [value for tree in files.programs.values() for value in stored_values(tree)]
    return is_salted and bool(values) and not any(map(shows_password, values))


def shows_password(value: ast.expr) -> bool:
    """Return whether a value contains a password that is not an argument of a call."""
    hidden = {
        id(node)
        for call in calls_in(value)
        for given in [*call.args, *(keyword.value for keyword in call.keywords)]
        for node in ast.walk(given)
    }
    return any(
        isinstance(node, ast.Name) and node.id in PASSWORDS and id(node) not in hidden
        for node in ast.walk(value)
    )


def has_tests(files: ProjectFiles) -> bool:
    """Return whether tests import and call functions of auth.py, and assert something."""
    return any(file == "auth.py" for file, _ in find_tested(files))


def has_current_docs(files: ProjectFiles) -> bool:
    """Return whether docs/auth.md says that hashes are kept, and all that it says is there.

    They are kept, the functions and files that it names exist, it says how to run the tests, if
    there are any, and it has no TODO.
    """
    text = files.texts.get("docs/auth.md", "")
    return (
        not is_unfinished(text)
        and HASH_IN_WORDS.search(text) is not None
        and keeps_salted_hashes(files)
        and all(
            find_function(files, name)
            for name in re.findall(r"\b(login|register|change_password)\b", text)
        )
        and is_true_of_files(text, files)
        and is_true_of_functions(text, files)
        and says_how_to_test(text, files)
    )
