import { type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { openLine } from "../subscribing/open.ts";
import { shownBy } from "./acting.ts";
import { fittingAnswer } from "./clarifications.ts";
import { askedOf, conductOf, isDoneInTime } from "./conduct.ts";
import { toProducer } from "./scenario.ts";
import {
  type AskedSession,
  answer,
  awaitContinuation,
  awaitFence,
  clarification,
  confirmation,
  follow,
} from "./story.ts";

interface Answered {
  rule: string;
  what: string;
  asked: AskedSession;
  reply: JsonObject;
  /** The time at which it was sent, by the suite's monotonic clock. */
  at: number;
  /** The number of messages before it. */
  from: number;
}

/** The rule that an event shows that an action was dropped. */
const ofRejections = "AAEP-CONF-023";

/** Replies to a question; skips if the question does not allow the decision, which then settles nothing. */
function decisionOn(asked: AskedSession, decision: string): Promise<JsonObject> {
  const { allowed_replies: allowed } = asked.question;
  if (!Array.isArray(allowed) || allowed.includes(decision)) return confirmation(asked, decision);
  throw new TargetSkip(`its question allows ${allowed.map(String).join(", ") || "no reply"}, and not ${decision}`);
}

const answers = [
  [ofRejections, "a rejection", "irreversible", (asked: AskedSession) => decisionOn(asked, "reject")],
  ["AAEP-CONF-026", "an acceptance", "irreversible", (asked: AskedSession) => decisionOn(asked, "accept")],
  [
    "AAEP-CONF-026",
    "a fitting response",
    "clarification",
    (asked: AskedSession) => clarification(asked, fittingAnswer(asked)),
  ],
] as const;

/** An action that was carried out anyway was not dropped, whatever the events say. */
async function judgeDropped(asked: AskedSession): Promise<void> {
  const { context } = asked;
  const { blind } = await conductOf(context);
  if (await isDoneInTime(asked)) context.skip(ofRejections, "an action is carried out after a rejection");
  else if (blind !== undefined) context.skip(ofRejections, blind.why, blind.cause);
  else context.expect(ofRejections, true, "");
}

/** The events after a valid answer. */
export const followingScenarios: readonly Scenario[] = [
  toProducer({
    name: "answers-followed",
    says: "an event of the session follows each answer",
    rules: [ofRejections, "AAEP-CONF-026"],
    withinMs: 120_000,
    async play(context) {
      const line = await openLine(context);
      const { arrivals } = line.inbox;
      const answered: Answered[] = [];
      const lacking = new Map<string, string>();
      const [patience, longest] = [boundOf(context, "event"), boundOf(context, "silence")];
      for (const [rule, what, task, replyTo] of answers) {
        try {
          const asked = await askedOf(line, context, task);
          // Events that came with the question may still be in transit.
          await awaitFence(line, context);
          const reply = await replyTo(asked);
          const [at, from] = [performance.now(), arrivals.length];
          const said = await answer(line, reply);
          if (said !== undefined && said.status >= 400)
            throw new TargetSkip(`${what} is not accepted: HTTP ${said.status}`);
          answered.push({ rule, what, asked, reply, at, from });
        } catch (error) {
          if (!(error instanceof TargetSkip)) throw error;
          lacking.set(rule, error.message);
        }
      }
      // A session with an unanswerable question may have continued before.
      const all = (milliseconds: number): Promise<(JsonObject | undefined)[]> =>
        Promise.all(answered.map(({ asked }) => awaitContinuation(asked, milliseconds)));
      if ((await all(patience)).includes(undefined)) {
        await awaitFence(line, context);
        await all(longest - patience);
        await awaitFence(line, context);
      }
      for (const { rule, what, asked, reply, at, from } of answered) {
        const event =
          (await awaitContinuation(asked, 0)) ?? (await follow(asked, ({ type }) => type !== undefined, from, 0));
        const came = arrivals.find(({ message }) => message === event)?.at ?? 0;
        const scale = Math.max(0.2, context.setting.timeScale ?? 1);
        if (event === undefined) {
          const why = `${what} is followed by no event of its session for ${(longest * scale) / 1000} s, while other sessions ran from start to end`;
          context.expect(rule, false, why, shownBy(asked, reply));
        } else if (came - at > patience)
          context.expect(rule, false, `${what} is followed by an event after more than ${patience / 1000} s`, "SHOULD");
        else if (rule === ofRejections) await judgeDropped(asked);
        else context.expect(rule, true, "");
      }
      const judged = new Set(answered.map(({ rule }) => rule));
      for (const [rule, why] of lacking) if (!judged.has(rule)) context.skip(rule, why);
    },
  }),
];
