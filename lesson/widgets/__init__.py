"""Widgets that show an agent at work. An agent needs no code for being shown."""

from .board import Board
from .player import Player
from .runs import Runs
from .seat import Seat
from .walkthrough import Walkthrough

__all__ = ["Board", "Player", "Runs", "Seat", "Walkthrough"]
