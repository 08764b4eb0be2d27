# says hello to everybody on the list

people = ["Ada", "Grace", "Linus", "Guido"]


def greet(name, loud):
    if loud:
        return "HELLO, " + name.upper() + "!"
    return "Hello, " + name + "!"


def greet_all(names, loud=False):
    greetings = []
    for n in names:
        greetings.append(greet(n, loud))
    return greetings


for line in greet_all(people):
    print(line)
print(greet("world", True))
