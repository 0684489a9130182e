"""Print envs/requirements.lock from what is installed in this environment."""

import subprocess
import sys
from pathlib import Path

FLAGS = '--config-settings="cmake.args=-DGGML_NATIVE=OFF;-DLLAVA_BUILD=OFF"'
# Installed by hand for a benchmark, or part of every environment.
LEFT_OUT = ("xllamacpp", "gguf", "pip", "setuptools", "wheel")

lock = Path(__file__).with_name("requirements.lock")
command = [sys.executable, "-m", "pip", "freeze"]
frozen = subprocess.run(command, capture_output=True, text=True, check=True).stdout
print("\n".join(line for line in lock.read_text().splitlines() if line.startswith("#")))
for line in frozen.splitlines():
    name = line.partition("==")[0].lower().replace("_", "-")
    if name in LEFT_OUT:
        continue
    print(f"llama-cpp-python=={line.partition('==')[2]} {FLAGS}" if name == "llama-cpp-python" else line)
