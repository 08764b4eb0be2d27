"""Widgets that show an agent at work. An agent needs no code for being shown."""

from .board import Board
from .player import Player
from .real_sessions import RealSessions
from .runs import Runs
from .seat import Seat
from .walkthrough import Walkthrough

__all__ = ["Board", "Player", "RealSessions", "Runs", "Seat", "Walkthrough"]
