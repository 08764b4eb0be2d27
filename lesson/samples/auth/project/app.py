import auth


def show(what, worked):
    print(f"{what:<26} {'ok' if worked else 'refused'}")


show("register with 'short'", auth.register("Ada", "short"))
show("register", auth.register("Ada", "engine no 1"))
show("register again", auth.register("ada ", "engine no 2"))
show("wrong password", auth.login("ada", "engine no 9"))
show("right password", auth.login("Ada", "engine no 1"))
show("new password", auth.change_password("ada", "engine no 1", "engine no 2"))
show("old password", auth.login("ada", "engine no 1"))
