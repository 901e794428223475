import {
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import type { Line } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { producerFacts } from "../subscribing/producer-facts.ts";
import { usualRequest } from "../subscribing/request.ts";
import { effectsOf, shownBy } from "./acting.ts";
import { askedOf, conductOf, seenOf } from "./conduct.ts";
import { grace } from "./expiry.ts";
import { mustNotBeDone, rejectOpen } from "./ignoring.ts";
import { movesTimeouts, waitUntilDone } from "./lapse.ts";
import { toProducer } from "./scenario.ts";
import { breachesIn } from "./sequence.ts";
import {
  type AskedSession,
  answer,
  awaitContinuation,
  awaitEnd,
  awaitFence,
  beginSession,
  confirmation,
  follow,
  indexOf,
  mustBeAlive,
  nameOf,
  questionOf,
  waitForDueOn,
} from "./story.ts";

const questions = ["aaep:agent.awaiting.*"];

/** The subscribers that the producer asks, and the time of the work. */
export const consent: readonly Scenario[] = [
  toProducer({
    name: "consent-awaited",
    says: "nothing is done before an acceptance, and then the action is announced first",
    rules: ["AAEP-CONF-020", "AAEP-TOOL-003"],
    waits: 6000,
    async play(context) {
      const { conduct, asked } = await seenOf(context);
      const { isEarly, blind } = conduct;
      const earlyReason = "the action was carried out while its question was open";
      if (isEarly) return context.expect("AAEP-CONF-020", false, earlyReason, shownBy(asked));
      if (blind === undefined) context.expect("AAEP-CONF-020", true, "");
      else context.skip("AAEP-CONF-020", blind.why, blind.cause);
      const effects = await effectsOf(asked);
      const [effect] = effects ?? [];
      if (effects === undefined)
        return context.skip("AAEP-TOOL-003", 'needs the hook "effects", which is not given', missingNeeds("effects"));
      if (effect === undefined) return context.skip("AAEP-TOOL-003", "nothing was done, although it was accepted");
      const isCall = (event: JsonObject): boolean => nameOf(event) === "tool.invoked" && event.tool === effect.tool;
      const called = await waitForDueOn(asked.line, context, (milliseconds = 500) =>
        follow(asked, isCall, 0, milliseconds),
      );
      const isExact = [effect.at, String(called?.timestamp)].every((timestamp) => timestamp.includes("."));
      const [effectTime, callTime] = [effect.at, String(called?.timestamp)].map((timestamp) => {
        const time = Date.parse(timestamp);
        return isExact ? time : Math.floor(time / 1000);
      }) as [number, number];
      const isAfter = called !== undefined && effectTime >= callTime;
      const callText = called === undefined ? "no tool.invoked came" : `tool.invoked is of ${called.timestamp}`;
      context.expect("AAEP-TOOL-003", isAfter, `the tool took effect at ${effect.at}, and ${callText}`, {
        texts: [...(called === undefined ? [] : [String(called.event_id)]), `"at":${JSON.stringify(effect.at)}`],
      });
    },
  }),
  toProducer({
    name: "consent-asked",
    says: "an irreversible action needs a question first",
    rules: ["AAEP-TOOL-016"],
    waits: 6000,
    async play(context) {
      const line = await openLine(context);
      const story = await beginSession(line, context, "irreversible");
      const question = await questionOf(story);
      if (question !== undefined) {
        const asked = { ...story, question, token: String(question.reply_token), at: indexOf(line.inbox, question) };
        await rejectOpen(asked);
        const { isEarly } = await conductOf(context);
        if (isEarly) return context.skip("AAEP-TOOL-016", "it asks, and acts before an answer is possible");
        return context.expect("AAEP-TOOL-016", true, "");
      }
      await mustBeAlive(context);
      const findCall = (): Promise<JsonObject | undefined> =>
        follow(story, (event) => nameOf(event) === "tool.invoked", 0, 0);
      const acts = async (): Promise<boolean> => {
        const effects = await effectsOf(story);
        return effects === undefined ? (await findCall()) !== undefined : effects.length > 0;
      };
      const isDone = (await waitUntilDone(context, producerFacts(context).actionSeconds * 1000, acts)) !== undefined;
      const call = await findCall();
      if (!isDone) throw new TargetSkip("there was neither a question nor an action");
      context.expect("AAEP-TOOL-016", false, "an irreversible action was carried out without a question", {
        texts: [...(call === undefined ? [] : [String(call.event_id)]), story.id],
      });
    },
  }),
  toProducer({
    name: "consent-shared",
    says: "every subscription that can reply gets questions, whatever its filters, and learns the result",
    rules: ["AAEP-CONF-034", "AAEP-CONF-030"],
    async play(context) {
      const line = await openLine(context);
      const filtered = { ...usualRequest, event_filters: { include: ["aaep:agent.*"], exclude: questions } };
      const filteringLine = await openLine(context, { capabilities: filtered, name: "filtering" });
      if (filteringLine.accepted === undefined)
        throw new TargetSkip("without a handshake a producer knows no filter, and sends the same events to all");
      const asked = await askedOf(line, context, "irreversible");
      await awaitFence(filteringLine, context);
      const { reply_token: token } = asked.question;
      const questionIndex = filteringLine.inbox.arrivals.findIndex(({ message }) => message.reply_token === token);
      context.expect(
        "AAEP-CONF-034",
        questionIndex !== -1,
        "a subscription that can reply was not asked, because it filters questions out",
      );
      // Events before the reply, such as a waiting state, are not the result.
      const arrivalsBefore = filteringLine.inbox.arrivals.length;
      if (!(await rejectOpen(asked)))
        return context.skip("AAEP-CONF-030", "a rejection had no effect, so there is no result to report");
      await awaitFence(filteringLine, context);
      const getsResult = filteringLine.inbox.arrivals
        .slice(arrivalsBefore)
        .some(({ message }) => message.session_id === asked.id);
      if (questionIndex === -1) return context.skip("AAEP-CONF-030", "this subscription was not asked");
      context.expect(
        "AAEP-CONF-030",
        getsResult,
        "one of the two subscriptions that were asked does not get the result",
      );
    },
  }),
  toProducer({
    name: "consent-cancelled",
    says: "the questions of a cancelled session are void, and nothing comes after its end",
    rules: ["AAEP-CONF-031", "AAEP-LIFE-003", "AAEP-LIFE-004"],
    needs: ["start", "cancel"],
    async play(context) {
      const line = await openLine(context);
      const asked = await askedOf(line, context, "irreversible");
      await context.hook("cancel", { session_id: asked.id });
      const end = await awaitEnd(asked);
      if (end === undefined) await mustBeAlive(context);
      else if (nameOf(end) === "session.completed") {
        const why =
          "a session that is cancelled while it asks ends with session.completed instead of session.cancelled";
        context.expect("AAEP-CONF-031", false, why, "SHOULD", { texts: [String(end.event_id)] });
      }
      await awaitFence(line, context);
      const findBreach = await breachesIn(context, line, { isOwn: (id) => id === asked.id, isPart: true });
      for (const rule of ["AAEP-LIFE-003", "AAEP-LIFE-004"]) {
        const each = findBreach?.(rule);
        if (each !== undefined) context.expect(rule, false, each.why, each.level);
        else if (end !== undefined) context.expect(rule, true, "");
        else if (rule === "AAEP-LIFE-004") context.skip(rule, "nothing shows that the session is over");
      }
      const reply = await confirmation(asked, "accept");
      await line.send(reply);
      await awaitFence(line, context);
      const why = "an acceptance took effect after the session was cancelled";
      const isVoid = await mustNotBeDone(asked, { rule: "AAEP-CONF-031", why, replies: [reply] });
      if (end === undefined) await mustHaveEnded(asked, isVoid);
      if (isVoid) await mustNotApplyDefault(context, line);
    },
  }),
  toProducer({
    name: "consent-dropped",
    says: "the producer announces a dropped action, and its token no longer counts",
    rules: ["AAEP-CONF-032"],
    needs: ["start", "drop"],
    async play(context) {
      const line = await openLine(context);
      const asked = await askedOf(line, context, "irreversible");
      await context.hook("drop", { session_id: asked.id });
      const isSign = (event: JsonObject): boolean =>
        nameOf(event) === "state.changed" && /^(?:thinking|deciding)$/.test(String(event.to_state));
      const sign = await waitForDueOn(line, context, (milliseconds) =>
        follow(asked, isSign, asked.at + 1, milliseconds),
      );
      const why = "no change of state to thinking or deciding shows that the action was dropped";
      context.expect("AAEP-CONF-032", sign !== undefined, why);
      const reply = await confirmation(asked, "accept");
      await line.send(reply);
      await awaitFence(line, context);
      const tokenReason = "the token of a dropped question still counts";
      await mustNotBeDone(asked, { rule: "AAEP-CONF-032", why: tokenReason, replies: [reply] });
    },
  }),
  toProducer({
    name: "consent-modified",
    says: "a modified action counts as a rejection if the producer does not support it",
    rules: ["AAEP-RPL-017"],
    waits: 6000,
    async play(context) {
      const supportsModification = context.setting.options?.modified_action;
      if (supportsModification !== false)
        throw new TargetSkip(
          "needs options.modified_action: false, meaning that it is not supported",
          missingNeeds("options.modified_action"),
        );
      const asked = await askedOf(await openLine(context), context, "irreversible");
      const reply = await confirmation(asked, "accept", { modified_action: { amount: 60 } });
      await answer(asked.line, reply);
      const next = await awaitContinuation(asked);
      if (next !== undefined) await awaitEnd(asked);
      else if (!(await rejectOpen(asked))) await mustBeAlive(context);
      const why = "an acceptance with a modified action was carried out";
      await mustNotBeDone(asked, { rule: "AAEP-RPL-017", why, replies: [reply] });
    },
  }),
  toProducer({
    name: "tool-given-up",
    says: "a call without a result is closed with a timeout",
    rules: ["AAEP-TOOL-012"],
    waits: 20_000,
    async play(context) {
      const line = await openLine(context);
      const story = await beginSession(line, context, "hanging");
      const called = await follow(story, (event) => nameOf(event) === "tool.invoked");
      if (called === undefined) throw new TargetSkip("no tool was called");
      if (context.has("clock")) await context.pass(600_000);
      if ((await awaitEnd(story, boundOf(context, "given-up"))) === undefined)
        throw new TargetSkip("the producer has not given the call up");
      const completion = await follow(
        story,
        (event) => nameOf(event) === "tool.completed" && isOf(called, event),
        0,
        0,
      );
      // Another rule judges incomplete events.
      if (completion !== undefined && completion.status === undefined)
        throw new TargetSkip("its tool.completed has no status");
      const status = completion === undefined ? "there is no tool.completed" : `status "${completion.status}"`;
      context.expect(
        "AAEP-TOOL-012",
        completion?.status === "timeout",
        `a call without a result is closed with ${status}`,
      );
    },
  }),
];

/** A cancelled session is closed by an event, however late. If its question still counts, nothing shows that it was cancelled. */
async function mustHaveEnded(asked: AskedSession, isVoid: boolean): Promise<void> {
  const { context } = asked;
  const { blind } = await conductOf(context);
  const isClosed = (await awaitEnd(asked)) !== undefined;
  if (isClosed || (isVoid && blind === undefined))
    context.expect("AAEP-LIFE-003", isClosed, "no event closes a session that was cancelled, as its question shows");
  else context.skip("AAEP-LIFE-003", "nothing shows that the session is over");
}

/** A cancelled question with the default accept: the default must not be applied, either at once or after the deadline. */
async function mustNotApplyDefault(context: ScenarioContext, line: Line): Promise<void> {
  const asked = await askedOf(line, context, "reversible", { default_decision: "accept", timeout_seconds: 60 }).catch(
    (error: unknown) => {
      if (error instanceof TargetSkip) return undefined;
      throw error;
    },
  );
  if (asked === undefined || asked.question.default_decision !== "accept") return;
  await context.hook("cancel", { session_id: asked.id });
  await awaitEnd(asked);
  await awaitFence(line, context);
  const seconds = Number(asked.question.timeout_seconds);
  if (await movesTimeouts(context)) await context.pass(seconds * 1000 + grace(context, seconds));
  const why = "the default of a question, accept, was applied although its session was cancelled";
  await mustNotBeDone(asked, { rule: "AAEP-CONF-031", why });
}

/** Whether a completion belongs to a call: by its id, otherwise by the name of the tool. */
function isOf(called: JsonObject, { tool, tool_call_id: id }: JsonObject): boolean {
  return called.tool_call_id === undefined ? tool === called.tool : id === called.tool_call_id;
}
