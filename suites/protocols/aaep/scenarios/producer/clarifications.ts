import { type JsonObject, type Scenario, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import { open } from "../subscribing/open.ts";
import { toProducer } from "./scenario.ts";
import {
  type Asked,
  answer,
  askedOf,
  clarification,
  confirmation,
  endOf,
  fence,
  follow,
  goesOn,
  mustBeAlive,
  nameOf,
  shownBy,
  untilDue,
  whatIsAsked,
} from "./story.ts";

/** A response that the question asks for. */
export function fitting({ question }: Asked): JsonObject[string] {
  const { accepted_response_kinds: kinds, choices } = question;
  const [kind] = Array.isArray(kinds) ? kinds : ["freetext"];
  const [choice] = Array.isArray(choices) ? (choices as JsonObject[]) : [];
  if (kind === "multiple_choice" && choice !== undefined) return choice.value ?? "";
  return kind === "yes_no" ? true : kind === "numeric" ? 7 : "Friday";
}

/** A response of a type that the question does not ask for; undefined where any will do. */
function misfit({ question }: Asked): JsonObject[string] | undefined {
  const { accepted_response_kinds: kinds } = question;
  if (!Array.isArray(kinds)) return undefined;
  if (!kinds.includes("numeric")) return 67;
  return kinds.includes("yes_no") ? (kinds.includes("freetext") ? undefined : "nothing of that") : true;
}

/** Whether work has gone on after the question. */
async function hasGoneOn(asked: Asked): Promise<boolean> {
  const isWork = (event: JsonObject): boolean => /^(?:tool\.invoked|output|session)\b/.test(nameOf(event));
  return (await follow(asked, isWork, asked.at + 1, 0)) !== undefined;
}

/** Replies that must not count, and then one that does. */
async function mustStayOpen(
  context: ScenarioContext,
  rule: string,
  asked: Asked,
  bad: readonly [what: string, reply: JsonObject][],
): Promise<boolean> {
  for (const [what, reply] of bad) {
    await asked.line.send(reply);
    await fence(asked.line, context);
    const isSettled = await hasGoneOn(asked);
    context.expect(rule, !isSettled, `${what} settled the question`, shownBy(asked, reply));
    if (isSettled) return false;
  }
  await answer(asked.line, await clarification(asked, fitting(asked)));
  if ((await endOf(asked)) !== undefined) return true;
  await mustBeAlive(context);
  context.skip(rule, "a fitting reply had no effect, so that others may have had none for the same reason");
  return false;
}

export const clarifications: readonly Scenario[] = [
  toProducer({
    name: "clarification-awaited",
    says: "work that depends on a clarification waits for it",
    rules: ["AAEP-CLAR-005"],
    async play(context) {
      const line = await open(context);
      const asked = await whatIsAsked(line, context, "clarification");
      await fence(line, context);
      const isOn = await hasGoneOn(asked);
      context.expect("AAEP-CLAR-005", !isOn, "the work went on before the question was answered", shownBy(asked));
    },
  }),
  toProducer({
    name: "clarification-typed",
    says: "a response of the wrong type does not count, and the question stays open",
    rules: ["AAEP-CLAR-007"],
    async play(context) {
      const asked = await askedOf(await open(context), context, "clarification");
      if (await hasGoneOn(asked)) throw new TargetSkip("it does not wait for answers");
      const wrong = misfit(asked);
      if (wrong === undefined) throw new TargetSkip("its questions take a response of any type");
      const reply = await clarification(asked, wrong);
      await mustStayOpen(context, "AAEP-CLAR-007", asked, [[`the response ${JSON.stringify(wrong)}`, reply]]);
    },
  }),
  toProducer({
    name: "clarification-guarded",
    says: "clarifications are as well guarded as confirmations",
    rules: ["AAEP-CLAR-008"],
    async play(context) {
      const line = await open(context);
      const earlier = await askedOf(line, context, "clarification");
      if (await hasGoneOn(earlier)) throw new TargetSkip("it does not wait for answers");
      await answer(line, await clarification(earlier, fitting(earlier)));
      if ((await endOf(earlier)) === undefined)
        throw new TargetSkip("a fitting reply has no effect, so that bad ones cannot be told from it");
      const asked = await askedOf(line, context, "clarification");
      const good = fitting(asked);
      const made = `rpl_${context
        .fresh("made")
        .replaceAll(/[^A-Za-z0-9]/g, "")
        .slice(0, 60)}`;
      const late = Date.parse(String(asked.question.timestamp)) + (Number(asked.question.timeout_seconds) + 1) * 1000;
      await mustStayOpen(context, "AAEP-CLAR-008", asked, [
        ["a reply with an unknown member", await clarification(asked, good, { urgent: true })],
        ["a token made up", await clarification(asked, good, { reply_token: made })],
        ["a token used before", await clarification(earlier, good)],
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
    says: "when the time of a clarification is up, the producer goes on without it",
    rules: ["AAEP-CLAR-009"],
    waits: 5500,
    async play(context) {
      const asked = await askedOf(await open(context), context, "clarification", { timeout_seconds: 3 });
      const seconds = Number(asked.question.timeout_seconds);
      if (!(seconds <= 20)) throw new TargetSkip(`its questions stay open for ${seconds} s`);
      await context.pass(seconds * 1000 + 2500);
      const next = await goesOn(asked, untilDue(context, seconds));
      if (next === undefined) await mustBeAlive(context);
      context.expect(
        "AAEP-CLAR-009",
        next !== undefined,
        `it still waits ${seconds + 2.5} s after a question for ${seconds} s`,
      );
    },
  }),
];
