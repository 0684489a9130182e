"""A model that says what a test tells it to: drives a method without an engine."""

from collections.abc import Callable, Iterable

from reasonaudit.conversation import Ask, Method, Reply


def drive(method: Method, replies: Iterable[str] | Callable[[Ask], str]) -> list[list[Ask]]:
    """Run a method to its end; what it asked, one list a turn (asks of one list are asked together).

    Raises:
        AssertionError: the method asked for more replies, or fewer, than a script of texts holds.
    """
    script = None if callable(replies) else list(replies)
    asked, answer = [], None
    while True:
        try:
            turn = method.send(answer)
        except StopIteration:
            assert not script, f"replies never asked for: {script}"
            return asked
        single = isinstance(turn, Ask)
        asked.append([turn] if single else list(turn))
        texts = []
        for ask in asked[-1]:
            assert script is None or script, f"no reply left for {ask}"
            texts.append(replies(ask) if script is None else script.pop(0))
        said = [Reply(text, (), 0, 0, "stop") for text in texts]
        answer = said[0] if single else said


def flat(asked: list[list[Ask]]) -> list[Ask]:
    """All asks in order."""
    return [ask for turn in asked for ask in turn]


def said(ask: Ask) -> list[str]:
    """A conversation as short texts: ``s:`` system, ``u:`` user, ``a:`` assistant."""
    return [f"{message['role'][0]}:{message['content']}" for message in ask.messages]
