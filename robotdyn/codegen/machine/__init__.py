"""Programs as machine code, by LLVM:  the text (`ir`), the compiler (`engine`), the call from Python (`call`), loops over time (`loops`).

Nothing here imports llvmlite before something is compiled.
"""
