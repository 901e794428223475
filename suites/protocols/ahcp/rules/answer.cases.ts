import type { Cases, InvalidCase, Json, JsonObject, ValidCase } from "../../../../schemas/index.ts";
import { asking, confirm, input, options, select, task } from "./messages.ts";
import { answered, by, cancelled, declined, expired, expiredTask, fallenBack, outcome, response } from "./responses.ts";

const at = "/response/response/value";

function change(name: string, says: string, path: string, value: Json, from?: string): InvalidCase {
  return { name, says, change: [{ op: "add", path, value }], ...(from === undefined ? {} : { from }) };
}

function valid(name: string, says: string, message: JsonObject, envelope: JsonObject, place = at): ValidCase {
  return { name, says, at: place, data: outcome(message, envelope) };
}

const withDefault = asking(select, { default_on_expire: "rye" });
const formDefault: Json = { flour: "rye", litres: 2 };
const inputDefault = asking(input, { default_on_expire: formDefault });

export const answerCases: Cases[] = [
  {
    rule: "AHCP-RSP-010",
    document: "outcome",
    valid: [
      valid("select", "is the value of an option", select, answered("wheat")),
      valid("confirm", "is deny, which the hub offered by itself", confirm, answered("deny")),
      valid("approve", "is approve, which the hub offered by itself", confirm, answered("approve")),
      valid(
        "own-options",
        "is one of its own two values",
        asking(confirm, { options: options("a", "b") }),
        answered("b"),
      ),
      valid("input", "fills in the form", input, answered({ flour: "rye", litres: 2 })),
      {
        ...valid(
          "empty-text",
          "is the empty value of an option",
          asking(select, { options: options("", "x") }),
          answered(""),
        ),
        edge: true,
      },
      { ...valid("only-required", "fills in what is required", input, answered({ flour: "" })), edge: true },
      valid("edited", "is the value of an option, and edited", select, answered("rye", { edited: true })),
      valid("edited-form", "fills in the form, and is edited", input, answered({ flour: "rye" }, { edited: true })),
    ],
    invalid: [
      change("stranger", "is the value of no option", at, "oat"),
      change("other-case", "differs in case from an option's value", at, "Wheat"),
      change("label", "is the label of an option", at, "Rye"),
      change("object-for-option", "is an object where an option is picked", at, { value: "rye" }),
      change("edited-object", "is an object where an option is picked, edited or not", at, { value: "rye" }, "edited"),
      change("not-confirmed", "is neither approve nor deny", at, "yes", "confirm"),
      change("approve-beside-own", "is none of the two values that are offered", at, "approve", "own-options"),
      change("text-for-form", "is a text where a form is filled in", at, "rye", "input"),
      change("required-missing", "lacks what the form requires", at, { litres: 2 }, "input"),
      change("wrong-type", "has a text for a number", at, { flour: "rye", litres: "2" }, "input"),
      { ...change("edited-stranger", "is the value of no option, but edited", at, "oat", "edited"), level: "SHOULD" },
      {
        ...change("edited-off-form", "does not satisfy the form, but is edited", at, { litres: 2 }, "edited-form"),
        level: "SHOULD",
      },
      change("said-not-edited", "is the value of no option, and not edited", at, "oat", "own-options"),
    ],
  },
  {
    rule: "AHCP-RSP-011",
    document: "outcome",
    valid: [
      valid("answered", "is the answer", select, answered("rye")),
      valid("declined", "has no value", select, declined, "/response/response"),
      valid("cancelled", "has no value", select, cancelled, "/response/response"),
      valid("fallen-back", "is the default", withDefault, fallenBack("rye")),
      {
        ...valid(
          "form-default",
          "is the default, member by member",
          inputDefault,
          fallenBack({ litres: 2, flour: "rye" }),
        ),
        edge: true,
      },
      valid("expired", "has no value, as there was no default", select, expired, "/response/response"),
      {
        ...valid(
          "null-default",
          "has no value, as the default is null",
          asking(select, { default_on_expire: null }),
          expired,
          "/response/response",
        ),
        edge: true,
      },
      valid("answered-in-time", "is an answer and not the default", withDefault, answered("wheat")),
    ],
    invalid: [
      {
        name: "no-answer",
        says: "has no value although the ask is answered",
        at: "/response/response",
        change: [{ op: "remove", path: at }],
      },
      {
        name: "default-not-given",
        from: "fallen-back",
        says: "lacks the default",
        at: "/response/response",
        change: [{ op: "remove", path: at }],
      },
      change("other-option", "is another option than the default", at, "wheat", "fallen-back"),
      change("default-in-part", "is a part of the default", at, { flour: "rye" }, "form-default"),
      change(
        "default-as-text",
        "has a text for the default's number",
        at,
        { flour: "rye", litres: "2" },
        "form-default",
      ),
      change("value-from-nowhere", "is a value, and there was no default", at, "rye", "expired"),
      change("value-for-null", "is a value, and the default is null", at, "rye", "null-default"),
      {
        ...change("declined-with-value", "is a value although the ask is declined", at, "rye", "declined"),
        level: "SHOULD",
      },
      {
        ...change("cancelled-with-value", "is a value although the ask is cancelled", at, "rye", "cancelled"),
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AHCP-RSP-011",
    document: "response",
    valid: [
      { name: "answered", says: "is answered with a value", data: answered("rye") },
      { name: "empty-answer", says: "is empty, and an answer", at: "/response/value", edge: true, data: answered("") },
    ],
    invalid: [
      { name: "no-answer", says: "has no value", at: "/response", change: [{ op: "remove", path: "/response/value" }] },
      {
        name: "declined-with-value",
        says: "is declined, with a value",
        at: "/response/value",
        change: [{ op: "replace", path: "/resolution", value: "declined" }],
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AHCP-RSP-012",
    document: "outcome",
    valid: [
      valid(
        "fallen-back",
        "has the default of the ask, says so, and names the actor",
        withDefault,
        fallenBack("rye"),
        "/response",
      ),
      {
        ...valid(
          "not-defaulted",
          "says expressly that no default was applied",
          withDefault,
          { ...answered("rye"), defaulted: false },
          "/response",
        ),
        edge: true,
      },
      {
        ...valid(
          "by-another-system",
          "is a system, which applied no default",
          select,
          expired,
          "/response/response/actor",
        ),
        edge: true,
      },
      {
        ...valid(
          "by-default-without",
          "is the system for defaults, and there was none",
          select,
          response("expired", by("system:default_on_expire")),
          "/response/response/actor",
        ),
        edge: true,
      },
      valid("task", "is a system, and no default was applied", task, expiredTask, "/response"),
      valid("answered", "is a person", select, answered("rye"), "/response/response/actor"),
    ],
    invalid: [
      change("denied", "is false although the default was applied", "/response/defaulted", false, "fallen-back"),
      {
        name: "unsaid",
        from: "fallen-back",
        says: "does not say that the default was applied",
        at: "/response",
        change: [{ op: "remove", path: "/response/defaulted" }],
      },
      change(
        "answered-by-default",
        "applies defaults, and the ask is answered",
        "/response/response/actor",
        "system:default_on_expire",
        "answered",
      ),
      change(
        "expired-by-person",
        "is a person, and the ask expired without a default",
        "/response/response/actor",
        "human:bea",
        "by-another-system",
      ),
      change(
        "task-expired-by-person",
        "is a person, and the task expired",
        "/response/response/actor",
        "human:bea",
        "task",
      ),
      {
        ...change(
          "expired-by-agent",
          "is an agent, and the ask expired",
          "/response/response/actor",
          "agent:oven-watch",
          "by-another-system",
        ),
        level: "SHOULD",
      },
      {
        ...change(
          "defaulted-without",
          "is true although there was no default",
          "/response/defaulted",
          true,
          "by-default-without",
        ),
        level: "SHOULD",
      },
      {
        name: "default-by-another",
        from: "fallen-back",
        says: "names another system than the one for defaults, and does not say that the default was applied",
        at: "/response",
        change: [
          { op: "replace", path: "/response/response/actor", value: "system:expiry" },
          { op: "remove", path: "/response/defaulted" },
        ],
      },
    ],
  },
  {
    rule: "AHCP-RSP-012",
    document: "response",
    valid: [
      { name: "fallen-back", says: "has a default, says so, and names the actor", data: fallenBack("rye") },
      { name: "expired", says: "expired without more", edge: true, data: response("expired") },
      { name: "answered", says: "is answered by a person", data: answered("rye") },
    ],
    invalid: [
      {
        name: "answered-by-default",
        from: "answered",
        says: "applies defaults, and the ask is answered",
        change: [{ op: "replace", path: "/response/actor", value: "system:default_on_expire" }],
      },
      {
        name: "defaulted-without-response",
        from: "expired",
        says: "is true without a response that holds the default",
        change: [{ op: "add", path: "/defaulted", value: true }],
      },
      {
        name: "expired-by-person",
        from: "expired",
        says: "is a person, and nobody resolves what expired",
        at: "/response/actor",
        change: [{ op: "add", path: "/response", value: by() }],
      },
    ],
  },
];
