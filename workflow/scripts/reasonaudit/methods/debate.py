"""Multi-agent debate: several copies answer, then read each other's solutions and answer again.

Du et al., "Improving Factuality and Reasoning in Language Models through Multiagent Debate" (ICML
2024). All agents of a round speak at the same time, and an agent reads the others' solutions of the
round before, never its own copy among them. The answer is the majority of the last round's.

With ``history: last`` an agent's prompt holds the question, its own last solution and the others' last
solutions (the equal-cost study must have done so, see ``self_refine``); with ``all`` its conversation
keeps every earlier round, as in the code of the original.
"""

from reasonaudit.conversation import Ask, Method
from reasonaudit.methods.prompts import PromptSet, assistant, user
from reasonaudit.methods.sampling import sampled

PROMPTS = ("system", "solve", "candidate", "debate")
DEFAULTS = {"agents": 3, "rounds": 2, "history": "last"}
CHOICES = {"history": ("last", "all")}
RANGES = {"agents": (2, 64)}


def debate(question: str, prompts: PromptSet, settings: dict) -> Method:
    """``agents`` x (1 + ``rounds``) calls; ``sample_index`` is the agent."""
    agents = range(settings["agents"])

    def ask(conversations, round_: int) -> list[Ask]:
        return [
            Ask(
                conversations[agent],
                **sampled(settings),
                seed_offset=round_ * len(agents) + agent,
                role="agent",
                round=round_,
                sample_index=agent,
                conversation=f"agent-{agent}",
            )
            for agent in agents
        ]

    def others(replies, agent: int) -> str:
        heard = [reply.text.strip() for other, reply in enumerate(replies) if other != agent]
        return "\n\n".join(
            prompts.render("candidate", number=number, solution=solution)
            for number, solution in enumerate(heard, start=1)
        )

    opening = prompts.opening(question)
    conversations = [opening for _ in agents]
    replies = yield ask(conversations, 0)
    for r in range(1, settings["rounds"] + 1):
        before = conversations if settings["history"] == "all" else [opening for _ in agents]
        conversations = [
            (
                *before[agent],
                assistant(replies[agent].text),
                user(prompts.render("debate", solutions=others(replies, agent))),
            )
            for agent in agents
        ]
        replies = yield ask(conversations, r)


def replies_in_longest_prompt(settings: dict) -> int:
    """An agent's own solution and those of the others, of the last round or of all."""
    if not settings["rounds"]:
        return 0
    return settings["agents"] * (settings["rounds"] if settings["history"] == "all" else 1)
