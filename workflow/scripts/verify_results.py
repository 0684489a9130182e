"""Everything that follows from the stored calls, made a second time and compared."""

import sys

from reasonaudit.logs import start_log
from reasonaudit.verification import verify_study

start_log(snakemake.log)
compared = verify_study(**snakemake.params.given, cores=snakemake.threads)
print(f"verified: {compared} files follow from the stored calls, byte for byte", file=sys.stderr)
