"""Keep what a learner wrote: find its source, write it into `my_agent`, and take it away."""
