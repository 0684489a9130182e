"""Is the installed llama.cpp the build that envs/requirements.lock asks for?

pip's cache of wheels does not look at build flags, so a native build of an earlier day may have been
taken. GGML_NATIVE=OFF gives AVX2, FMA, F16C and BMI2 and nothing beyond.
"""

import platform
import sys

import llama_cpp

features = llama_cpp.llama_print_system_info().decode()
if platform.machine() in ("x86_64", "AMD64"):
    beyond = [name for name in ("AVX512", "AMX", "AVX_VNNI") if f"{name}" in features]
    missing = [name for name in ("AVX2", "FMA", "F16C", "BMI2") if f"{name} = 1" not in features]
    if beyond or missing:
        sys.exit(f"llama.cpp was built with other flags (beyond: {beyond}, missing: {missing}): {features}")
