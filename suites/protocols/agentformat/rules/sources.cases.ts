import { add, set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { batch, call, conditional, loop, parallel, sequential } from "./documents.ts";

const config = "/execution_policy/config";
const place = `${config}/steps/0/input_mapping/place`;
/** Whoever looks for the alias does so among the declared ones. */
const involves = ["/action_space/local_agents"];
const untyped = (base: JsonObject): JsonObject => ({ ...base, interface: { input: { type: "object" }, output: {} } });
const twice = sequential({
  steps: [call("finder", { place: "parent.input.city" }), call("writer", {}), call("finder", {}), call("critic", {})],
});

const sources: Cases = {
  rule: "AGF-PATH-002",
  document: "agent",
  valid: [
    { name: "earlier-step", says: "starts from the step before", data: sequential(), at: `${config}/steps/1` },
    {
      name: "much-earlier",
      says: "starts from the first of four steps",
      data: sequential({
        steps: [call("finder", {}), call("spare", {}), call("critic", {}), call("writer", { a: "finder.output.a" })],
      }),
      at: `${config}/steps/3`,
      edge: true,
    },
    { name: "loop", says: "starts from a step of the round, as does the exit condition", data: loop(), at: config },
    { name: "parallel", says: "start from the input", data: parallel(), at: `${config}/agents` },
    { name: "batch", says: "start from the input", data: batch(), at: `${config}/input_mapping` },
    { name: "conditional", says: "start from the input", data: conditional(), at: `${config}/routes` },
    {
      name: "twice-unread",
      says: "has one agent in two steps, and nothing starts from it",
      data: twice,
      at: `${config}/steps`,
    },
  ],
  invalid: [
    { name: "later-step", says: "starts from the step after it", change: set(place, "writer.output.x") },
    { name: "own-step", says: "starts from its own step", change: set(place, "finder.output.x"), edge: true },
    {
      name: "no-step",
      says: "starts from an agent that is declared and no step",
      change: set(place, "spare.output.x"),
    },
    {
      name: "undeclared",
      says: "starts from an agent that there is not",
      involves,
      change: set(`${config}/steps/1/input_mapping/places`, "nobody.output.x"),
    },
    {
      name: "letter-case",
      says: "starts from the step before but for its case",
      involves,
      change: set(`${config}/steps/1/input_mapping/places`, "Finder.output.places"),
    },
    {
      name: "begins-like-parent",
      says: "starts from parents, which is no step",
      involves,
      change: set(place, "parents.output.city"),
      edge: true,
    },
    {
      name: "parent-in-capitals",
      says: "starts from Parent, which is no step",
      involves,
      change: set(place, "Parent.input.city"),
    },
    {
      name: "loop-stranger",
      from: "loop",
      says: "starts from an agent outside of the loop",
      change: set(`${config}/steps/1/input_mapping/text`, "spare.output.text"),
    },
    {
      name: "exit-stranger",
      from: "loop",
      says: "looks at an agent outside of the loop",
      change: add(`${config}/exit_condition/args_match/spare.output.done`, true),
    },
    {
      name: "parallel-neighbour",
      from: "parallel",
      says: "starts from an agent that runs at the same time",
      change: set(`${config}/agents/1/input_mapping/days`, "finder.output.days"),
    },
    {
      name: "batch-agent",
      from: "batch",
      says: "starts from the agent of the batch",
      change: set(`${config}/input_mapping/place`, "writer.output.place"),
    },
    {
      name: "batch-items-of-agent",
      from: "batch",
      says: "goes through what the agent of the batch puts out",
      change: set(`${config}/input_mapping/stop`, "writer.output.stops.[].name"),
    },
    {
      name: "route-agent",
      from: "conditional",
      says: "starts from the agent of another route",
      change: set(`${config}/routes/0/input_mapping/place`, "finder.output.place"),
    },
    {
      name: "loop-later",
      from: "loop",
      says: "starts from a later step, which the first round has not seen",
      change: add(`${config}/steps/0/input_mapping/hint`, "critic.output.hint"),
      level: "SHOULD",
    },
    {
      name: "loop-own",
      from: "loop",
      says: "starts from its own step, which the first round has not seen",
      change: add(`${config}/steps/1/input_mapping/before`, "critic.output.score"),
      level: "SHOULD",
    },
    {
      name: "twice",
      from: "twice-unread",
      says: "starts from an agent that two earlier steps call",
      change: add(`${config}/steps/3/input_mapping/places`, "finder.output.places"),
      level: "SHOULD",
    },
  ],
};

const direction: Cases = {
  rule: "AGF-PATH-003",
  document: "agent",
  valid: [
    {
      name: "usual",
      says: "goes by the input of the parent and the output of a step",
      data: sequential(),
      at: `${config}/steps`,
    },
    {
      name: "field-named-output",
      says: "has a field named output in the input",
      data: untyped(sequential({ steps: [call("finder", { place: "parent.input.output" })] })),
      at: place,
      edge: true,
    },
    { name: "loop", says: "looks at the output of a step", data: loop(), at: `${config}/exit_condition` },
  ],
  invalid: [
    { name: "mapping", says: "is of the parent's output", change: set(place, "parent.output.city") },
    {
      name: "later-step",
      says: "is of the parent's output",
      change: set(`${config}/steps/1/input_mapping/days`, "parent.output.days"),
      edge: true,
    },
    {
      name: "exit",
      from: "loop",
      says: "looks at the parent's output",
      change: add(`${config}/exit_condition/args_match/parent.output.done`, true),
    },
  ],
  disputed: [
    {
      name: "input-of-a-step",
      says: "is of the input of an earlier step",
      change: set(`${config}/steps/1/input_mapping/places`, "finder.input.place"),
      readings: [
        { verdict: "valid", by: ["grammar of paths"], why: "any source may be followed by either direction" },
        { verdict: "invalid", by: ["description"], why: "steps are read by what they put out" },
      ],
    },
  ],
};

const items: Cases = {
  rule: "AGF-PATH-004",
  document: "agent",
  valid: [
    { name: "batch", says: "goes through a list, in a batch", data: batch(), at: `${config}/input_mapping/stop` },
    {
      name: "whole-list",
      says: "hands on a list as a whole",
      data: sequential({ steps: [call("finder", { all: "parent.input.stops" })] }),
      at: config,
      edge: true,
    },
    { name: "steps", says: "go through no list", data: sequential(), at: config },
    { name: "loop", says: "goes through no list", data: loop(), at: config },
    { name: "routes", says: "go through no list", data: conditional(), at: config },
  ],
  invalid: [
    { name: "step", from: "steps", says: "goes through a list", change: set(place, "parent.input.stops.[].name") },
    {
      name: "output",
      from: "steps",
      says: "goes through the list that a step gave",
      change: set(`${config}/steps/1/input_mapping/places`, "finder.output.places.[]"),
      edge: true,
    },
    {
      name: "exit",
      from: "loop",
      says: "looks at each item of a list",
      change: add(`${config}/exit_condition/args_match/critic.output.notes.[].done`, true),
    },
    {
      name: "route",
      from: "routes",
      says: "looks at each item of a list",
      change: add(`${config}/routes/0/when/args_match/parent.input.stops.[].name`, "Rome"),
    },
  ],
};

const declared: Cases = {
  rule: "AGF-PATH-006",
  document: "agent",
  valid: [
    { name: "declared", says: "leads to a property of the input", data: sequential(), at: place },
    {
      name: "unlisted",
      says: "leads to some field of an input that lists none",
      data: untyped(sequential()),
      at: place,
      edge: true,
    },
    {
      name: "below",
      says: "leads on below a property, which declares nothing",
      data: sequential({ steps: [call("finder", { place: "parent.input.city.centre" })] }),
      at: place,
    },
    { name: "routes", says: "look at properties of the input", data: conditional(), at: `${config}/routes` },
    { name: "batch", says: "lead to properties of the input", data: batch(), at: config },
    { name: "loop", says: "leads to a property of the input", data: loop(), at: config },
  ],
  invalid: [
    { name: "slip", says: "has two letters of the name swapped", change: set(place, "parent.input.ctiy") },
    { name: "letter-case", says: "has the name in another case", change: set(place, "parent.input.City"), edge: true },
    {
      name: "inherited",
      says: "is no property of the input, only of every object of JavaScript",
      change: set(place, "parent.input.constructor"),
    },
    {
      name: "route",
      from: "routes",
      says: "looks at what is no property of the input",
      change: add(`${config}/routes/1/when/0/args_match/parent.input.country`, "IT"),
    },
    {
      name: "slip-in-batch",
      from: "batch",
      says: "goes through what is no property of the input",
      change: set(`${config}/input_mapping/stop`, "parent.input.stop.[].name"),
    },
    {
      name: "exit",
      from: "loop",
      says: "looks at what is no property of the input",
      change: add(`${config}/exit_condition/args_match/parent.input.enough`, true),
    },
  ],
};

export const sourceCases: readonly Cases[] = [sources, direction, items, declared];
