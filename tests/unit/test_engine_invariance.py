"""On the real model: the same token ids whatever the schedule, to the last bit of every logit on the way.

One reference, and one factor changed at a time.
"""

import pytest

from real_engine import QUESTIONS, debate, load, pool, session, turns

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def smol(smollm2):
    return load(smollm2)


def work(kinds=("pool", "turns", "debate"), reverse=False):
    sessions = []
    for number, text in enumerate(QUESTIONS):
        if "pool" in kinds:
            sessions.append(session(f"pool-{number}", pool(text, 3, max_tokens=12 + number)))
        if "turns" in kinds and number < 2:
            sessions.append(session(f"turns-{number}", turns(text, 3, temperature=0.7 * number)))
        if "debate" in kinds and number == 2:
            sessions.append(session("debate", debate(text)))
    return sessions[::-1] if reverse else sessions


@pytest.fixture(scope="module")
def reference(smol):
    ids = smol.ids(work(), n_parallel=5, threads=2)
    assert sum(len(call) for calls in ids.values() for call in calls) <= 1500
    return ids


@pytest.mark.parametrize("n_parallel", [1, 2, 3, 16, 32])
def test_rows_decoded_together(smol, reference, n_parallel):
    assert smol.ids(work(), n_parallel=n_parallel) == reference


@pytest.mark.parametrize("n_parallel", [1, 5])
def test_one_thread(smol, reference, n_parallel):
    assert smol.ids(work(), n_parallel=n_parallel, threads=1) == reference


def test_order_of_questions(smol, reference):
    assert smol.ids(work(reverse=True)) == reference


@pytest.mark.parametrize("kind", ["pool", "turns", "debate"])
def test_methods_alone(smol, reference, kind):
    alone = smol.ids(work([kind]))
    assert alone == {key: ids for key, ids in reference.items() if key[0].startswith(kind)}


def test_prompts_computed_by_every_call(smol, reference):
    done, progress = smol.run(work(), share_prompts=False)
    assert {key: [tuple(call.generated) for call in calls] for key, calls in done.items()} == reference
    _, shared = smol.run(work(["pool"]))
    assert shared.computed_prompt_tokens < shared.prompt_tokens / 2 < progress.prompt_tokens


def test_no_memory_for_shared_prompts_and_a_context_that_grows(smol, reference):
    sessions = [*work(), session("long", pool("word " * 400, 1, max_tokens=2))]
    ids = smol.ids(sessions, cache_bytes=0, expected=256)
    assert {key: ids[key] for key in reference} == reference


def test_samples_of_a_larger_pool_begin_with_those_of_a_smaller(smol, reference):
    larger = smol.ids([session("pool-1", pool(QUESTIONS[1], 6, max_tokens=13))])
    assert larger["pool-1",][:3] == reference["pool-1",]


def test_another_seed_gives_other_text(smol, reference):
    other = smol.ids([session("another name", pool(QUESTIONS[0], 3, max_tokens=12))])
    assert other["another name",] != reference["pool-0",]
    assert len(set(reference["pool-0",])) > 1


# --- long prompts: attention is rounded to 256 cached positions, and one row alone is split over threads ---

LONG = {length: "The bag of beans weighs 3 pounds. " * (length // 9) for length in (240, 500, 1010)}


def long_work():
    sessions = [session("short", pool(QUESTIONS[0], 1, max_tokens=16))]
    for length, text in LONG.items():
        sessions.append(session(f"long-{length}", pool(text + "How much?", 2 if length < 1000 else 1, 16)))
    sessions.append(session("long-turns", turns(LONG[240], 2, max_tokens=12)))
    return sessions


@pytest.fixture(scope="module")
def long_reference(smol):
    done, _ = smol.run(long_work(), n_parallel=3, threads=2)
    lengths = {key[0]: len(calls[0].prompt) for key, calls in done.items()}
    # The replies begin or run past 256, 512 and 1,024 positions.
    for name, border in (("long-240", 256), ("long-500", 512), ("long-1010", 1024)):
        assert border - 12 <= lengths[name] <= border + 60, lengths
    assert lengths["long-240"] < 256 + 12
    return {key: [tuple(call.generated) for call in calls] for key, calls in done.items()}


@pytest.mark.parametrize(("n_parallel", "threads"), [(1, 2), (1, 1), (2, 2), (8, 2), (3, 1)])
def test_long_positions(smol, long_reference, n_parallel, threads):
    assert smol.ids(long_work(), n_parallel=n_parallel, threads=threads) == long_reference


def test_long_positions_computed_by_every_call(smol, long_reference):
    assert smol.ids(long_work(), n_parallel=8, share_prompts=False) == long_reference
