import statistics
from stats import mean, missing, warmest
import readings
import json

show = lambda t: "no value" if t == None else "%.1f degrees" % t

def by_station(rows):
    stations = {}
    for row in rows:
        if not row["station"] in stations: stations[row["station"]] = []
        stations[row["station"]].append(row)
    return stations


def report(rows):
    print(f"Weather report")
    for station, O in sorted(by_station(rows).items()):
        best = warmest(O)
        print("%s: mean %s, warmest %s on %s, %d of %d readings missing" % (station, show(mean(O)), show(best["temp"]), best["day"].strftime("%d.%m."), missing(O), len(O)))

if __name__ == "__main__": report(readings.load("readings.csv", skip=["test"]))
