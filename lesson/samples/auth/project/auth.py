users = {}
failed = {}


def register(name, password):
    name = name.strip().lower()
    if len(name) < 3 or len(name) > 20:
        return False
    if name in users:
        return False
    if len(password) < 8:
        return False
    users[name] = password
    failed[name] = 0
    return True


def login(name, password):
    name = name.strip().lower()
    if name not in users:
        return False
    if failed[name] >= 5:
        return False
    if users[name] == password:
        failed[name] = 0
        return True
    failed[name] = failed[name] + 1
    return False


def change_password(name, old, new):
    name = name.strip().lower()
    if name not in users:
        return False
    if failed[name] >= 5:
        return False
    if users[name] != old:
        failed[name] = failed[name] + 1
        return False
    failed[name] = 0
    if len(new) < 8:
        return False
    users[name] = new
    return True
