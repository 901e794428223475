import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";

const merged = (combined: JsonObject, ...sources: JsonObject[]): JsonObject => ({ sources, combined });
const list = (name: string, items: string[]): JsonObject => ({ [name]: items });
const unions = ["denied_tools", "approvals", "guardrails", "data_handling", "audit"];
const strict = (value: number): JsonObject => ({
  budget: { max_token_usage: value, max_duration_seconds: value },
  limits: { max_llm_calls: value, max_tool_calls: value, max_delegation_depth: value },
});

export const mergerCases: readonly Cases[] = [
  {
    rule: "AGF-GOV-004",
    document: "merger",
    valid: [
      {
        name: "allowed",
        says: "has the tool that both sides allow",
        data: merged(
          list("allowed_tools", ["y"]),
          list("allowed_tools", ["x", "y"]),
          list("allowed_tools", ["y", "z"]),
        ),
        at: "/combined/allowed_tools",
      },
      {
        name: "allowed-and-denied",
        says: "has no tool left, as the only common one is denied",
        data: merged(
          { allowed_tools: [], denied_tools: ["y"] },
          list("allowed_tools", ["x", "y"]),
          list("allowed_tools", ["y", "z"]),
          list("denied_tools", ["y"]),
        ),
        at: "/combined/allowed_tools",
        edge: true,
      },
      {
        name: "one-list",
        says: "has the tools of the one source that lists any",
        data: merged(
          { ...list("allowed_tools", ["b", "a"]), ...list("guardrails", ["no-medical"]) },
          list("allowed_tools", ["a", "b"]),
          list("guardrails", ["no-medical"]),
        ),
        at: "/combined/allowed_tools",
        edge: true,
      },
      {
        name: "unions",
        says: "has what any source adds, once",
        data: merged(
          Object.fromEntries(unions.map((name) => [name, ["p", "q", "r"]])),
          Object.fromEntries(unions.map((name) => [name, ["p", "q"]])),
          Object.fromEntries(unions.map((name) => [name, ["q", "r"]])),
        ),
        at: "/combined",
      },
      {
        name: "bounds",
        says: "has the smallest of each bound",
        data: merged(strict(3), strict(5), strict(3), strict(4)),
        at: "/combined",
      },
      {
        name: "nothing",
        says: "is empty, as no source says anything",
        data: merged({}, {}, {}),
        at: "/combined",
        edge: true,
      },
    ],
    invalid: [
      {
        name: "allowed-by-any",
        says: "has what one side alone allows",
        change: set("/combined/allowed_tools", ["x", "y", "z"]),
      },
      {
        name: "allowed-by-the-last",
        says: "has what the last source allows",
        change: set("/combined/allowed_tools", ["y", "z"]),
      },
      {
        name: "allowed-by-the-first",
        says: "has what the first source allows",
        change: set("/combined/allowed_tools", ["x", "y"]),
      },
      {
        name: "none-left",
        says: "has lost the tool that both allow",
        change: set("/combined/allowed_tools", []),
        edge: true,
      },
      {
        name: "no-list",
        says: "has no list, which allows everything",
        change: remove("/combined/allowed_tools"),
        at: "/combined",
      },
      {
        name: "denied-still-allowed",
        from: "allowed-and-denied",
        says: "has a tool that is denied",
        change: set("/combined/allowed_tools", ["y"]),
        edge: true,
      },
      {
        name: "list-of-nobody",
        from: "nothing",
        says: "allows nothing, though nobody lists what is allowed",
        change: add("/combined/allowed_tools", []),
      },
      ...unions.flatMap((name) => [
        {
          name: `${name.replaceAll("_", "-")}-in-common`,
          from: "unions",
          says: "has only what both sources have",
          change: set(`/combined/${name}`, ["q"]),
        },
      ]),
      {
        name: "denied-by-one-dropped",
        from: "unions",
        says: "has lost what the last source denies",
        change: set("/combined/denied_tools", ["p", "q"]),
      },
      {
        name: "approvals-absent",
        from: "unions",
        says: "has no approvals left",
        change: remove("/combined/approvals"),
        at: "/combined",
      },
      {
        name: "approval-of-nobody",
        from: "unions",
        says: "asks for what no source asks",
        change: add("/combined/approvals/-", "s"),
        at: "/combined/approvals",
      },
      ...[
        "budget/max_token_usage",
        "budget/max_duration_seconds",
        "limits/max_llm_calls",
        "limits/max_tool_calls",
        "limits/max_delegation_depth",
      ].map((limit) => ({
        name: limit.replace(/^.*max_/, "").replaceAll("_", "-"),
        from: "bounds",
        says: "is the last of the sources, not the smallest",
        change: set(`/combined/${limit}`, 4),
      })),
    ],
  },
];
