"""Extraction: rules and their order, spans, idempotence, thinking, placeholders, policies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.answers.boxes import find_boxes, matching_brace
from reasonaudit.answers.canonical import canonicalize
from reasonaudit.answers.conventions import reading_language
from reasonaudit.answers.extraction import RULES, extract
from reasonaudit.answers.policies import Policy
from reasonaudit.verifiers.synthetic_replies import LABEL_LINES, LABEL_SENTENCES
from reasonaudit.verifiers.trusted import verify


@pytest.mark.parametrize(
    ("text", "answer", "rule"),
    [
        # the whole text
        ("5", "5", "whole"),
        (r"\frac{7}{12}", r"\frac{7}{12}", "whole"),
        ("[2,5)", "[2,5)", "whole"),
        ("Evelyn", "Evelyn", "whole"),
        (r"x \in [-2,7]", r"x \in [-2,7]", "whole"),
        # boxes
        (r"Adding gives \boxed{\frac{7}{12}}.", r"\frac{7}{12}", "boxed"),
        (r"\boxed{1} and then \boxed{2}, after 3 tries", "2", "boxed"),
        (r"So $\boxed 5$ is it, of 7.", "5", "boxed"),
        (r"Hence \fbox{17}.", "17", "boxed"),
        (r"\boxed{\boxed{4}} of 9", "4", "boxed"),
        (r"We get \boxed{\{1, 2\}}.", r"\{1, 2\}", "boxed"),
        (r"\boxed{y = 3x} but ANSWER: 4", "y = 3x", "boxed"),
        (r"\boxed{\text{The answer is } 12}", "12", "boxed"),
        (r"a \boxed{} first, 8 at last", "8", "last_number"),
        # a box without end
        ("So \\boxed{42\n", "42", "boxed_unclosed"),
        (r"So $\boxed{\frac{1}{2}$.", r"\frac{1}{2}", "boxed_unclosed"),
        # labels
        ("ANSWER: 7\nbut 8", "7", "label"),
        ("ANSWER: $\\$1,200$", "1,200", "label"),
        ("The answer is 5. No: the answer is 6.", "6", "label"),
        ("Answer: 14 because 9 + 5 = 14", "14", "label"),
        ("The final answer is that she has 14 apples left.", "14", "label"),
        ("**Final Answer:** **58**", "58", "label"),
        ("### Final answer\n\nAnswer:\n\n$$\\frac{1}{2}$$", r"\frac{1}{2}", "label"),
        ("ANSWER: m+n = 144+25 = 169", "169", "label"),
        ("ANSWER: y = 3x", "y = 3x", "label"),
        ("ANSWER: Evelyn", "Evelyn", "label"),
        ("Answer: (C)", "(C)", "label"),
        ("ANSWER: <18>", "18", "label"),
        ("ANSWER: 35%", "35%", "label"),
        ("Answer: not given\nthere are 12", "not given", "label"),
        ("12 eggs.\n#### 1,080", "1,080", "hashes"),
        ("#### Step 2: add\nso 9", "9", "last_number"),
        ("¡La respuesta final es: Answer: 27!", "27", "label"),
        ("Answer: 5!", "5!", "label"),
        ("The answer is not 8 but 7.", "7", "label"),
        ("Answer: 240 or 300 (it depends)", "240 or 300 (it depends)", "label"),
        ("Answer: 5 (if all are small) or 6 (if not)", "5 (if all are small) or 6 (if not)", "label"),
        ("Answer: [num] 117", "117", "label"),
        (r"The answer is $\begin{pmatrix}1\\2\end{pmatrix}$.", r"\begin{pmatrix}1\\2\end{pmatrix}", "label"),
        (r"\boxed{f(x)=0 \text{ or } f(x)=x^2}", r"f(x)=0 \text{ or } f(x)=x^2", "boxed"),
        ("The answer is $6! - 63!$.", "6! - 63!", "label"),
        # the last number
        ("So the farm collects 84, altogether, in one week.", "84", "last_number"),
        ("That is 10 - 3 = 7 apples", "7", "last_number"),
        (r"It is \(\frac{3}{4}\) of it.", r"\frac{3}{4}", "last_number"),
        ("She pays 3 <<1+2=3>> in all", "3", "last_number"),
        # thinking
        (r"<think>\boxed{12}? 13?</think>The answer is 14.", "14", "label"),
        (r"maybe \boxed{12}</think> It is 9.", "9", "last_number"),
        (r"a</think>\boxed{1}</think>so \boxed{2}", "2", "boxed"),
        ("The answer is 3. <think>or 4", "3", "label"),
    ],
)
def test_rules(text, answer, rule):
    found = extract(text)
    assert (found.text, found.rule) == (answer, rule)
    assert text[found.start : found.end] == found.text


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "   ",
        "I cannot say.",
        "<think>still 4 and 5",
        "</think>",
        "ANSWER:",
        "ANSWER: <value>",
        r"\boxed{}",
        "ANSWER: [num]",
        r"Write it as \boxed{answer}.",
        "Answer: the text does not give enough to tell at all",
    ],
)
def test_no_answer(text):
    assert extract(text) is None


@pytest.mark.parametrize(
    "placeholder", ["<値>", "<值>", "<değer>", "<valor>", "[num]", "<sayı>", "<数字>", "<value>"]
)
def test_the_prompt_repeated_is_no_answer(placeholder):
    assert extract(f"Write it so:\nANSWER: {placeholder}") is None
    assert extract(f"ANSWER: {placeholder}\nANSWER: 7").text == "7"
    assert extract(f"ANSWER: 7\n\nANSWER: {placeholder}").text == "7"


@pytest.mark.parametrize("lines", [LABEL_LINES, LABEL_SENTENCES], ids=["line", "sentence"])
@pytest.mark.parametrize("language", sorted(LABEL_LINES))
@pytest.mark.parametrize("answer", ["18", "-7", "2500", r"$\frac{7}{12}$", r"$\left(3, \pi\right)$"])
def test_labels_of_every_language(lines, language, answer):
    text = lines[language].format(x=answer)
    found = extract(text, language=language)
    assert found.rule == "label"
    form = canonicalize(found.text, language=found.language)
    assert form.key == canonicalize(answer.strip("$")).key


@pytest.mark.parametrize("colon", [":", "：", " : ", "： "])
@pytest.mark.parametrize(
    "label",
    [
        "Answer",
        "ANSWER",
        "答え",
        "答案",
        "Cevap",
        "CEVAP",
        "Yanıt",
        "Resposta final",
        "Antwort",
        "Ответ",
        "정답",
    ],
)
def test_either_colon(label, colon):
    assert extract(f"First 3.\n{label}{colon}18").text == "18"
    assert extract(f"First 3.\n**{label}{colon}** 18").text == "18"


@pytest.mark.parametrize(
    ("text", "language", "answer"),
    [
        ("答えは、<18>個です。", "ja", "18"),
        ("答えは1万5千円です。", "ja", "1万5千"),
        ("したがって、答えは十八です。", "ja", "十八"),
        ("答えは8ではなく7です。", "ja", "7"),
        ("所以答案是3/4。", "zh", "3/4"),
        ("Cevap 8 değil, 7.", "tr", "7"),
        ("Cevap %35.", "tr", "%35"),
        ("A resposta é R$ 1.250,50.", "pt", "1.250,50"),
        ("คำตอบคือ ๑๘ บาท", "th", "๑๘"),
        ("উত্তর হল ১৮টি।", "bn", "১৮"),
        ("Jibu ni 18.", "sw", "18"),
    ],
)
def test_answers_in_sentences(text, language, answer):
    assert extract(text, language=language).text == answer


FRAGMENTS = st.sampled_from(
    [
        *("The answer is ", "ANSWER: ", "答えは", "Cevap: ", "not 8 but 7", "because ", "#### ", "[num]"),
        *(
            r"\boxed{",
            "}",
            "{",
            r"\frac{7}{12}",
            r"\sqrt2",
            r"\text{cm}",
            r"\begin{pmatrix}1\\2\end{pmatrix}",
        ),
        *("18", "-3", "1,200", "35%", "1.234,5", "12 and 13", "1万5千", "½", "٣", "5 m", "(3, 4]", "Evelyn"),
        *("$", r"\$", "**", r"\(", r"\)", "<", ">", "\n", ". ", "。", ", ", "!", "です。", "apples "),
        *("x = ", " = ", " or ", "≈", "<think>", "</think>"),
    ]
)


@given(
    st.lists(FRAGMENTS, max_size=12).map("".join),
    st.sampled_from(["en", "ja", "tr", "de", "th"]),
    st.booleans(),
)
def test_reading_twice_changes_nothing(text, language, truncated):
    found = extract(text, language=language, truncated=truncated)
    if found is None:
        return
    assert text[found.start : found.end] == found.text
    assert found.rule.split("_joined")[0] in {*RULES, "hashes"}
    again = extract(found.text, language=found.language)
    assert again.text == found.text


@given(st.text(max_size=60))
def test_any_text_can_be_read(text):
    found = extract(text)
    if found is not None:
        assert extract(found.text).text == found.text


@given(st.text(alphabet=r"\{}abox5ed", max_size=30))
def test_braces_are_counted(text):
    for box in find_boxes(text):
        assert 0 <= box.start <= box.end <= len(text)
        if box.closed and text[box.start - 1] == "{":
            assert text[box.end] == "}"
            assert matching_brace(text, box.start - 1) == box.end


@pytest.mark.parametrize(
    ("text", "stated", "grade"),
    [
        ("Then 5 + 7 = 12, and so", None, "12"),
        ("ANSWER: 12\nLet me check: 5 +", "12", "12"),
        ("ANSWER: 12", None, "12"),
        ("ANSWER: 12.", None, "12"),
        ("The answer is 12 apples", "12", "12"),
        (r"\boxed{12} and \boxed{1", "12", "12"),
        (r"So it is \boxed{1", None, "1"),
    ],
)
def test_replies_cut_short(text, stated, grade):
    def read(policy):
        found = extract(text, policy=policy, truncated=True)
        return found and found.text

    assert read(Policy()) == stated
    assert read(Policy(truncated="grade")) == grade
    assert read(Policy(truncated="unreadable")) is None
    assert extract(text).text == grade


@pytest.mark.parametrize(
    "text", ["240 or 300 (it depends)", "5 (if 5 go in one) or 6 (if not)", "5 oder 6", "5または6"]
)
def test_who_names_two_answers_does_not_choose(text):
    found = extract(f"Answer: {text}")
    assert canonicalize(found.text).kind == "set"


def test_several_boxes():
    text = "We had \\boxed{9}.\nThe solutions are \\boxed{1} and \\boxed{-2}."
    assert extract(text).text == "-2"
    joined = extract(text, policy=Policy(several_boxes="join"))
    assert canonicalize(joined.text).key == "{-2, 1}"
    assert extract(text, policy=Policy(several_boxes="unreadable")) is None
    same = r"\boxed{0.5}, that is \boxed{\frac12}"
    assert extract(same, policy=Policy(several_boxes="unreadable")).text == r"\frac12"


@pytest.mark.parametrize(
    ("text", "language", "read_as"),
    [
        ("23,786 - 8,417 = 15,369", "es", "es@point"),
        ("Der Preis ist $2.50, also 1,250 Stück", "de", "de@point"),
        ("1.150 + 56.350 = 57.500", "de", "de"),
        ("2,50 + 1.150,00", "zh", "zh@comma"),
        ("104,000 x 0,05 = 5,200", "de", "de@mixed"),
        ("104,000 x 0,05 = 5,200", "ja", "ja@mixed"),
        ("всего 88 000", "ja", "ja@comma"),
        ("2 000 x 1.5", "zh", "zh"),
        ("1.104,5 x 3,250 x 2,125", "de", "de"),
        ("so 3,350", "tr", "tr"),
        ("so 27,000", "fr", "fr@point"),
        ("0.125 of 1,000", "en", "en"),
        ("(1,2) and 3,5", "en", "en"),
        ("1.5 and 2,5", "pt", "pt@point"),
        ("1.5 and 2,55", "pt", "pt"),
        ("anything 2.50", "en@comma", "en@comma"),
    ],
)
def test_the_marks_of_a_reply(text, language, read_as):
    assert reading_language(text, language) == read_as
    found = extract(f"{text}\nAnswer: 5", language=language)
    assert found.language == read_as


def test_the_marks_decide_the_answer():
    reply = "23,786 - 8,417 - 9,092 = 6,277\n\nRespuesta: 6,277."
    found = extract(reply, language="es")
    assert canonicalize(found.text, language=found.language).key == "6277"
    assert canonicalize(found.text, language="es").key == "6277/1000"


def test_groups_with_spaces_in_a_reply_in_another_language():
    reply = "11Х = 88 000\nХ = 8 000\n\nОтвет: Харальд продал 8 000 рекордов."
    found = extract(reply, language="ja")
    assert canonicalize(found.text, language=found.language).key == "8000"


def test_raw_is_what_the_model_wrote():
    assert extract("ANSWER: **$1,200** dollars.").raw == "**$1,200** dollars."
    assert extract(r"so $\boxed{18\text{ cm}}$").raw == r"18\text{ cm}"
    assert extract("答えは、<18>個です。", language="ja").raw == "、<18>個です。"


@pytest.mark.parametrize(
    "piece",
    [
        "1,",
        "(",
        "{",
        r"\boxed{",
        "答えは",
        "answer is ",
        "1 or ",
        "x=",
        r"\(",
        ".",
        "。",
        "<think>",
        "$",
        "1 000 ",
        "=",
        "5 m/s ",
        r"\frac{1}",
        "the answer is not 8 ",
        "一",
        "1≈",
        "#### ",
        "- ",
        r"\pm ",
        r"\text{a}",
        "not ",
    ],
)
def test_long_strange_replies_are_read(piece):
    """Nothing here may take more than linear time by much; a pattern that backtracks would never end."""
    for text in (
        piece * 4000,
        "Answer: " + piece * 4000,
        r"\boxed{" + piece * 4000 + "}",
        piece * 4000 + "\nANSWER: 5",
    ):
        extract(text)
        verify(text[:1500], "5")
