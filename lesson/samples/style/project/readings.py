import os, sys
import csv
from datetime import datetime, date

def load(path, skip=[]):
	l = []
	with open(path) as f:
		for row in csv.DictReader(f):
			if row["station"] in skip: continue
			try:
				temp = float(row["temp"])
			except:
				temp = None
			l.append({"station": row["station"], "day": date.fromisoformat(row["day"]), "temp": temp})
	return l
