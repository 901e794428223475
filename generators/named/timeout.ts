import { type Change, type Json, pointer, type TimeoutMember } from "../../schemas/index.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { show } from "../faults/fault.ts";
import type { Candidate } from "./candidate.ts";
import { parentAt } from "./parents.ts";

/** An unusual value for a limit, with the fault, detail and description of its candidate. */
type TimeoutVariant = [fault: string, detail: string | undefined, value: Json, says: string, refusedOnly?: true];

/** Proposes unusual values for each member that limits time or use. */
export function* timeouts(subject: Subject, valid: readonly Draft[]): Generator<Candidate> {
  for (const member of subject.named?.timeouts ?? []) {
    const { at } = member;
    const parent = parentAt(subject, valid, at);
    if (parent === undefined) continue;
    const name = pointer.segments(at).join(".");
    const makeCandidate = (
      fault: string,
      detail: string | undefined,
      change: Change[],
      description: string,
    ): Candidate => ({
      family: "timeout",
      fault,
      parent,
      change,
      at,
      description,
      ...(detail === undefined ? {} : { detail }),
    });
    yield makeCandidate("timeout-absent", undefined, [{ op: "remove", path: at }], `${name} is absent`);
    for (const [fault, detail, value, says, refusedOnly] of variantsOf(member, pointer.at(at, parent.data) as Json))
      yield {
        ...makeCandidate(fault, detail, [{ op: "replace", path: at, value }], `${name} is ${show(value)}, ${says}`),
        ...(refusedOnly === undefined ? {} : { refusedOnly }),
      };
  }
}

function variantsOf({ unit }: TimeoutMember, value: Json): TimeoutVariant[] {
  const common: TimeoutVariant[] = [
    ["timeout-null", undefined, null, "which is not a limit"],
    ["timeout-as-text", "empty", "", "an empty text"],
    ["timeout-as-text", "never", "never", "a word"],
    ["timeout-wrong-type", "boolean", true, "not a number or a time"],
    ["timeout-wrong-type", "list", [value], "in a list"],
  ];
  if (typeof value === "number") return [...common, ...numberVariants(unit, value)];
  return typeof value === "string" ? [...common, ...timeVariants(value)] : common;
}

const secondMs = 1000;

function numberVariants(unit: TimeoutMember["unit"], value: number): TimeoutVariant[] {
  const isTime = unit === "seconds" || unit === "milliseconds" || unit === "unix-seconds";
  return [
    ["timeout-zero", undefined, 0, "which allows no time"],
    ["timeout-negative", undefined, -1, "one below zero"],
    ["timeout-negative", "far", -86_400, "far below zero"],
    ["timeout-fraction", undefined, Math.abs(value) + 0.5, "with a fraction"],
    ["timeout-as-text", "digits", String(value), "the number as a text"],
    ...(isTime ? unitVariants(unit, value) : []),
    ["timeout-overflow", "32-bit", 2 ** 31, "one more than the largest signed 32-bit integer"],
    ["timeout-overflow", "53-bit", 2 ** 53, "one more than the largest safe integer of a double", true],
    ["timeout-overflow", "64-bit", 2 ** 64, "more than the largest 64-bit integer", true],
    ["timeout-overflow", "double", 1e300, "a number of 300 digits", true],
  ];
}

function unitVariants(unit: TimeoutMember["unit"], value: number): TimeoutVariant[] {
  const isoText = unit === "unix-seconds" ? new Date(value * secondMs).toISOString() : `PT${value}S`;
  const [symbol, converted] = unit === "milliseconds" ? ["ms", value / secondMs] : ["s", value * secondMs];
  const says = unit === "milliseconds" ? "as seconds" : "as milliseconds";
  return [
    ["timeout-wrong-unit", unit === "milliseconds" ? "seconds" : "milliseconds", converted, says],
    ["timeout-as-text", "with-unit", `${value}${symbol}`, "with its unit"],
    ["timeout-as-text", "iso-8601", isoText, "in the form of ISO 8601"],
  ];
}

function timeVariants(value: string): TimeoutVariant[] {
  const instant = Date.parse(value);
  const seconds = Math.floor((Number.isNaN(instant) ? 0 : instant) / secondMs);
  const [date = "", time = ""] = value.split(/[Tt ]/);
  return [
    ["timeout-wrong-unit", "unix-seconds", seconds, "seconds since 1970"],
    ["timeout-wrong-unit", "unix-milliseconds", seconds * secondMs, "milliseconds since 1970"],
    ["timeout-wrong-unit", "duration", "PT1H", "a duration"],
    ["timeout-zero", undefined, 0, "the number 0"],
    ["timeout-as-text", "unix-seconds", String(seconds), "seconds since 1970 as a text"],
    ["timeout-as-text", "date-only", date, "a day without a time"],
    ["timeout-as-text", "time-only", time, "a time without a day"],
    ["timeout-as-text", "no-offset", `${date}T12:00:00`, "without an offset"],
    ["timeout-overflow", "year-10000", "10000-01-01T00:00:00Z", "a year of five digits", true],
    ["timeout-overflow", "thirteenth-month", "2199-13-01T00:00:00Z", "in a month that does not exist", true],
    ["timeout-overflow", "hour-24", "2199-01-01T24:00:00Z", "at an hour that does not exist", true],
    ["timeout-far", undefined, "9999-12-31T23:59:59Z", "the last second that can be written"],
  ];
}
