# What runs where on a cluster: read last, when all rules are known.

# These take a second or two, and fetching needs the network that compute nodes often lack: they run
# where Snakemake runs. Everything else is submitted.
LIGHT = ("fetch_", "sample_", "draw_", "export_", "write_", "load_", "plan_")
workflow.localrules(*(rule.name for rule in workflow.rules if rule.name.startswith(LIGHT)))
