import { add } from "../../../../generators/index.ts";
import type { Cases, Json, JsonObject } from "../../../../schemas/index.ts";
import { coreContext } from "./event.ts";
import { event, tidewatch } from "./messages.ts";

/** Objects one in the other. */
function nested(levels: number): JsonObject {
  return levels === 1 ? {} : { below: nested(levels - 1) };
}

/** The event with its summary in further languages, so that it has so many members with those of its extensions. */
function filled(base: JsonObject, members: number): JsonObject {
  const room = members - Object.keys(base).length - Object.keys(base.extensions ?? {}).length;
  const copies = Array.from({ length: room }, (_, index): [string, Json] => [
    `summary_normal_q${String.fromCharCode(97 + index)}`,
    "Moving on.",
  ]);
  return { ...base, ...Object.fromEntries(copies) };
}

const question = (context: JsonObject) => event("agent.awaiting.confirmation", { extra_context: context });
const gauges = Object.fromEntries(Array.from({ length: 9 }, (_, index): [string, Json] => [`gauge${index}`, {}]));
const state = event("agent.state.changed");
const parted = event("agent.state.changed", { "@context": [coreContext, tidewatch], extensions: gauges });

/** An event that takes so many bytes. */
function sized(bytes: number): string {
  const long = ["fr", "pt", "cy"].map((language): [string, Json] => [`output_summary_${language}`, "a".repeat(16_000)]);
  const rest = event("agent.session.completed", { ...Object.fromEntries(long), output_summary: "a".repeat(16_000) });
  const text = JSON.stringify({ ...rest, output_summary_de: "" });
  return text.replace(/"}$/, `${"a".repeat(bytes - text.length)}"}`);
}

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-ENV-036",
    document: "agent.output.streaming",
    valid: [
      {
        name: "string-in-full",
        at: "/chunk",
        says: "has 16 KiB in two-byte characters",
        data: event("agent.output.streaming", { chunk: "é".repeat(8192) }),
        edge: true,
      },
    ],
    invalid: [
      {
        name: "string-over",
        says: "has one byte more than 16 KiB, though few enough characters for the schema",
        change: add("/chunk", `${"é".repeat(8192)}a`),
        edge: true,
      },
      {
        name: "string-over-in-emoji",
        says: "has more than 16 KiB in four-byte characters",
        change: add("/chunk", "\u{1F30A}".repeat(4097)),
        edge: true,
      },
    ],
  },
  {
    rule: "AAEP-ENV-036",
    document: "agent.awaiting.confirmation",
    valid: [
      {
        name: "eight-levels",
        at: "/extra_context",
        says: "ends on the eighth level",
        data: question(nested(7)),
        edge: true,
      },
    ],
    invalid: [
      { name: "ten-levels", says: "goes on to the tenth level", change: add("/extra_context", nested(9)) },
      {
        name: "ten-levels-of-lists",
        says: "goes on to the tenth level",
        change: add("/extra_context", { berths: [[[[[[[[]]]]]]]] }),
      },
    ],
    disputed: [
      {
        name: "nine-levels",
        says: "ends on the ninth level, or on the eighth if counted from nought",
        change: add("/extra_context", nested(8)),
        readings: [
          { verdict: "valid", by: ["specification 3.7"], why: "what is counted as the first level is not said" },
          { verdict: "invalid", by: ["position"], why: "the event itself is the first" },
        ],
      },
    ],
  },
  {
    rule: "AAEP-ENV-036",
    document: "agent.state.changed",
    valid: [
      {
        name: "members-in-full",
        says: "has 32 members",
        data: filled(state, 32),
        edge: true,
      },
      {
        name: "members-in-full-with-extensions",
        says: "has 32 members, with those of its extensions",
        data: filled(parted, 32),
        edge: true,
      },
    ],
    invalid: [
      { name: "one-member-over", at: "", says: "has 33 members", change: add("/summary_terse_qa", "On."), edge: true },
      {
        name: "two-members-over-with-extensions",
        from: "members-in-full-with-extensions",
        at: "",
        says: "has 34 members, with those of its extensions",
        change: [...add("/extensions/gauge10", {}), ...add("/extensions/gauge11", {})],
      },
    ],
  },
  {
    rule: "AAEP-ENV-036",
    document: "agent.session.completed",
    valid: [{ name: "event-in-full", says: "has 64 KiB", text: sized(65_536), edge: true }],
    invalid: [{ name: "event-over", says: "has one byte more than 64 KiB", text: sized(65_537), edge: true }],
  },
];
