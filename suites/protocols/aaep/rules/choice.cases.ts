import { add, remove } from "../../../../generators/index.ts";
import type { Cases, Json, ValidCase } from "../../../../schemas/index.ts";
import { event } from "./messages.ts";

const document = "agent.awaiting.clarification";
const ask = (kinds: string[] | undefined, members: Record<string, Json> = {}) =>
  event(document, { accepted_response_kinds: kinds, ...members });
const quays = [
  { value: "town", label: "Town quay" },
  { value: "north", label: "North quay" },
];
const defaulted = (name: string, kinds: string[] | undefined, fallback: string, members = {}): ValidCase => ({
  name,
  at: "/default_response",
  says: "could be answered",
  data: ask(kinds, { default_response: fallback, ...members }),
});

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-CLAR-003",
    document,
    valid: [
      { name: "offered", at: "/choices", says: "is offered", data: ask(["multiple_choice"], { choices: quays }) },
      {
        name: "other-kinds",
        says: "accepts other answers and offers none",
        data: ask(["freetext", "yes_no", "numeric"]),
        edge: true,
      },
      { name: "no-kinds", says: "does not say what it accepts", data: ask(undefined), edge: true },
      {
        name: "with-a-default",
        at: "/choices",
        says: "is offered, and one of it is the default",
        data: ask(["multiple_choice"], { choices: quays, default_response: "north" }),
      },
      {
        name: "one-kind-of-several",
        at: "/choices",
        says: "is offered beside free text",
        data: ask(["freetext", "multiple_choice"], { choices: quays }),
      },
    ],
    invalid: [
      { name: "not-offered", at: "", says: "offers no choice", change: remove("/choices") },
      {
        name: "not-offered-beside-free-text",
        from: "one-kind-of-several",
        at: "",
        says: "offers no choice",
        change: remove("/choices"),
      },
      {
        name: "default-alone",
        from: "with-a-default",
        at: "",
        says: "offers no choice, and has one as its default",
        change: remove("/choices"),
      },
      {
        name: "kind-added",
        from: "other-kinds",
        at: "",
        says: "offers no choice",
        change: add("/accepted_response_kinds/-", "multiple_choice"),
      },
      {
        name: "options-instead",
        at: "",
        says: "has its choices in the context alone",
        change: [...remove("/choices"), ...add("/context", "Town quay or north quay?")],
      },
    ],
  },
  {
    rule: "AAEP-CLAR-004",
    document,
    valid: [
      defaulted("a-choice", ["multiple_choice"], "north", { choices: quays }),
      defaulted("a-number", ["numeric"], "10.4"),
      defaulted("a-yes", ["yes_no"], "yes"),
      defaulted("free-text-too", ["numeric", "freetext"], "about ten metres"),
      { ...defaulted("no-kinds", undefined, "Curlew"), edge: true },
      {
        name: "labels-alike",
        at: "/choices",
        says: "has two labels alike, and two values",
        data: ask(["multiple_choice"], { choices: [quays[0] as Json, { value: "Town", label: "Town quay" }] }),
        edge: true,
      },
    ],
    invalid: [
      {
        name: "value-twice",
        from: "a-choice",
        says: "is the value of two choices",
        change: add("/choices/0/value", "north"),
      },
      {
        name: "value-twice-at-the-end",
        from: "a-choice",
        at: "/choices/2/value",
        says: "is the value of two choices",
        change: add("/choices/-", { value: "town", label: "Town quay, inner side" }),
      },
      {
        name: "no-choice",
        from: "a-choice",
        says: "is none of the choices",
        change: add("/default_response", "south"),
      },
      {
        name: "label-instead",
        from: "a-choice",
        says: "is the label of a choice",
        change: add("/default_response", "North quay"),
      },
      {
        name: "choice-in-capitals",
        from: "a-choice",
        says: "is a choice in capitals",
        change: add("/default_response", "NORTH"),
        edge: true,
      },
      { name: "no-number", from: "a-number", says: "is no number", change: add("/default_response", "about ten") },
      { name: "empty-for-a-number", from: "a-number", says: "is empty", change: add("/default_response", "") },
      { name: "no-yes", from: "a-yes", says: "is neither yes nor no", change: add("/default_response", "perhaps") },
    ],
  },
];
