"""Widgets that show an agent at work. An agent needs no code for being shown."""

from .board import Board
from .player import Player
from .runs import Chart, NagSlider, Runs
from .seat import Seat
from .walkthrough import Walkthrough

__all__ = ["Board", "Chart", "NagSlider", "Player", "Runs", "Seat", "Walkthrough"]
