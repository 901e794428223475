import {
  equal,
  type HttpReply,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { messageChanges } from "./changes.ts";
import { findsConflicts, isKeyConflict } from "./conflicts.ts";
import { deadlineIn, readUntilExpired, shortLeadTime, waitUntilDeadline } from "./deadline.ts";
import { steadyMembers } from "./kept-messages.ts";
import { describeChange } from "./lost-messages.ts";
import { ask, fromAgent, notify, task } from "./messages.ts";
import {
  afterDeadline,
  cancel,
  idOf,
  inShort,
  isAccepted,
  outcomeOf,
  post,
  readStored,
  resolveMessage,
  statusOf,
  submit,
} from "./steps.ts";

/** Checks keys that become equal when they are joined with the agents' names. This works only if one name begins or ends with the other. */
async function checkJoinedKeys(context: ScenarioContext): Promise<void> {
  const names = context.agents as { a: string; b: string };
  const [shorter, longer] = names.a.length < names.b.length ? (["a", "b"] as const) : (["b", "a"] as const);
  const key = context.fresh("key");
  const otherKeys = [
    ...(names[longer].endsWith(names[shorter]) ? [`${key}${names[longer].slice(0, -names[shorter].length)}`] : []),
    ...(names[longer].startsWith(names[shorter]) ? [`${names[longer].slice(names[shorter].length)}${key}`] : []),
  ];
  const message = ask(context);
  const sendKeyed = (as: "a" | "b", idempotency_key: string): Promise<HttpReply> =>
    post(context, fromAgent(names[as], { ...message, idempotency_key }), as);
  for (const otherKey of otherKeys) {
    const [first, reply] = [await sendKeyed(shorter, otherKey), await sendKeyed(longer, key)];
    // A hub may refuse unusual keys.
    if (!isAccepted(first)) continue;
    const isSeparate = isAccepted(reply) && idOf(reply) !== undefined && idOf(reply) !== idOf(first);
    const why = `the key "${key}" of ${names[longer]} is confused with "${otherKey}" of ${names[shorter]}: ${inShort(reply)}`;
    context.expect("AHCP-IDM-004", isSeparate, why);
  }
}

/** Maps each id of an accepted message to one of the replies with this id. */
function mapById(replies: readonly HttpReply[]): ReadonlyMap<string | undefined, HttpReply> {
  return new Map(replies.filter(isAccepted).map((reply) => [idOf(reply), reply]));
}

/** A scenario that repeats a message from a different run. In some protocols, the hub may report a conflict instead. */
export function runsScenario(conflicts: "allowed" | "wrong"): Scenario {
  return {
    name: "idempotency-runs",
    says: "a key is recognized in other runs",
    rules: ["AHCP-IDM-005", "AHCP-GET-003", "AHCP-RSP-014"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const message = ask(context);
      const { id } = await submit(context, message);
      const { agent: agentBefore = null } = await readStored(context, id);
      const agent = { ...(message.agent as JsonObject), run_id: context.fresh("run") };
      const reply = await post(context, { ...message, agent });
      const isConflict = reply.status === 409;
      const isKnown = isConflict || (isAccepted(reply) && idOf(reply) === id);
      context.expect(
        "AHCP-IDM-005",
        isKnown,
        `in a different run, a key creates a second message: ${inShort(reply)}`,
        reply,
      );
      const whyRefused = `a repetition by another run is refused as a conflict: ${inShort(reply)}`;
      context.expect("AHCP-IDM-005", !isConflict || conflicts === "allowed", whyRefused, reply);
      const { agent: agentAfter = null } = await readStored(context, id);
      const whyChanged = `after a repetition by another run, the message is read with the agent ${JSON.stringify(agentAfter)}`;
      context.expect("AHCP-GET-003", equal(agentAfter, agentBefore), whyChanged);
      if (!isAccepted(await cancel(context, id))) return context.skip("AHCP-RSP-014", "the ask cannot be cancelled");
      const { agent: namedAgent = null } = outcomeOf(await readStored(context, id)).envelope;
      // Other rules test whether there is an outcome, and which run reads show.
      if (!isObject(namedAgent) || !isObject(agentBefore)) return context.skip("AHCP-RSP-014", "there is no Response");
      const [namedRun, submittedRun] = [namedAgent.run_id ?? null, agentBefore.run_id ?? null];
      const why = `after a repetition by another run, the Response to the run ${submittedRun} names ${namedRun}`;
      context.expect("AHCP-RSP-014", namedRun === submittedRun, why);
    },
  };
}

export const idempotency: readonly Scenario[] = [
  {
    name: "idempotency-repetition",
    says: "a repeated message gets the same acknowledgment",
    rules: ["AHCP-IDM-001"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const message of [ask(context), task(context)]) {
        const text = JSON.stringify(message);
        const first = await submit(context, message);
        const repetition = await post(context, text);
        const pollUrlOf = (reply: HttpReply): unknown => (reply.json as JsonObject | undefined)?.poll_url;
        const isSame =
          isAccepted(repetition) && idOf(repetition) === first.id && pollUrlOf(repetition) === pollUrlOf(first.reply);
        const why = `the same bytes again are not answered with the id ${first.id} and its poll_url: ${inShort(repetition)}`;
        context.expect("AHCP-IDM-001", isSame, why);
        // AHCP-ACK-001 tests the HTTP status of the first answer.
        const hasOtherStatus = isSame && ![202, first.reply.status].includes(repetition.status);
        const whyOtherStatus = `the first message is answered with HTTP ${first.reply.status}, its repetition with ${repetition.status}`;
        context.expect("AHCP-IDM-001", !hasOtherStatus, whyOtherStatus);
      }
    },
  },
  {
    name: "idempotency-status",
    says: "a repetition gets the current status of the message",
    rules: ["AHCP-IDM-002", "AHCP-IDM-001", "AHCP-IDM-003", "AHCP-LIF-002"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const endingCases: [status: string, message: JsonObject, end: (id: string) => Promise<unknown>][] = [
        ["answered", ask(context), (id) => resolveMessage(context, id)],
        ["cancelled", ask(context), (id) => cancel(context, id)],
        ["completed", task(context), (id) => resolveMessage(context, id, { resolution: "completed" })],
      ];
      // If the hub notices no conflicts at all, another scenario reports that.
      const canFindConflicts = await findsConflicts(context);
      for (const [endStatus, message, end] of endingCases) {
        const { id } = await submit(context, message);
        await end(id);
        const statusBefore = await statusOf(context, id);
        const reply = await post(context, message);
        const isKnown = isAccepted(reply) && idOf(reply) === id;
        const why = `after it was ${endStatus}, the same message is not answered with the id ${id}: ${inShort(reply)}`;
        context.expect("AHCP-IDM-001", isKnown, why);
        if (!isKnown || statusBefore !== endStatus) continue;
        const conflictReply = await post(context, { ...message, title: context.fresh("other") });
        const whyNotConflict = `after it was ${endStatus}, another message with its key is not a conflict: ${inShort(conflictReply)}`;
        context.expect("AHCP-IDM-003", !canFindConflicts || isKeyConflict(conflictReply), whyNotConflict);
        const statusAfter = await statusOf(context, id);
        context.expect(
          "AHCP-LIF-002",
          statusAfter === endStatus,
          `the ${message.type} was ${endStatus}, and after a repetition it is "${statusAfter}"`,
        );
        if (statusAfter !== endStatus) continue;
        const { status } = reply.json as JsonObject;
        const whyOldStatus = `the ${message.type} is ${endStatus}, the repetition gets "${status}"`;
        context.expect("AHCP-IDM-002", status === endStatus, whyOldStatus, reply);
      }
    },
  },
  {
    name: "idempotency-conflict",
    says: "a different message with the same key is a conflict and does not change the first one",
    rules: ["AHCP-IDM-003", "AHCP-IDM-001"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      for (const { message, changedMessages } of await messageChanges(context)) {
        const { id } = await submit(context, message);
        const isKnown = idOf(await post(context, message)) === id;
        const messageBefore = await readStored(context, id);
        for (const { at, changed, level } of changedMessages) {
          const reply = await post(context, changed);
          const why = `another ${at} under the same key is not a conflict: ${inShort(reply)}`;
          context.expect("AHCP-IDM-003", isKeyConflict(reply), why, level);
          const messageAfter = await readStored(context, id);
          const changedMember = steadyMembers.find(
            (name) => !equal(messageAfter[name] ?? null, messageBefore[name] ?? null),
          );
          const whyChanged = `after a message with a different ${at} arrived under its key, the first message is read with a different ${changedMember}: ${describeChange(changedMember && `/${changedMember}`, messageAfter, messageBefore)}`;
          context.expect("AHCP-IDM-003", changedMember === undefined, whyChanged);
          // Stop here: a hub that creates new messages would create one for each remaining change.
          if ((!isKeyConflict(reply) && level === undefined) || changedMember !== undefined) return;
        }
        // If the hub never recognizes repetitions, another scenario reports that.
        const repetition = isKnown ? await post(context, message) : undefined;
        const whyForgotten = `after others arrived with its key, the message ${id} is not recognized: ${repetition === undefined ? "" : inShort(repetition)}`;
        context.expect("AHCP-IDM-001", repetition === undefined || idOf(repetition) === id, whyForgotten);
        if (message.type === "ask") await cancel(context, id);
      }
    },
  },
  {
    name: "idempotency-agents",
    says: "two agents may use the same key",
    rules: ["AHCP-IDM-004"],
    needs: ["second-credential"],
    withinMs: 30_000,
    async play(context) {
      for (const createMessage of [ask, task, notify]) {
        const message = createMessage(context, { idempotency_key: context.fresh("key") });
        const { id } = await submit(context, message);
        const reply = await post(context, fromAgent(context.agents.b as string, message), "b");
        const isOwn = isAccepted(reply) && idOf(reply) !== undefined && idOf(reply) !== id;
        const why = `a second agent cannot submit its own ${message.type} with a key that the first agent used: ${inShort(reply)}`;
        context.expect("AHCP-IDM-004", isOwn, why);
        if (!isOwn) return;
      }
      await checkJoinedKeys(context);
    },
  },
  runsScenario("allowed"),
  {
    name: "idempotency-race",
    says: "simultaneous equal messages become one",
    rules: ["AHCP-IDM-007"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const message = ask(context);
      const replies = await Promise.all(Array.from({ length: 20 }, () => post(context, message)));
      const ids = mapById(replies);
      const failedReply = replies.find(({ status }) => status >= 500);
      if (ids.size === 0 && failedReply === undefined) await submit(context, ask(context));
      const whyMany = `20 equal messages at once got ${ids.size} ids`;
      context.expect("AHCP-IDM-007", ids.size === 1, whyMany, ...[...ids.values()].slice(0, 2));
      const why = `one of 20 equal messages at once failed: ${failedReply === undefined ? "" : inShort(failedReply)}`;
      context.expect("AHCP-IDM-007", failedReply === undefined, why, failedReply);
    },
  },
  {
    name: "idempotency-race-of-others",
    says: "only one of several simultaneous messages with the same key is accepted",
    rules: ["AHCP-IDM-008"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const message = ask(context);
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => post(context, { ...message, title: context.fresh("race") })),
      );
      const acceptedReplies = replies.filter(isAccepted);
      const ids = mapById(replies);
      if (ids.size === 0) await submit(context, ask(context));
      const why = `${ids.size} of 10 simultaneous messages with one key were kept`;
      context.expect("AHCP-IDM-008", ids.size === 1, why, ...[...ids.values()].slice(0, 2));
      if (!(await findsConflicts(context))) return;
      const unexpectedReplies = replies.filter((reply) => !isAccepted(reply) && ![409, 429].includes(reply.status));
      context.expect(
        "AHCP-IDM-008",
        acceptedReplies.length <= ids.size,
        `${acceptedReplies.length} of 10 got an acceptance`,
        ...acceptedReplies.slice(0, 2),
      );
      const unexpectedReply = unexpectedReplies[0];
      context.expect(
        "AHCP-IDM-008",
        unexpectedReply === undefined,
        `one is refused for a different reason: ${unexpectedReply === undefined ? "" : inShort(unexpectedReply)}`,
        unexpectedReply,
      );
    },
  },
  {
    name: "idempotency-notifies",
    says: "repeated notifies are recognized only by their key",
    rules: ["AHCP-IDM-009", "AHCP-IDM-010"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const keyedNotify = notify(context, { idempotency_key: context.fresh("key") });
      const unkeyedNotify = notify(context);
      const [first, second] = [await submit(context, keyedNotify), await submit(context, keyedNotify)];
      context.expect(
        "AHCP-IDM-009",
        first.id === second.id,
        "a notify with a key makes a second message when repeated",
      );
      const [firstUnkeyed, secondUnkeyed] = [await post(context, unkeyedNotify), await post(context, unkeyedNotify)];
      const refusedReply = [firstUnkeyed, secondUnkeyed].find(isKeyConflict);
      const why = `a notify without a key is refused for the key of another: ${refusedReply === undefined ? "" : inShort(refusedReply)}`;
      context.expect("AHCP-IDM-010", refusedReply === undefined, why, refusedReply);
      if (refusedReply !== undefined) return;
      for (const reply of [firstUnkeyed, secondUnkeyed]) if (!isAccepted(reply)) await submit(context, notify(context));
      context.expect(
        "AHCP-IDM-010",
        idOf(firstUnkeyed) !== idOf(secondUnkeyed),
        "two notifies without a key became one",
        secondUnkeyed,
      );
    },
  },
  {
    name: "idempotency-late",
    says: "a repetition is recognized even after its deadline",
    rules: ["AHCP-IDM-013", "AHCP-IDM-002"],
    needs: [],
    withinMs: 60_000,
    waits: 8000,
    async play(context) {
      const deadline = await deadlineIn(context, shortLeadTime(context));
      const [message, unreadAsk] = [ask(context, deadline.members), ask(context, deadline.members)];
      const { id } = await submit(context, message);
      await submit(context, unreadAsk);
      await waitUntilDeadline(context, deadline, 2000);
      const reply = await post(context, message);
      const why = `after its deadline the same message is not answered with the id ${id}: ${inShort(reply)}`;
      context.expect("AHCP-IDM-013", isAccepted(reply) && idOf(reply) === id, why);
      if (!isAccepted(reply)) return;
      await afterDeadline(context, id);
      if ((await statusOf(context, id)) !== "expired") return;
      const { status } = (await post(context, message)).json as JsonObject;
      context.expect(
        "AHCP-IDM-002",
        status === "expired",
        `the message has expired, but its repetition gets "${status}"`,
      );
      if (status !== "expired") return;
      // Do not read the ask, because a read may trigger the expiry.
      const repetition = await readUntilExpired(context, async () => ({
        ...((await post(context, unreadAsk)).json as JsonObject),
      }));
      const whyStillOpen = `11 s after its deadline an unread ask is "${repetition.status}" to its repetition`;
      context.expect("AHCP-IDM-013", repetition.status !== "open", whyStillOpen);
    },
  },
];
