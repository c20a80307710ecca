"""Settings of the tests of the Python package."""

import os
import sys

if os.environ.get("KPORT_TESTS_WITHOUT_NUMPY"):
    # An import of it fails, as where it is not installed.
    sys.modules["numpy"] = None

pytest_plugins = ["pytester"]
