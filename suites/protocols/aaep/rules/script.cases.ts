import { add, remove } from "../../../../generators/index.ts";
import type { Cases, Json, ValidCase } from "../../../../schemas/index.ts";
import { event } from "./messages.ts";

const document = "agent.output.streaming";
const chunk = (text: string, hints: Record<string, Json> = { primary_language: "en-GB" }) =>
  event(document, { chunk: text, localization_hints: hints });
const says = (name: string, says: string, text: string, hints?: Record<string, Json>): ValidCase => ({
  name,
  at: "/chunk",
  says,
  data: chunk(text, hints),
});
const started = (hints: Record<string, Json>) => event("agent.session.started", { localization_hints: hints });
const direction = "/localization_hints/text_direction";
const hebrew = { primary_language: "he", text_direction: "rtl" };

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-I18N-007",
    document,
    valid: [
      says("composed", "has letters with their accents", "caf\u00e9 at the quay "),
      {
        ...says("no-composed-form", "has a letter whose accent has no composed form", "x\u0302 marks the berth "),
        edge: true,
      },
      { ...says("compatible", "has a ligature, which this form keeps", "\ufb01ve berths "), edge: true },
      { ...says("syllables", "has Korean syllables", "\ud55c\uae00 "), edge: true },
    ],
    invalid: [
      {
        name: "decomposed",
        says: "has a letter and its accent apart",
        change: add("/chunk", "cafe\u0301 at the quay "),
      },
      {
        name: "decomposed-at-the-end",
        says: "ends in an accent apart from its letter",
        change: add("/chunk", "The quay cafe\u0301"),
      },
      {
        name: "single-sign",
        says: "has the angstrom sign, which is the letter Å",
        change: add("/chunk", "\u212bland quay "),
        edge: true,
      },
      {
        name: "excluded-composite",
        says: "has a letter that this form takes apart",
        change: add("/chunk", "\u0958\u093e "),
        edge: true,
      },
      {
        name: "order-of-marks",
        says: "has two marks in the wrong order",
        change: add("/chunk", "q\u0307\u0323 quay "),
        edge: true,
      },
      { name: "jamo", says: "has a Korean syllable in its letters", change: add("/chunk", "\u1112\u1161\u11ab ") },
    ],
  },
  {
    rule: "AAEP-I18N-009",
    document,
    valid: [
      says("letter-first", "begins with an accented letter", "\u00e9t\u00e9 "),
      { ...says("mark-second", "has a mark behind its first letter", "x\u0302 marks "), edge: true },
      { ...says("mark-behind-space", "begins with a space that bears a mark", " \u0302 marks "), edge: true },
    ],
    invalid: [
      { name: "acute", says: "begins with an acute accent", change: add("/chunk", "\u0301t\u00e9 ") },
      { name: "spacing-mark", says: "begins with a vowel sign", change: add("/chunk", "\u0903 quay ") },
      { name: "enclosing-mark", says: "begins with an enclosing circle", change: add("/chunk", "\u20dd quay ") },
      {
        name: "astral-mark",
        says: "begins with a mark beyond the basic plane",
        change: add("/chunk", "\u{1d165} quay "),
        edge: true,
      },
      { name: "mark-alone", says: "is a mark alone", change: add("/chunk", "\u0301"), edge: true },
    ],
  },
  {
    rule: "AAEP-I18N-009",
    document: "agent.handoff.requested",
    valid: [
      { name: "letter-first", at: "/reason", says: "begins with a letter", data: event("agent.handoff.requested") },
    ],
    invalid: [{ name: "reason", says: "begins with an acute accent", change: add("/reason", "\u0301a reason") }],
  },
  {
    rule: "AAEP-I18N-013",
    document,
    valid: [
      says("one-direction", "goes one way", "\u05e8\u05e6\u05d9\u05e3 14", hebrew),
      {
        ...says("automatic", "is mixed, and its direction is found from the text", "E14 \u05e8\u05e6\u05d9\u05e3", {
          ...hebrew,
          text_direction: "auto",
        }),
        edge: true,
      },
      {
        ...says(
          "isolated",
          "is mixed, with the foreign part set apart",
          "\u05e8\u05e6\u05d9\u05e3 \u2068E14\u2069",
          hebrew,
        ),
        edge: true,
      },
    ],
    invalid: [
      { name: "mixed", from: "one-direction", says: "is mixed", change: add("/chunk", "\u05e8\u05e6\u05d9\u05e3 E14") },
      { name: "fixed", from: "automatic", says: "is fixed, and the text is mixed", change: add(direction, "rtl") },
      {
        name: "marks-gone",
        from: "isolated",
        says: "is mixed, with nothing set apart",
        change: add("/chunk", "\u05d4\u05e8\u05e6\u05d9\u05e3 E14"),
      },
    ],
  },
  {
    rule: "AAEP-I18N-014",
    document: "agent.session.started",
    valid: [
      {
        name: "arabic",
        at: direction,
        says: "suits Arabic",
        data: started({ primary_language: "ar-SA", text_direction: "rtl" }),
      },
      {
        name: "english",
        at: "/localization_hints",
        says: "leaves English to the default",
        data: started({ primary_language: "en" }),
      },
      {
        name: "arabic-automatic",
        at: direction,
        says: "is found from the text",
        data: started({ primary_language: "ar", text_direction: "auto" }),
        edge: true,
      },
      {
        name: "in-arabic-script",
        at: direction,
        says: "suits the script",
        data: started({ primary_language: "az-Arab", text_direction: "rtl" }),
        edge: true,
      },
      {
        name: "in-latin-script",
        at: "/localization_hints",
        says: "leaves Arabic in Latin letters to the default",
        data: started({ primary_language: "ar-Latn" }),
        edge: true,
      },
      {
        name: "undetermined",
        at: direction,
        says: "is told for a language that is not",
        data: started({ primary_language: "und", text_direction: "rtl" }),
        edge: true,
      },
      {
        name: "script-beside",
        at: "/localization_hints/script",
        says: "tells the script that the tag leaves out",
        data: started({ primary_language: "ar", script: "Latn", text_direction: "ltr" }),
        edge: true,
      },
    ],
    invalid: [
      {
        name: "arabic-by-default",
        from: "arabic",
        at: "/localization_hints",
        says: "leaves Arabic to the default",
        change: remove(direction),
      },
      { name: "arabic-to-the-right", from: "arabic", says: "does not suit Arabic", change: add(direction, "ltr") },
      {
        name: "persian",
        from: "english",
        says: "is Persian, and the direction the default",
        change: add("/localization_hints/primary_language", "fa-IR"),
      },
      { name: "english-to-the-left", from: "english", says: "does not suit English", change: add(direction, "rtl") },
      {
        name: "script-gone",
        from: "script-beside",
        at: "/localization_hints",
        says: "does not suit Arabic",
        change: remove("/localization_hints/script"),
        edge: true,
      },
      {
        name: "latin-to-the-left",
        from: "in-latin-script",
        says: "does not suit Latin letters",
        change: add(direction, "rtl"),
      },
    ],
  },
];
