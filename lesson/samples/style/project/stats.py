from math import *
import statistics

def known(readings):
    return [r["temp"] for r in readings if not r["temp"] == None]


def mean(readings):
    l = known(readings)
    if len(l) == 0: return None
    return round(statistics.mean(l), 1)

def warmest(readings):
    best = None
    for r in readings:
        if r["temp"] != None:
            if best == None or r["temp"] > best["temp"]: best = r
    return best 


def missing(readings):
    n = 0
    for i, r in enumerate(readings):
        if r["temp"] == None: n = n + 1
    return n
