import {
  equal,
  type HttpReply,
  type Json,
  type JsonObject,
  type Level,
  type Scenario,
} from "../../../../schemas/index.ts";
import { conflict } from "./conflicts.ts";
import { ask, fromAgent, input } from "./messages.ts";
import { idOf, inShort, isTaken, outcomeOf, post, readStored, resolve } from "./steps.ts";

/** A choice with an empty text as one option. */
const emptyChoice: JsonObject = {
  options: [
    { value: "", label: "None" },
    { value: "b", label: "B" },
  ],
};
/** A form that need not be filled in. */
const emptyForm: JsonObject = {
  ...input,
  schema: { type: "object", properties: { note: { type: "string" } } },
};
/** Texts that some languages treat as false or as numbers, or that are shorter when read as a line. */
export const oddTexts: readonly string[] = ["0", "007", "1.0", "null", "false", "x\n"];
const oddChoice: JsonObject = { options: oddTexts.map((value, index) => ({ value, label: `No. ${index}` })) };
const mixedForm: JsonObject = {
  ...input,
  schema: {
    type: "object",
    properties: { note: { type: "string" }, count: { type: "number" }, sure: { type: "boolean" } },
    required: ["note", "count", "sure"],
  },
};

/** Answers that weakly typed languages confuse with others, each with an ask that accepts it, and the certainty that a resolver means all of it. */
export const oddAnswers: [value: Json, block: JsonObject, level?: Level][] = [
  ["", emptyChoice],
  [{}, emptyForm],
  ...oddTexts.map((value): [Json, JsonObject] => [value, oddChoice]),
  [{ note: "0", count: 0, sure: false }, mixedForm],
  [{ note: "1.0", count: 3, sure: true }, mixedForm],
  [{ note: "x", count: 1.5, sure: true }, mixedForm],
  [{ note: " x ", count: 1, sure: true }, mixedForm, "SHOULD"],
];

/** Values that are empty, but values nevertheless. */
export const hollowScenarios: readonly Scenario[] = [
  {
    name: "hollow-answers",
    says: "an answer that is empty, false or looks like a number is kept unchanged",
    rules: ["AHCP-RSP-011", "AHCP-RSP-010"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      for (const [value, block, level] of oddAnswers) {
        const what = JSON.stringify(value);
        const reply = await post(context, ask(context, {}, block));
        const id = idOf(reply);
        const { applied } =
          isTaken(reply) && id !== undefined
            ? await resolve(context, id, { resolution: "answered", value })
            : { applied: false };
        const shown = applied && id !== undefined ? await readStored(context, id) : {};
        if (shown.status !== "answered") {
          for (const rule of ["AHCP-RSP-011", "AHCP-RSP-010"])
            context.skip(rule, `an ask cannot be answered with ${what}`);
          continue;
        }
        const { value: kept = null } = outcomeOf(shown).inner;
        context.expect("AHCP-RSP-011", kept !== null, `an ask is answered with ${what}, but read without a value`);
        const why = `an ask is answered with ${what}, but read with ${JSON.stringify(kept)}`;
        context.expect("AHCP-RSP-010", kept === null || equal(kept, value), why, level);
      }
    },
  },
  {
    name: "hollow-key",
    says: "an empty key is refused, or treated like any other",
    rules: ["AHCP-IDM-001"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const { a, b } = context.agents;
      const takeMessage = async (as: "a" | "b", agent: string): Promise<[first: HttpReply, again: HttpReply]> => {
        // The same in every run: a hub may remember it from an earlier one.
        const constant = { created_at: "2026-01-15T09:30:00Z", title: "hollow-key", idempotency_key: "" };
        const message = fromAgent(
          agent,
          ask(context, { ...constant, agent: { run_id: "hollow-key", runtime: "other" } }),
        );
        return [await post(context, message, as), await post(context, message, as)];
      };
      let [first, again] = await takeMessage("a", a);
      // The vectors of a run are sent as the first agent, and some of them have the empty key.
      if (conflict(first) && b !== undefined) [first, again] = await takeMessage("b", b);
      if (conflict(first))
        return context.skip("AHCP-IDM-001", "the empty key was used before, by a vector or in an earlier run");
      if (!isTaken(first) || !isTaken(again))
        return context.skip(
          "AHCP-IDM-001",
          `an empty key is not accepted twice: ${inShort(isTaken(first) ? again : first)}`,
        );
      const [id, other] = [idOf(first), idOf(again)];
      const why = `under an empty key one message is accepted as two: ${id} and ${other}`;
      context.expect("AHCP-IDM-001", id === other, why);
    },
  },
];
