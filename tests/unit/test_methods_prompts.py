"""How values get into prompt texts, and the prompt files themselves."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.errors import ConfigError
from reasonaudit.methods.declarations import declared, method_names, prompt_paths
from reasonaudit.methods.prompts import PromptSet

LANGUAGES = ("en", "ja", "zh", "tr", "pt")


def test_other_braces_are_left_alone():
    prompts = PromptSet(
        {"solve": r"{question} {answer_format} {x} {} {{question}}", "answer_format": r"in \boxed{}"}
    )
    assert prompts.render("solve", question="Q") == r"Q in \boxed{} {x} {} {Q}"


def test_inserted_values_are_never_read_again():
    prompts = PromptSet({"revise": "{feedback} {answer_format}", "answer_format": "{feedback}"})
    assert (
        prompts.render("revise", feedback="{answer_format} {feedback}")
        == "{answer_format} {feedback} {feedback}"
    )


@given(st.text(), st.text())
def test_rendering_is_plain_concatenation(question, format_text):
    prompts = PromptSet({"solve": "a {question} b {answer_format}", "answer_format": format_text})
    assert prompts.render("solve", question=question) == f"a {question} b {format_text}"


def test_numbers_are_rendered():
    assert (
        PromptSet({"candidate": "{number}: {solution}"}).render("candidate", number=2, solution="s") == "2: s"
    )


def test_a_text_that_does_not_place_the_question_is_an_error():
    with pytest.raises(ConfigError, match="does not say where question goes"):
        PromptSet({"solve": "{questoin}"}).render("solve", question="Q")


def test_a_missing_step_is_an_error_that_names_it():
    with pytest.raises(ConfigError, match=r"no prompt for the step 'critique'[\s\S]*critique\.txt"):
        PromptSet({"solve": "{question}"}).render("critique")


@pytest.mark.parametrize("texts", [{}, {"system": ""}, {"system": " \n"}])
def test_no_system_text_means_no_system_turn(texts):
    opening = PromptSet({**texts, "solve": "{question}"}).opening("Q")
    assert opening == ({"role": "user", "content": "Q"},)


def test_exemplars_are_earlier_turns_in_the_form_of_a_plain_solution():
    prompts = PromptSet(
        {"system": "S", "solve": "{question}!", "hint": "{question} near {hints}"},
        [{"question": "1+1", "reply": "ANSWER: 2"}, {"question": "2+2", "reply": "ANSWER: 4"}],
    )
    assert prompts.opening("Q", "hint", hints="3") == (
        {"role": "system", "content": "S"},
        {"role": "user", "content": "1+1!"},
        {"role": "assistant", "content": "ANSWER: 2"},
        {"role": "user", "content": "2+2!"},
        {"role": "assistant", "content": "ANSWER: 4"},
        {"role": "user", "content": "Q near 3"},
    )
    assert len(prompts.opening("Q", with_exemplars=False)) == 2


@pytest.mark.parametrize(
    ("reply", "boxed"),
    [
        ("1 + 1 = 2\nANSWER: 2", "1 + 1 = 2\n\\boxed{2}"),
        ("ANSWER: 3/4  \n", r"\boxed{3/4}"),
        ("ANSWER: 2\nand more", "ANSWER: 2\nand more"),
        ("the ANSWER: 2", "the ANSWER: 2"),
        ("no label", "no label"),
    ],
)
def test_exemplars_follow_the_answer_format(reply, boxed):
    exemplar = [{"question": "E", "reply": reply}]
    assert PromptSet({}, exemplar, boxed=True).exemplars == (("E", boxed),)
    assert PromptSet({}, exemplar).exemplars == (("E", reply),)


def test_files_are_read_without_their_line_ends_and_marks(tmp_path):
    (tmp_path / "solve.txt").write_bytes("\ufeff\r\n  {question}\r\n\r\nÇöz: {answer_format} \r\n".encode())
    assert PromptSet.from_files({"solve": tmp_path / "solve.txt"}).texts == {
        "solve": "  {question}\n\nÇöz: {answer_format} "
    }


# --- the files ---


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", method_names())
def test_every_method_has_its_prompts_in_every_language(name, language, repository):
    for answer_format in ("boxed", "label"):
        paths = prompt_paths(name, language, answer_format, repository / "resources" / "prompts")
        assert {path.parent.name for path in paths.values()} == {language}
        assert paths["answer_format"].stem == f"answer_{answer_format}"


def placeholders(path):
    return sorted(re.findall(r"\{([a-z_]+)\}", path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_placeholders_and_the_protocol_words_of_the_english_text(language, repository):
    folder = repository / "resources" / "prompts"
    steps = {step for name in method_names() for step in declared(name)["PROMPTS"]}
    english = [f"{step}.txt" for step in sorted(steps | {"answer_boxed", "answer_label"})]
    for name in english:
        path = folder / language / name
        assert placeholders(path) == placeholders(folder / "en" / name), path
        text = path.read_text(encoding="utf-8")
        for word in ("ANSWER:", r"\boxed{}", "INCORRECT", "BEST="):
            assert text.count(word) == (folder / "en" / name).read_text(encoding="utf-8").count(word), path


def test_the_instruction_to_judge_is_read_as_no_judgement(repository):
    """A small model repeats what it was told; that must not count as a verdict."""
    from reasonaudit.methods.reply_formats import read_judgement

    for language in LANGUAGES:
        text = (repository / "resources" / "prompts" / language / "judge_self.txt").read_text(
            encoding="utf-8"
        )
        assert read_judgement(text) is None, language


def test_a_language_without_a_prompt_falls_back_to_english(tmp_path):
    for place in ("en/system", "en/solve", "en/answer_label", "de/solve"):
        path = tmp_path / f"{place}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    paths = prompt_paths("chain_of_thought", "de", "label", tmp_path)
    assert {step: path.parent.name for step, path in paths.items()} == {
        "system": "en",
        "solve": "de",
        "answer_format": "en",
    }
    with pytest.raises(ConfigError, match="no prompt file for answer_boxed"):
        prompt_paths("chain_of_thought", "de", "boxed", tmp_path)
    with pytest.raises(ConfigError, match="answer_format cannot be 'xml'"):
        prompt_paths("chain_of_thought", "de", "xml", tmp_path)


def test_a_study_can_say_other_texts(tmp_path):
    for file in ("system", "solve", "answer_boxed", "answer_number"):
        path = tmp_path / "en" / f"{file}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    other = {"answer_format": "answer_number"}
    assert prompt_paths("chain_of_thought", "en", "boxed", tmp_path, other) == {
        "system": tmp_path / "en" / "system.txt",
        "solve": tmp_path / "en" / "solve.txt",
        "answer_format": tmp_path / "en" / "answer_number.txt",
    }
    with pytest.raises(ConfigError, match="chain_of_thought says no prompt 'critique'"):
        prompt_paths("chain_of_thought", "en", "boxed", tmp_path, {"critique": "system"})
