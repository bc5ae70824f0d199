"""Engines: external engine processes, pools of them, and the store of their labels."""
