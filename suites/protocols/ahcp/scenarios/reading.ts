import {
  equal,
  hookAnswer,
  isObject,
  type Json,
  type JsonObject,
  type Level,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
} from "../../../../schemas/index.ts";
import { differenceIn } from "../../../base/text/difference.ts";
import { fullestMessages } from "./fullest.ts";
import { findChangedMember } from "./kept-messages.ts";
import { describeChange, findFirstMissing } from "./lost-messages.ts";
import { ask, notify, task } from "./messages.ts";
import { readingAgain } from "./reading-again.ts";
import {
  cancel,
  idOf,
  inShort,
  isAccepted,
  isClientError,
  isRefused,
  outcomeOf,
  pathOf,
  post,
  postLarge,
  read,
  readStored,
  resolveMessage,
  submit,
} from "./steps.ts";
import { similarTo } from "./unknown-ids.ts";

const hourMs = 3_600_000;

function isSameTime(left: Json, right: Json): boolean {
  const [leftTime, rightTime] = [left, right].map((time) => Date.parse(String(time)));
  return leftTime !== undefined && Number.isFinite(leftTime) && leftTime === rightTime;
}

/** The kind of a message, such as "an ask to select". */
function describeKind({ type, request }: JsonObject): string {
  return type === "ask" ? `an ask to ${(request as JsonObject).mode}` : `a ${type}`;
}

/** The part of an id after its prefix. */
function withoutPrefix(id: string): string {
  return id.replace(/^[a-z]+[_-]/i, "");
}

/** Deletes a message by the hook. Returns false and skips the rule if the hook cannot. Only open asks must be deletable. */
async function deleteMessage(context: ScenarioContext, id: string, description: string): Promise<boolean> {
  try {
    if ((await context.hook("delete", { id })).deleted !== false) return true;
  } catch (error) {
    if (description === "an ask" || !(error instanceof TargetFailure) || error.stage !== "hook") throw error;
  }
  context.skip("AHCP-GET-006", `the hook "delete" does not delete ${description}`, hookAnswer("delete"));
  return false;
}

/** An answered ask with its reported time. `second` is the start of the second within which it was certainly answered, if known. */
interface EndedAsk {
  id: string;
  end: Json;
  second?: number;
}

/** Answers an ask in the middle of a second. Tries three times, because a busy machine may be late. */
async function endWithinSecond(context: ScenarioContext): Promise<EndedAsk> {
  for (let attempt = 1; ; attempt++) {
    const { id } = await submit(context, ask(context));
    await context.pass((1500 - ((await context.now()) % 1000)) % 1000);
    const answeredAt = await context.now();
    await resolveMessage(context, id);
    const { resolved_at: end = null } = outcomeOf(await readStored(context, id)).inner;
    const at = Date.parse(String(end));
    const second = Math.floor(at / 1000) * 1000;
    // If reported times are in whole seconds, use the time before the answer.
    const isWithin = at - second > 100 || (answeredAt - second > 100 && answeredAt - second < 1000);
    if (isWithin) return { id, end, second };
    if (attempt === 3) return { id, end };
  }
}

export const reading: readonly Scenario[] = [
  {
    name: "reading-echo",
    says: "a read shows the message as submitted",
    rules: ["AHCP-GET-003"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const fullMessage of await fullestMessages(context)) {
        const firstReply = await post(context, fullMessage);
        // A hub may refuse unusual keys.
        const message = isAccepted(firstReply)
          ? fullMessage
          : { ...fullMessage, idempotency_key: context.fresh("key") };
        const id = (isAccepted(firstReply) ? idOf(firstReply) : undefined) ?? (await submit(context, message)).id;
        const stored = await readStored(context, id);
        for (const [name, value] of Object.entries(message)) {
          const storedValue = stored[name];
          const isTime = name.endsWith("_at") && storedValue !== undefined && isSameTime(storedValue, value);
          const changedPath = findFirstMissing(storedValue, value, `/${name}`);
          const why = `${changedPath} of ${describeKind(message)} is not read as submitted: ${describeChange(changedPath, stored, message)}`;
          context.expect("AHCP-GET-003", changedPath === undefined, why, isTime ? "SHOULD" : undefined);
        }
        if (message.type !== "ask" || !isAccepted(await cancel(context, id))) continue;
        const cancelledRead = await readStored(context, id);
        const changedPath = findChangedMember(cancelledRead, { ...stored, status: cancelledRead.status ?? null });
        const whyGone = `${changedPath} of ${describeKind(message)} reads differently after its cancellation: ${describeChange(changedPath, cancelledRead, stored)}`;
        context.expect("AHCP-GET-003", changedPath === undefined, whyGone, "SHOULD");
      }
    },
  },
  {
    name: "reading-large",
    says: "a large state is returned completely if it is accepted",
    rules: ["AHCP-GET-003", "AHCP-RSP-013"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const kibibytes of [8, 48]) {
        const state = { large: "é".repeat(kibibytes * 512) };
        const reply = await postLarge(context, ask(context, { state }));
        const id = idOf(reply);
        // The specification does not say how large a state may be.
        if (!isAccepted(reply) || id === undefined) return;
        await cancel(context, id);
        const stored = await readStored(context, id);
        const isShown = equal(stored.state ?? null, state);
        const lostPart = differenceIn(state, stored.state, "/state") ?? "it is the same";
        const whyLost = `a state of ${kibibytes} KiB is not read as submitted: ${lostPart}`;
        context.expect("AHCP-GET-003", isShown, whyLost);
        if (!isObject(stored.response)) continue;
        const { state: returnedState } = outcomeOf(stored).envelope;
        const difference = differenceIn(state, returnedState) ?? "it is the same";
        const why = `a state of ${kibibytes} KiB does not return in the Response to a cancellation: ${difference}`;
        context.expect("AHCP-RSP-013", equal(returnedState ?? null, state), why);
      }
    },
  },
  readingAgain,
  {
    name: "reading-unknown",
    says: "an unknown id is answered 404, even if it resembles a known id",
    rules: ["AHCP-GET-005"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const { id } = await submit(context, ask(context));
      for (const unknownId of [similarTo(id), "__proto__", "msg%41"]) {
        const reply = await read(context, unknownId);
        const why = `the unknown id "${unknownId}" is not answered 404 not_found: ${inShort(reply)}`;
        context.expect("AHCP-GET-005", isRefused(reply, 404, "not_found"), why);
      }
      const similarIds: [description: string, path: string, level?: Level][] = [
        ["without its last character", encodeURIComponent([...id].slice(0, -1).join(""))],
        // A hub may ignore case in ids, for example in base 16 or 32, unless they contain letters of both cases.
        [
          "with upper and lower case swapped",
          encodeURIComponent(id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase()),
          /[a-z]/.test(withoutPrefix(id)) && /[A-Z]/.test(withoutPrefix(id)) ? "MUST" : "SHOULD",
        ],
        ["with a space after it", `${encodeURIComponent(id)}%20`, "SHOULD"],
        ["with a line end after it", `${encodeURIComponent(id)}%0A`, "SHOULD"],
        ["at the end of a path", `x%2F${encodeURIComponent(id)}`],
      ];
      for (const [description, path, level] of similarIds) {
        const reply = await context.send({ method: "GET", path: `/v1/messages/${path}` });
        const isFound = decodeURIComponent(path) !== id && idOf(reply) === id;
        context.expect("AHCP-GET-005", !isFound, `under the id ${id} ${description} its message is shown`, level);
      }
      for (const hostileId of ["..%2f", "%00", "%25", `${"x".repeat(6000)}`]) {
        const reply = await context.send({ method: "GET", path: `/v1/messages/${hostileId}` });
        const why = `the id ${hostileId.slice(0, 8)} is not answered with a 4xx: ${inShort(reply)}`;
        context.expect("AHCP-GET-005", isClientError(reply), why);
      }
    },
  },
  {
    name: "reading-deleted",
    says: "a deleted message is gone for its submitter and unknown to other agents",
    rules: ["AHCP-GET-006", "AHCP-IDM-001"],
    needs: ["delete", "second-credential"],
    withinMs: 30_000,
    async play(context) {
      const messages: [description: string, message: JsonObject][] = [
        ["an ask", ask(context)],
        ["a cancelled ask", ask(context)],
        ["a task", task(context)],
        ["a notify", notify(context)],
      ];
      for (const [description, message] of messages) {
        const { id } = await submit(context, message);
        if (description === "a cancelled ask") await cancel(context, id);
        if (!(await deleteMessage(context, id, description))) continue;
        const ownRead = await read(context, id);
        context.expect(
          "AHCP-GET-006",
          isRefused(ownRead, 410, "gone"),
          `${description} that was deleted is not gone: ${inShort(ownRead)}`,
        );
        const cancelReply = await cancel(context, id);
        const whyCancelled = `${description} that was deleted can be cancelled: ${inShort(cancelReply)}`;
        context.expect("AHCP-GET-006", !isAccepted(cancelReply), whyCancelled);
        // The specification does not define the answer to a repetition of a deleted message.
        const repetition = await post(context, message);
        const whyCrashed = `the repetition of ${description} that was deleted crashes the hub: ${inShort(repetition)}`;
        context.expect("AHCP-IDM-001", repetition.status < 500, whyCrashed);
        const otherAgentRead = await read(context, id, "b");
        const why = `a read by a different agent reveals that ${description} was deleted: ${inShort(otherAgentRead)}`;
        context.expect("AHCP-GET-006", otherAgentRead.status !== 410, why, "SHOULD");
      }
    },
  },
  {
    name: "reading-since",
    says: "a read with since is answered with the message or with 304",
    rules: ["AHCP-GET-009"],
    needs: [],
    withinMs: 30_000,
    waits: 4000,
    async play(context) {
      const { id } = await submit(context, ask(context));
      // Wait for the middle of a second.
      await context.pass(1000 + ((1500 - ((await context.now()) % 1000)) % 1000));
      const now = await context.now();
      const [anHourAgo, inAnHour] = [now - hourMs, now + hourMs].map((time) => new Date(time).toISOString()) as [
        string,
        string,
      ];
      const withOffset = anHourAgo.replace(/\.\d+Z$/, "+00:00");
      for (const text of [anHourAgo, withOffset, new Date(now).toISOString(), inAnHour]) {
        const reply = await context.send({ method: "GET", path: `${pathOf(id)}?since=${encodeURIComponent(text)}` });
        const isValid = reply.status !== 200 || (isObject(reply.json) && reply.json.status !== undefined);
        const whyNeither = `a read with since=${text} is answered with neither 304 nor the message: ${inShort(reply)}`;
        context.expect("AHCP-GET-009", isValid, whyNeither, "MUST");
        const isExpected = reply.status === 200 || (reply.status === 304 && reply.text === "");
        // A hub may refuse a time in the future, but must not crash.
        const level = reply.status < (text === inAnHour ? 500 : 400) ? "SHOULD" : undefined;
        context.expect(
          "AHCP-GET-009",
          isExpected,
          `a read with since=${text} is answered with ${inShort(reply)}`,
          level,
        );
      }
      for (const text of ["", "abc", "2026-02-30T00:00:00Z"]) {
        const reply = await context.send({ method: "GET", path: `${pathOf(id)}?since=${text}` });
        const why = `a read with since=${text} crashes the hub: ${inShort(reply)}`;
        context.expect("AHCP-GET-009", reply.status < 500, why, "MUST");
      }
      if (!context.has("resolve"))
        return context.skip("AHCP-GET-009", "without a resolver no message changes", missingNeeds("resolve"));
      const { id: endedId, end, second } = await endWithinSecond(context);
      const sinceTimes = [now - hourMs, ...(second === undefined ? [] : [second])];
      for (const text of sinceTimes.map((time) => new Date(time).toISOString())) {
        const { status } = await read(context, endedId, "a", { query: `?since=${encodeURIComponent(text)}` });
        // The specification does not define the comparison exactly, but an ask answered since then has changed by any reading.
        const why = `an ask that was answered at ${end} is reported as unchanged since ${text}`;
        context.expect("AHCP-GET-009", status !== 304, why, "SHOULD");
      }
      if (second === undefined)
        context.skip(
          "AHCP-GET-009",
          "no ask was certainly answered within a second, so a comparison in whole seconds would not be noticed",
        );
    },
  },
  {
    name: "reading-notify",
    says: "a notify is shown as delivered, without a Response",
    rules: ["AHCP-GET-011"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const { id } = await submit(context, notify(context));
      for (const ordinal of ["a first", "a second"]) {
        const reply = await read(context, id);
        const { status, json } = reply;
        const isShown = status === 200 && isObject(json) && json.status === "delivered" && json.response === undefined;
        const why = `${ordinal} time a notify is not shown as delivered: ${inShort(reply)}`;
        context.expect("AHCP-GET-011", isShown, why);
      }
    },
  },
];
