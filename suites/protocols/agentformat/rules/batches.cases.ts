import { add, set } from "../../../../generators/index.ts";
import type { Cases } from "../../../../schemas/index.ts";
import { batch, sequential } from "./documents.ts";

const at = "/execution_policy/config/input_mapping";

export const batchCases: readonly Cases[] = [
  {
    rule: "AGF-BATCH-002",
    document: "agent",
    valid: [
      { name: "one", says: "has one path that goes through a list", data: batch(), at },
      {
        name: "items",
        says: "takes the items themselves",
        data: batch({ input_mapping: { stop: "parent.input.stops.[]" } }),
        at,
      },
      {
        name: "last-of-two",
        says: "goes through a list in its last value",
        data: batch({ input_mapping: { a: "parent.input.city", b: "parent.input.stops.[].name" } }),
        at,
        edge: true,
      },
      { name: "no-batch", says: "goes through no list and is no batch", data: sequential(), at: "/execution_policy" },
    ],
    invalid: [
      {
        name: "whole-list",
        says: "hands on the list as a whole",
        change: set(`${at}/stop`, "parent.input.stops"),
        edge: true,
      },
      { name: "empty", says: "is empty", change: set(at, {}) },
      {
        name: "fields-only",
        from: "last-of-two",
        says: "leads to fields alone",
        change: set(`${at}/b`, "parent.input.days"),
      },
    ],
  },
  {
    rule: "AGF-BATCH-004",
    document: "agent",
    valid: [
      {
        name: "same-list",
        says: "go through one list",
        data: batch({ input_mapping: { a: "parent.input.stops.[].name", b: "parent.input.stops.[].days" } }),
        at,
      },
      {
        name: "inner-lists",
        says: "go through one list, and then through two lists of its items",
        data: batch({
          input_mapping: { a: "parent.input.stops.[].sights.[].name", b: "parent.input.stops.[].meals.[]" },
        }),
        at,
        edge: true,
      },
      {
        name: "list-and-field",
        says: "go through one list, and read a field besides",
        data: batch({ input_mapping: { a: "parent.input.city", b: "parent.input.stops.[]", c: "parent.input.days" } }),
        at,
      },
    ],
    invalid: [
      { name: "other-list", says: "goes through another list", change: set(`${at}/b`, "parent.input.days.[].name") },
      {
        name: "list-below",
        says: "goes through a list with the same beginning",
        change: set(`${at}/b`, "parent.input.stops.more.[]"),
        edge: true,
      },
      {
        name: "third",
        from: "list-and-field",
        says: "goes through another list",
        change: add(`${at}/d`, "parent.input.city.[]"),
      },
    ],
  },
];
