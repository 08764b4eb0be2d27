"""What the files of the logins show: a function for each step."""

import ast
import re
from collections.abc import Container, Iterator

from ..project_files import ProjectFiles
from ..syntax import (
    Function,
    arguments,
    calls_in,
    find_functions,
    first_name,
    has_numbers,
    last_name,
    loaded_names,
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
        last_name(call.func) in checks and any(last_name(one) in old for one in arguments(call))
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
    # If the project has its own `verify`, the check is in it, and not where it is called.
    own = {function.name for tree in trees for function in find_functions(tree)}
    checks = [node for tree in trees for node in ast.walk(tree) if is_check(node, own)]
    return len(stored_values(files)) == 1 and len(checks) == 1


def stored_values(files: ProjectFiles) -> list[ast.expr]:
    """Return what the programs put into their store of users: `users[name] = VALUE`.

    If a class keeps the password of its object, as in `self.password = VALUE`, the store has such
    objects, and only what their attributes get is returned.
    """
    pairs = [pair for tree in files.programs.values() for pair in find_stores(tree)]
    attributes = [pair for pair in pairs if isinstance(pair[0], ast.Attribute)]
    if any(first_name(target) == "self" for target, _ in attributes):
        pairs = attributes
    return [value for _, value in pairs]


def find_stores(tree: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what gets a value that may be a password, and the value: `users[name] = VALUE`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and not is_empty(node.value):
            yield from ((target, node.value) for target in node.targets if is_store(target))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            store = node.func.value
            if node.func.attr == "update" and STORE.search(last_name(store)):
                # A hash has such a method as well, and it gets no dict.
                yield from ((store, given) for given in node.args if isinstance(given, ast.Dict))


def is_empty(value: ast.expr) -> bool:
    """Return whether a value is a constant, `{}`, or a new object that was given nothing."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and not arguments(value)
    return not any(ast.iter_child_nodes(value))


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


def is_check(node: ast.AST, own: Container[str] = ()) -> bool:
    """Return whether a node compares a password, or what is kept of it.

    A call of one of the functions in `own` is none.
    """
    if isinstance(node, ast.Call):
        return last_name(node.func) in VERIFYING and last_name(node.func) not in own
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return False
    return any(is_secret(side) for side in [node.left, *node.comparators])


def is_secret(side: ast.expr) -> bool:
    """Return whether a side of a comparison is a password, a hash, or an entry of the store."""
    if isinstance(side, ast.Call):
        return any(SECRET.search(last_name(call.func)) for call in calls_in(side))
    if isinstance(side, ast.Subscript):
        return bool(STORE.search(first_name(side))) and not COUNTER.search(ast.unparse(side))
    return bool(SECRET.search(last_name(side)))


def keeps_salted_hashes(files: ProjectFiles) -> bool:
    """Return whether the programs make a hash with a random salt, and store no password.

    Accepted are scrypt, PBKDF2, bcrypt, argon2, SHA-2, SHA-3 and BLAKE2; MD5 and SHA-1 are not.
    A constant of a module is one salt for all users, and no salt. Whether the hash is made of the
    salt is not looked at. Nothing that is stored contains `password`, `old` or `new` itself, but
    only a call that gets it.
    """
    trees = files.programs.values()
    called = {last_name(call.func) for tree in trees for call in calls_in(tree)}
    used = {
        name
        for tree in trees
        for part in tree.body
        if not isinstance(part, ast.Assign | ast.AnnAssign)
        for name in loaded_names(part)
    }
    is_salted = bool(used & SALTING or used & RANDOM and any(map(HASHES.search, called)))
    values = stored_values(files)
    return is_salted and bool(values) and not any(map(shows_password, values))


def shows_password(value: ast.expr) -> bool:
    """Return whether a value contains a password that is not an argument of a call."""
    hidden = {
        id(node)
        for call in calls_in(value)
        for given in arguments(call)
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
