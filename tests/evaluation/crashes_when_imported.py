"""Takes its process down as soon as it is imported."""

import os

os._exit(9)
