"""TEACh's own labels of what utterances do, and which of the core's dialogue acts each of them is.

Records, thoughts (`heard`), exports and reports name acts by the core's words (`core.dialogue.Act`); the labels of
TEACh's files, and of tools that go by them, are put into these here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.core.dialogue import Act

ACT_OF: Mapping[str, Act] = {
    "Acknowledge": Act.OK,
    "Affirm": Act.YES,
    "AlternateQuestions": Act.QUESTION,
    "Confirm": Act.QUESTION,
    "Deny": Act.NO,
    "FeedbackNegative": Act.COMPLAIN,
    "FeedbackPositive": Act.PRAISE,
    "Greetings/Salutations": Act.HELLO,
    "InformationOnObjectDetails": Act.FACT,
    "InformationOther": Act.FACT,
    "Instruction": Act.ORDER,
    "MiscOther": Act.CHAT,
    "NotifyFailure": Act.FACT,
    "OtherInterfaceComment": Act.CHAT,
    "RequestForInstruction": Act.QUESTION,
    "RequestForObjectLocationAndOtherDetails": Act.QUESTION,
    "RequestMore": Act.QUESTION,
    "RequestOtherInfo": Act.QUESTION,
}
"""By label, of 18, in alphabetical order. Several labels are one act: the core tells apart what an act calls for, TEACh
also what it is about."""
TEACH_LABELS = tuple(ACT_OF)
"""The labels (Gella et al., "Dialog Acts for Task-Driven Embodied Agents", SIGDIAL 2022)."""
