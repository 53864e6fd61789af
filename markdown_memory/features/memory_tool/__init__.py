"""Anthropic's memory tool over a vault."""
