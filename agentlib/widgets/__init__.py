"""Widgets that show an agent at work. Each knows what it shows, and is never known by it."""

from .approval import Approval
from .board import Board
from .chart import Chart
from .player import Player
from .slider import NagSlider
from .walkthrough import Walkthrough

__all__ = ["Approval", "Board", "Chart", "NagSlider", "Player", "Walkthrough"]
