"""A bundle: all output of the program, written to files, to be compared with what another version wrote.

A change that only moves or renames code leaves it equal to the byte. ``python -m bench.bundle OUT_DIR``
writes one, ``python -m bench.bundle --compare A B`` lists what differs. Equal code gives an equal bundle in
every run: seeds, clocks, ids and chance are fixed, and every set and dictionary is written in order.
"""

import os

os.environ["BOHN_INTERPRET"] = "1"  # before anything of bohn is imported: nothing waits for a compiler
