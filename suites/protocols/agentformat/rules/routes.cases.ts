import { add, set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { conditional } from "./documents.ts";

const routes = "/execution_policy/config/routes";
const always: JsonObject = { args_match: {} };
const routed = (...when: (JsonObject | JsonObject[])[]): JsonObject =>
  conditional({
    routes: when.map((each, index) => ({ when: each, agent: ["writer", "finder", "spare"][index] as string })),
  });
const rome = { args_match: { "parent.input.city": "Rome" } };

const inputOnly: Cases = {
  rule: "AGF-COND-004",
  document: "agent",
  valid: [
    { name: "input", says: "look at the input", data: conditional(), at: routes },
    {
      name: "deep",
      says: "looks deep into the input",
      data: routed({ args_match: { "parent.input.city.output.input": 1 } }),
      at: `${routes}/0/when`,
      edge: true,
    },
    { name: "no-test", says: "looks at nothing", data: routed(always), at: `${routes}/0/when` },
  ],
  invalid: [
    {
      name: "agent",
      says: "looks at what an agent put out",
      change: add(`${routes}/0/when/args_match/finder.output.kind`, "inn"),
    },
    {
      name: "own-output",
      says: "looks at what the document's own agent puts out",
      change: add(`${routes}/0/when/args_match/parent.output.days`, 3),
      edge: true,
    },
    {
      name: "letter-case",
      says: "looks at an agent named Parent",
      change: add(`${routes}/1/when/0/args_match/Parent.input.city`, "Rome"),
    },
    {
      name: "last-group",
      says: "looks at the input of an agent, in its last group",
      change: add(`${routes}/1/when/-`, { args_match: { "writer.input.city": "Rome" } }),
      at: `${routes}/1/when/1/args_match/writer.input.city`,
    },
  ],
};

const reachable: Cases = {
  rule: "AGF-COND-005",
  document: "agent",
  valid: [
    {
      name: "always-last",
      says: "always holds, and is the last",
      data: routed(rome, always),
      at: `${routes}/1/when`,
      edge: true,
    },
    { name: "always-alone", says: "always holds, and is the only one", data: routed(always), at: `${routes}/0/when` },
    {
      name: "never-always",
      says: "has conditions for every route",
      data: routed(rome, [rome, rome], rome),
      at: routes,
    },
  ],
  invalid: [
    {
      name: "first",
      from: "never-always",
      says: "always holds, ahead of two others",
      change: set(`${routes}/0/when`, always),
    },
    {
      name: "last-but-one",
      from: "never-always",
      says: "always holds, ahead of one other",
      change: set(`${routes}/1/when`, always),
      edge: true,
    },
    {
      name: "one-group",
      from: "never-always",
      says: "always holds by one of its groups",
      change: set(`${routes}/1/when/1/args_match`, {}),
      at: `${routes}/1/when`,
    },
  ],
};

export const routeCases: readonly Cases[] = [inputOnly, reachable];
