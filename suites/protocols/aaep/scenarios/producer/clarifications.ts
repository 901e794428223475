import {
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { drawFor } from "../../../../running/scenarios/draw.ts";
import type { Line } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { producerFacts } from "../subscribing/producer-facts.ts";
import { shownBy } from "./acting.ts";
import { askedOf, holdOf } from "./conduct.ts";
import { dueAtLast, grace, secondsOf } from "./expiry.ts";
import { lapse, waitUntilDone } from "./lapse.ts";
import { toProducer } from "./scenario.ts";
import {
  type AskedSession,
  answer,
  awaitEnd,
  awaitFence,
  beginAskedSession,
  clarification,
  confirmation,
  follow,
  mustBeAlive,
  nameOf,
} from "./story.ts";

/** A response that answers the question; skips if it asks for a choice and offers none. */
export function fittingAnswer({ question }: AskedSession): JsonObject[string] {
  const { accepted_response_kinds: kinds, choices } = question;
  const [choice] = Array.isArray(choices) ? (choices as JsonObject[]) : [];
  const asked = Array.isArray(kinds) && kinds.length > 0 ? kinds : ["freetext"];
  const kind = asked.find((each) => each !== "multiple_choice" || choice !== undefined);
  if (kind === undefined) throw new TargetSkip("a question asks for one of its choices, but lists none");
  if (kind === "multiple_choice") return choice?.value ?? "";
  return kind === "yes_no" ? true : kind === "numeric" ? 7 : "Friday";
}

/** Responses that do not answer the question: of other types, and outside of its list; some of them are random. */
function misfitAnswers({ question, context }: AskedSession): JsonObject[string][] {
  const { accepted_response_kinds: kinds, choices } = question;
  if (!Array.isArray(kinds) || kinds.length === 0) return [];
  const takesText = kinds.includes("freetext");
  const values = Array.isArray(choices) ? choices.map((choice) => (isObject(choice) ? choice.value : undefined)) : [];
  const [first] = values.filter((value) => typeof value === "string");
  const draw = drawFor(context);
  const labels = Array.isArray(choices) ? choices.map((choice) => (isObject(choice) ? choice.label : undefined)) : [];
  const near = values.flatMap((value) =>
    typeof value === "string"
      ? [value.toUpperCase(), `${value}${value}`, value.slice(1), ` ${value}`, `"${value}"`]
      : [],
  );
  // A label is shown to the user, but the answer is the value.
  const unlisted = [...new Set([...draw.some(labels, 1), ...draw.some(near, 1)])].filter(
    (each) => typeof each === "string" && each !== "" && !values.includes(each) && !isNumeric(each),
  );
  const isListed = !takesText && first !== undefined && kinds.includes("multiple_choice");
  return [
    ...(kinds.includes("numeric") ? [] : [67]),
    ...(kinds.includes("yes_no") ? [] : [true]),
    ...(takesText ? [] : kinds.includes("numeric") ? ["67"] : ["yes"].filter((each) => !values.includes(each))),
    ...(isListed ? [`${first} `, ...(unlisted as string[])] : []),
    ...(kinds.includes("numeric") ? [] : [draw.one([0, 1, -1.5, 1e6])]),
    ...(kinds.includes("yes_no") ? [] : [false]),
  ];
}

function isNumeric(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** Whether work has continued after the question. */
async function hasGoneOn(asked: AskedSession): Promise<boolean> {
  const isWork = (event: JsonObject): boolean => /^(?:tool\.invoked|output|session)\b/.test(nameOf(event));
  return (await follow(asked, isWork, asked.at + 1, 0)) !== undefined;
}

/** Answers a question properly. Returns the milliseconds after which work continued; undefined if it did not. */
async function answerQuestion(asked: AskedSession): Promise<number | undefined> {
  const { context, line } = asked;
  await answer(line, await clarification(asked, fittingAnswer(asked)));
  return waitUntilDone(context, producerFacts(context).actionSeconds * 1000, () => hasGoneOn(asked));
}

/** Answers an earlier question, to see how work continues. Skips if that is not visible. */
async function waitForContinuation(
  line: Line,
  context: ScenarioContext,
): Promise<{ earlier: AskedSession; wait: number }> {
  const earlier = await askedOf(line, context, "clarification");
  if (await hasGoneOn(earlier)) throw new TargetSkip("it does not wait for answers");
  const after = await answerQuestion(earlier);
  if (after !== undefined && (await awaitEnd(earlier)) !== undefined) return { earlier, wait: Math.max(50, 2 * after) };
  throw new TargetSkip("a fitting reply has no effect, so that it looks the same as a bad reply");
}

/** Sends replies that must not count, each followed by the usual time before work continues, and then a reply that counts. */
async function mustStayOpen(
  context: ScenarioContext,
  rule: string,
  { asked, wait }: { asked: AskedSession; wait: number },
  bad: readonly [what: string, reply: JsonObject][],
): Promise<boolean> {
  for (const [what, reply] of bad) {
    await asked.line.send(reply);
    await awaitFence(asked.line, context);
    await lapse(context, wait);
    const isSettled = await hasGoneOn(asked);
    context.expect(rule, !isSettled, `${what} settled the question`, shownBy(asked, reply));
    if (isSettled) return false;
  }
  await answer(asked.line, await clarification(asked, fittingAnswer(asked)));
  if ((await awaitEnd(asked)) !== undefined) return true;
  await mustBeAlive(context);
  context.skip(rule, "a fitting reply had no effect, so that others may have had none for the same reason");
  return false;
}

export const clarifications: readonly Scenario[] = [
  toProducer({
    name: "clarification-awaited",
    says: "work that depends on a clarification waits for it",
    rules: ["AAEP-CLAR-005"],
    waits: 6000,
    async play(context) {
      const line = await openLine(context);
      const asked = await beginAskedSession(line, context, "clarification");
      await awaitFence(line, context);
      const hold = holdOf(asked);
      const isOn = (await waitUntilDone(context, hold, () => hasGoneOn(asked))) !== undefined;
      if (isOn) {
        const why = "the work continued before the question was answered";
        return context.expect("AAEP-CLAR-005", false, why, shownBy(asked));
      }
      if ((await answerQuestion(asked)) === undefined)
        return context.skip(
          "AAEP-CLAR-005",
          "no work continues even after an answer, so that nothing shows whether it waited",
        );
      context.expect("AAEP-CLAR-005", true, "");
    },
  }),
  toProducer({
    name: "clarification-typed",
    says: "a response of the wrong type does not count, and the question stays open",
    rules: ["AAEP-CLAR-007"],
    async play(context) {
      const line = await openLine(context);
      const { wait } = await waitForContinuation(line, context);
      const asked = await askedOf(line, context, "clarification");
      const wrong = misfitAnswers(asked);
      if (wrong.length === 0) throw new TargetSkip("its questions accept a response of any type");
      const bad: [string, JsonObject][] = [];
      for (const each of wrong) bad.push([`the response ${JSON.stringify(each)}`, await clarification(asked, each)]);
      await mustStayOpen(context, "AAEP-CLAR-007", { asked, wait }, bad);
    },
  }),
  toProducer({
    name: "clarification-guarded",
    says: "clarifications are protected like confirmations",
    rules: ["AAEP-CLAR-008"],
    async play(context) {
      const line = await openLine(context);
      const { earlier, wait } = await waitForContinuation(line, context);
      const asked = await askedOf(line, context, "clarification");
      const good = fittingAnswer(asked);
      const made = `rpl_${context
        .fresh("made")
        .replaceAll(/[^A-Za-z0-9]/g, "")
        .slice(0, 60)}`;
      const late = Date.parse(String(asked.question.timestamp)) + (Number(asked.question.timeout_seconds) + 1) * 1000;
      await mustStayOpen(context, "AAEP-CLAR-008", { asked, wait }, [
        ["a reply with an unknown member", await clarification(asked, good, { urgent: true })],
        ["an invented token", await clarification(asked, good, { reply_token: made })],
        ["a used token", await clarification(earlier, good)],
        [
          "a reply stamped after the deadline",
          await clarification(asked, good, { timestamp: new Date(late).toISOString() }),
        ],
        ["a confirmation reply", await confirmation(asked, "accept")],
      ]);
    },
  }),
  toProducer({
    name: "clarification-expired",
    says: "after the timeout of a clarification, the producer continues without it",
    rules: ["AAEP-CLAR-009"],
    waits: 5500,
    async play(context) {
      const asked = await askedOf(await openLine(context), context, "clarification", { timeout_seconds: 3 });
      const seconds = await secondsOf(asked);
      const next = await dueAtLast(asked);
      context.expect(
        "AAEP-CLAR-009",
        next !== undefined,
        `it still waits ${seconds + grace(context, seconds) / 1000} s after a question for ${seconds} s`,
      );
    },
  }),
];
