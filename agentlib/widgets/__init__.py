"""Widgets that show an agent at work. Each knows what it shows, and is never known by it."""

from .approval import Approval
from .board import Board
from .player import Player
from .runs import Chart, NagSlider, Runs
from .walkthrough import Walkthrough

__all__ = ["Approval", "Board", "Chart", "NagSlider", "Player", "Runs", "Walkthrough"]
