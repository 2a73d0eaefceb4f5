"""Puts the material of this folder within reach of the packages below it."""
