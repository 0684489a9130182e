"""The scheduler on a fake model whose logits tell how every cell was computed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fake_llama import END, TWIN, USER, FakeModel, FakeTemplate, fake_engine, run_fake
from reasonaudit.conversation import Ask
from reasonaudit.engine.cells import LoneRow
from reasonaudit.engine.prompt_cache import CHUNK, PromptCache, chunks, last_border
from reasonaudit.engine.rows import RowClass
from reasonaudit.engine.scheduler import Session
from reasonaudit.errors import ModelError
from reasonaudit.seeds import derive_seed


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


def ask(text="hi", *, max_tokens=8, offset=0, temperature=0.7, before=(), **more):
    messages = (*before, user(text))
    return Ask(messages, temperature, max_tokens, seed_offset=offset, role="sample", **more)


def pool(text, size, max_tokens=12):
    yield [ask(text, offset=i, max_tokens=max_tokens) for i in range(size)]


def at_once(asks):
    yield asks


def turns(text, count, max_tokens=10, name="main", temperature=0.7):
    said = [user(text)]
    for turn in range(count):
        reply = yield Ask(tuple(said), temperature, max_tokens, turn, "agent", conversation=name)
        said += [assistant(reply.text), user("again, and " * 5 * turn)]


def debate(text, agents=3, rounds=3):
    said = [[user(f"{text} {agent}")] for agent in range(agents)]
    for round_ in range(rounds):
        replies = yield [
            Ask(tuple(said[a]), 0.7, 9, round_ * agents + a, "agent", conversation=f"agent-{a}")
            for a in range(agents)
        ]
        for agent, reply in enumerate(replies):
            others = " ".join(other.text for other in replies if other is not reply)
            said[agent] += [assistant(reply.text), user(others or "go on")]


def rewritten(text):
    """A conversation whose earlier replies are cut, as templates of thinking models do."""
    first = yield ask(text, offset=0, conversation="c", max_tokens=20)
    before = (user(text), assistant(first.text[: len(first.text) // 2]))
    second = yield ask("shorter", offset=1, before=before, conversation="c")
    before = (user(text), assistant(first.text), user("other"), assistant(second.text))
    yield ask("and now", offset=2, before=before, conversation="c")
    yield ask("something else altogether", offset=3, conversation="c")


def session(name, method):
    return Session((name,), method, derive_seed(name))


def work(reverse=False):
    """Pools, conversations, debates; prompts on both sides of every border."""
    made = []
    for number, length in enumerate((1, 30, 62, 63, 64, 65, 126, 127, 128, 129, 190, 250, 256, 300)):
        text = "the same beginning of every question " * 10
        text = text[:length]
        made += [
            session(f"pool-{number}", pool(text, 1 + number % 4)),
            session(f"turns-{number}", turns(text, 1 + number % 4)),
        ]
    made += [session(f"debate-{i}", debate("who is right? " * (1 + 9 * i))) for i in range(3)]
    made += [session(f"rewritten-{i}", rewritten("a question " * (1 + 15 * i))) for i in range(3)]
    return made[::-1] if reverse else made


def tokens(done):
    return {key: [tuple(call.generated) for call in calls] for key, calls in done.items()}


@pytest.fixture(scope="module")
def reference():
    return tokens(run_fake(work(), n_parallel=7))


@settings(max_examples=25, deadline=None)
@given(
    n_parallel=st.integers(1, 40),
    share=st.booleans(),
    reverse=st.booleans(),
    cache=st.sampled_from([0, 5_000, 1 << 30]),
    expected=st.sampled_from([None, 256, 700]),
    threads=st.sampled_from([1, 2, 8]),
)
def test_no_schedule_changes_how_a_row_is_computed(
    reference, n_parallel, share, reverse, cache, expected, threads
):
    done = run_fake(
        work(reverse),
        n_parallel=n_parallel,
        share_prompts=share,
        cache_bytes=cache,
        expected=expected,
        threads=threads,
    )
    assert tokens(done) == reference


def test_methods_alone_and_together(reference):
    for kind in ("pool", "turns", "debate", "rewritten"):
        alone = run_fake([s for s in work() if s.key[0].startswith(kind)], n_parallel=5)
        assert tokens(alone) == {key: ids for key, ids in reference.items() if key[0].startswith(kind)}


def test_the_fake_notices_a_difference(reference):
    # One row past 256 positions in another kernel is enough, so the tests above can fail.
    split = FakeModel(kernel=lambda place, width, position, threads: width < 4 and position >= 256)
    assert tokens(run_fake(work(), split, n_parallel=1)) != tokens(run_fake(work(), split, n_parallel=7))


@pytest.mark.parametrize("padded_is_faster", [True, False])
def test_the_faster_way_of_a_lone_row_is_found_again_and_again(padded_is_faster):
    lone = LoneRow()
    for _ in range(2):  # the second time in another place
        taken = []
        for _ in range(LoneRow.STEPS):
            taken.append(lone.padded)
            lone.took(1.0 if lone.padded == padded_is_faster else 2.0)
        assert taken.count(not padded_is_faster) == LoneRow.TRIES
        padded_is_faster = not padded_is_faster


@pytest.mark.parametrize("n_parallel", [1, 2, 5, 8, 11, 16])
def test_padding_keeps_kernels_that_take_rows_in_groups(n_parallel):
    # Full groups of four, and batches of eight and more, have kernels of their own.
    def kernel(place, width, position, threads):
        return (width < 8, place >= width - width % 4)

    row_class = RowClass(8, 4)
    done = run_fake(work(), FakeModel(kernel=kernel), n_parallel=n_parallel, row_class=row_class)
    assert tokens(done) == tokens(run_fake(work(), FakeModel(kernel=kernel), row_class=row_class))


def test_models_that_cannot_trim_compute_prompts_again(reference):
    results = [
        tokens(run_fake(work(), FakeModel(trims=False), n_parallel=n, share_prompts=share))
        for n, share in ((1, True), (6, True), (16, False))
    ]
    assert results[0] == results[1] == results[2]
    # Nothing is ever trimmed in pools, so those are the same as with trimming.
    assert all(results[0][key] == reference[key] for key in reference if key[0].startswith("pool"))


def test_where_cells_cannot_be_trimmed_a_changed_history_is_a_fresh_prompt():
    def without_names(method):
        replies = None
        while True:
            try:
                asked = method.send(replies)
            except StopIteration:
                return
            replies = yield replace(asked, conversation=None)

    def generated(method, trims):
        (calls,) = run_fake([session("x", method)], FakeModel(trims=trims)).values()
        return [call.generated for call in calls]

    text = "abc " * 40
    assert generated(rewritten(text), False) == generated(without_names(rewritten(text)), False)
    assert generated(rewritten(text), True) != generated(without_names(rewritten(text)), True)


def test_rows_are_kept_full_and_freed_at_once():
    model = FakeModel()
    engine = fake_engine(model, n_parallel=4)
    sizes = [3 * (1 + i) for i in range(10)]
    done = dict(engine.run(session(f"s{i}", pool("q", 1, sizes[i])) for i in range(10)))
    lengths = [len(done[f"s{i}",][0].generated) for i in range(10)]
    busy = [0] * 4
    for length in lengths:  # the first free row takes the next call
        row = min(range(4), key=lambda r: (busy[r], r))
        busy[row] += length
    assert len(model.contexts[0].decoded) == max(busy)
    assert sum(rows for rows, _, _ in model.contexts[0].decoded) == sum(lengths)
    assert engine.progress.generated_tokens == sum(lengths)


def test_calls_start_in_the_order_of_sessions_then_of_asking():
    started = []

    class Watched(FakeTemplate):
        def encode(self, messages, known=None):
            started.append(messages[-1]["content"])
            return super().encode(messages, known)

    def asks(name):
        replies = yield [ask(f"{name}-{i}", offset=i) for i in range(3)]
        assert len(replies) == 3
        yield ask(f"{name}-last", offset=3)

    done = run_fake([session(n, asks(n)) for n in "abc"], n_parallel=2, template=Watched())
    assert [name for name in started if name.endswith("-0")] == ["a-0", "b-0", "c-0"]
    assert [call.index for call in done["a",]] == [0, 1, 2, 3]
    # The second turn of an open session comes before the first of a session not yet admitted.
    assert started.index("a-last") < started.index("c-0")


@pytest.mark.parametrize("threads", [1, 2])
def test_a_lone_row_past_256_positions_is_on_one_thread_or_padded(threads):
    model = FakeModel()
    run_fake([session("s", pool("x" * 240, 1, max_tokens=60))], model, n_parallel=1, threads=threads)
    first = 242  # the prompt: role, text, end, role; its last token is decoded at this position
    decoded = model.contexts[-1].decoded
    assert set(decoded[: 256 - first]) == {(1, 0, threads)}
    assert set(decoded[256 - first :]) == ({(1, 0, 1), (1, 1, 2)} if threads == 2 else {(1, 0, 1)})


def test_the_context_grows_while_rows_run(reference):
    model = FakeModel()
    sessions = [session("short", pool("x", 2, 60)), session("long", pool("y" * 700, 2, 60))]
    done = run_fake(sessions, model, n_parallel=8, expected=256)
    assert [context.cells for context in model.contexts] == [256, 768]
    assert model.contexts[0].closed
    fresh = run_fake([session("short", pool("x", 2, 60))], n_parallel=8)
    assert tokens(done)["short",] == tokens(fresh)["short",]


def test_growth_is_rare():
    model = FakeModel()
    run_fake([session(f"s{i}", pool("x" * (100 + 7 * i), 1)) for i in range(120)], model, n_parallel=2)
    assert len(model.contexts) <= 3


def test_a_prompt_is_computed_once_for_a_pool():
    engine = fake_engine(n_parallel=4)
    calls = dict(engine.run([session("s", pool("x" * 200, 12))]))["s",]
    length = len(calls[0].prompt)
    assert engine.progress.prompt_tokens == 12 * length
    # The prompt once, and the last token of each call as a row of its own.
    assert engine.progress.computed_prompt_tokens == length + 11


def test_different_questions_share_their_beginning_in_whole_chunks():
    engine = fake_engine(n_parallel=1)
    shots = "exemplar " * 30
    dict(engine.run([session(str(i), pool(f"{shots}{i} and {'z' * 9}", 1)) for i in range(5)]))
    assert engine.progress.computed_prompt_tokens < engine.progress.prompt_tokens / 2


@given(start=st.integers(0, 300), length=st.integers(0, 400))
def test_chunks_cover_a_prompt_without_a_single_token_at_the_end(start, length):
    parts = list(chunks(start, start + length))
    assert sum(end - begin for begin, end in parts) == length
    assert all(end - begin <= CHUNK + 1 for begin, end in parts)
    assert length < 2 or all(end - begin > 1 for begin, end in parts)
    assert all((begin - start) % CHUNK == 0 for begin, _ in parts)


@given(length=st.integers(0, 400))
def test_last_border_is_where_the_last_chunk_starts_or_ends(length):
    parts = list(chunks(0, length))
    ends_full = bool(parts) and parts[-1][1] - parts[-1][0] == CHUNK
    assert last_border(length) == (length if ends_full else parts[-1][0] if parts else 0)


def test_prompt_cache_keeps_to_its_limit_and_drops_the_oldest():
    cache = PromptCache(1000)
    prompts = [np.full(100, i, np.int32) for i in range(4)]
    for prompt in prompts[:3]:
        cache.keep(prompt, np.zeros(400, np.uint8))
    assert cache.size == 800
    assert cache.find(prompts[0]) == (0, None)
    assert cache.find(prompts[1])[0] == 100  # now the last used
    cache.keep(prompts[3], np.zeros(400, np.uint8))
    assert cache.find(prompts[2])[0] == 0
    assert cache.find(prompts[1])[0] == 100
    cache.keep(prompts[3], np.zeros(300, np.uint8), reserved=900)
    assert cache.size == 300


# --- ends of calls ---


def only(method, **more):
    (calls,) = run_fake([session("s", method)], **more).values()
    return calls


def test_stop_reasons_and_counts():
    calls = only(pool("why", 40, max_tokens=25))
    for call in calls:
        ended = call.generated[-1] == END
        assert END not in call.generated[:-1]
        assert call.stop_reason == ("stop" if ended else "length")
        assert ended or len(call.generated) == 25
    assert {call.stop_reason for call in calls} == {"stop", "length"}


def test_an_end_token_at_the_limit_is_a_stop():
    calls = only(pool("why", 200, max_tokens=3))
    at_limit = [call for call in calls if len(call.generated) == 3 and call.generated[-1] == END]
    assert at_limit
    assert {call.stop_reason for call in at_limit} == {"stop"}


def test_a_reply_that_is_only_an_end_token_is_empty():
    done = run_fake([session(f"s{i}", pool(f"why {i}", 9, max_tokens=3)) for i in range(60)])
    empty = [call for calls in done.values() for call in calls if call.generated == [END]]
    assert empty
    assert {(call.text, call.stop_reason) for call in empty} == {("", "stop")}


def test_the_context_ends_a_reply():
    text = "x" * 40
    prompt = len(FakeTemplate().encode([user(text)]))
    calls = only(pool(text, 30, max_tokens=50), context_length=prompt + 10)
    cut = [call for call in calls if call.stop_reason == "context"]
    assert cut
    assert {len(call.generated) for call in cut} == {10}


def test_a_prompt_one_short_of_the_context_generates_one_token():
    prompt = len(FakeTemplate().encode([user("x" * 40)]))
    (call,) = only(pool("x" * 40, 1), context_length=prompt + 1)
    assert len(call.generated) == 1
    assert call.stop_reason in ("context", "stop")


def test_a_prompt_that_does_not_fit_is_recorded_and_the_run_goes_on():
    seen = []

    def method():
        replies = yield [ask("x" * 500), ask("short", offset=1)]
        seen.extend(replies)
        seen.append((yield ask("y" * 500, offset=2, conversation="c")))
        seen.append((yield ask("short", offset=3, conversation="c")))

    done = run_fake([session("s", method()), session("t", pool("z", 2))], context_length=256)
    reasons = [(call.stop_reason == "context", len(call.generated) > 0) for call in done["s",]]
    assert reasons == [(True, False), (False, True), (True, False), (False, True)]
    assert (seen[0].text, seen[0].token_ids, seen[0].prompt_tokens) == ("", (), 503)
    assert len(done["t",]) == 2


def test_a_session_of_prompts_that_do_not_fit_ends():
    done = run_fake([session("s", pool("x" * 999, 3)), session("t", pool("z", 1))], context_length=256)
    assert [call.stop_reason for call in done["s",]] == ["context"] * 3


def test_stop_texts_are_found_across_tokens_and_cut_off():
    stops = ("ab", "ca", "zz")  # every token is one byte, so each lies across a border
    calls = only(at_once([ask("q", offset=i, max_tokens=60, stop=stops) for i in range(60)]))
    stopped = [call for call in calls if call.stop_reason == "stop" and call.generated[-1] != END]
    assert stopped
    for call in stopped:
        spelled = "".join("a" if t == TWIN else chr(t) for t in call.generated)
        assert spelled[-2:] in stops
        assert not any(stop in spelled[:-1] for stop in stops)
        assert call.text == spelled[:-2]
    for call in calls:
        assert not any(stop in call.text for stop in stops)


def test_a_stop_text_at_the_limit_is_a_stop():
    calls = only(at_once([ask("q", offset=i, max_tokens=2, stop=("a",)) for i in range(200)]))
    at_limit = [call for call in calls if len(call.generated) == 2 and call.generated[-1] in (97, TWIN)]
    assert at_limit
    assert {call.stop_reason for call in at_limit} == {"stop"}


def test_an_empty_stop_text_stops_nothing():
    with_empty = only(at_once([ask("q", offset=i, stop=("",)) for i in range(9)]))
    without = only(at_once([ask("q", offset=i) for i in range(9)]))
    assert [call.text for call in with_empty] == [call.text for call in without]


# --- what methods may do ---


def test_equal_texts_with_other_ids_are_known_by_the_order_of_asking():
    # Two agents say "a" in different tokens; what a later prompt holds must not hang on who ended first.
    def method():
        replies = yield [ask("q", offset=i, max_tokens=1 + i % 3) for i in range(60)]
        text = max((r.text for r in replies), key=lambda t: sum(r.text == t for r in replies))
        yield ask("next", offset=99, before=(user("q"), assistant(text)))

    prompts = {tuple(only(method(), n_parallel=n)[-1].prompt) for n in (1, 2, 7, 16, 40)}
    assert len(prompts) == 1


def test_a_method_may_ask_for_nothing():
    def method():
        assert (yield []) == []
        assert (yield []) == []
        yield ask("x")

    assert len(only(method())) == 1
    assert run_fake([session("none", at_once([]))]) == {("none",): []}


def test_one_conversation_cannot_be_asked_twice_at_once():
    def method():
        yield [ask("a", conversation="c"), ask("b", offset=1, conversation="c")]

    with pytest.raises(ValueError, match="twice at once: c, c"):
        only(method())


def test_a_template_that_refuses_ends_the_run_with_its_message():
    with pytest.raises(ModelError, match="refuses the conversation"):
        only(pool("refused", 1))


def test_a_prompt_without_tokens_is_refused():
    class Empty(FakeTemplate):
        def encode(self, messages, known=None):
            return []

    with pytest.raises(ModelError, match="no tokens"):
        only(pool("x", 1), template=Empty())


@pytest.mark.parametrize("length", [1, 2, 3])
def test_prompts_of_one_token_and_few(length):
    class Short(FakeTemplate):
        def encode(self, messages, known=None):
            return [USER] * length

    alone = only(pool("x", 3), template=Short(), n_parallel=1)
    together = only(pool("x", 3), template=Short(), n_parallel=3, share_prompts=False)
    assert [call.generated for call in alone] == [call.generated for call in together]


def test_a_reply_holds_what_the_call_recorded():
    seen = []

    def method():
        seen.append((yield ask("x", max_tokens=5)))

    (call,) = only(method())
    (reply,) = seen
    assert reply == call.reply()
    assert (reply.prompt_tokens, reply.completion_tokens) == (len(call.prompt), len(call.generated))


def test_seeds_are_those_of_the_session_plus_the_offset():
    calls = only(pool("x", 4))
    assert [call.seed for call in calls] == [derive_seed("s") + i for i in range(4)]


def test_contexts_hold_two_rows_at_least():
    model = FakeModel()
    run_fake([session("s", pool("x", 1))], model, n_parallel=1)
    assert len(model.contexts[0]._rows) == 2
