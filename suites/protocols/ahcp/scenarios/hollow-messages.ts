import {
  equal,
  type HttpReply,
  type Json,
  type JsonObject,
  type Level,
  type Scenario,
} from "../../../../schemas/index.ts";
import { isKeyConflict } from "./conflicts.ts";
import { ask, fromAgent, input } from "./messages.ts";
import { idOf, inShort, isAccepted, outcomeOf, post, readStored, resolve } from "./steps.ts";

/** A select with an empty string as one option. */
const emptyChoice: JsonObject = {
  options: [
    { value: "", label: "None" },
    { value: "b", label: "B" },
  ],
};
/** A form that accepts an empty object. */
const emptyForm: JsonObject = {
  ...input,
  schema: { type: "object", properties: { note: { type: "string" } } },
};
/** Strings that some languages treat as false or as numbers, or that end with a line feed that they drop. */
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

/**
 * Answers that weakly typed languages confuse with others, each with an ask that accepts it. The level is lower if a hub may trim
 * the answer intentionally.
 */
export const oddAnswers: [value: Json, block: JsonObject, level?: Level][] = [
  ["", emptyChoice],
  [{}, emptyForm],
  ...oddTexts.map((value): [Json, JsonObject] => [value, oddChoice]),
  [{ note: "0", count: 0, sure: false }, mixedForm],
  [{ note: "1.0", count: 3, sure: true }, mixedForm],
  [{ note: "x", count: 1.5, sure: true }, mixedForm],
  [{ note: " x ", count: 1, sure: true }, mixedForm, "SHOULD"],
];

/** Scenarios about empty values and the empty key. */
export const hollowScenarios: readonly Scenario[] = [
  {
    name: "hollow-answers",
    says: "an answer that is empty, false or looks like a number is stored unchanged",
    rules: ["AHCP-RSP-011", "AHCP-RSP-010"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      for (const [value, block, level] of oddAnswers) {
        const answerText = JSON.stringify(value);
        const reply = await post(context, ask(context, {}, block));
        const id = idOf(reply);
        const { applied } =
          isAccepted(reply) && id !== undefined
            ? await resolve(context, id, { resolution: "answered", value })
            : { applied: false };
        const stored = applied && id !== undefined ? await readStored(context, id) : {};
        if (stored.status !== "answered") {
          for (const rule of ["AHCP-RSP-011", "AHCP-RSP-010"])
            context.skip(rule, `an ask cannot be answered with ${answerText}`);
          continue;
        }
        const { value: storedValue = null } = outcomeOf(stored).inner;
        context.expect(
          "AHCP-RSP-011",
          storedValue !== null,
          `an ask is answered with ${answerText}, but read without a value`,
        );
        const why = `an ask is answered with ${answerText}, but read with ${JSON.stringify(storedValue)}`;
        context.expect("AHCP-RSP-010", storedValue === null || equal(storedValue, value), why, level);
      }
    },
  },
  {
    name: "hollow-key",
    says: "an empty key is refused or treated like any other key",
    rules: ["AHCP-IDM-001"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const { a, b } = context.agents;
      const postTwice = async (as: "a" | "b", agent: string): Promise<[first: HttpReply, repetition: HttpReply]> => {
        // The message is the same in every run, because a hub may remember the key from an earlier run.
        const constant = { created_at: "2026-01-15T09:30:00Z", title: "hollow-key", idempotency_key: "" };
        const message = fromAgent(
          agent,
          ask(context, { ...constant, agent: { run_id: "hollow-key", runtime: "other" } }),
        );
        return [await post(context, message, as), await post(context, message, as)];
      };
      let [first, repetition] = await postTwice("a", a);
      // If a vector has used the empty key as the first agent, try the second one.
      if (isKeyConflict(first) && b !== undefined) [first, repetition] = await postTwice("b", b);
      if (isKeyConflict(first))
        return context.skip("AHCP-IDM-001", "the empty key was used before, by a vector or in an earlier run");
      if (!isAccepted(first) || !isAccepted(repetition))
        return context.skip(
          "AHCP-IDM-001",
          `an empty key is not accepted twice: ${inShort(isAccepted(first) ? repetition : first)}`,
        );
      const [id, secondId] = [idOf(first), idOf(repetition)];
      const why = `the same message with an empty key is accepted twice: ${id} and ${secondId}`;
      context.expect("AHCP-IDM-001", id === secondId, why);
    },
  },
];
