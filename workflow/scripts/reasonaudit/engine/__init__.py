"""llama.cpp in process; the only importer of llama_cpp."""
