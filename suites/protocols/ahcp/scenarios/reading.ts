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
import { missingMember } from "./kept-messages.ts";
import { describeChange, firstMissing } from "./lost-messages.ts";
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
import { similarTo } from "./strangers.ts";

const hourMs = 3_600_000;

function isSameTime(left: Json, anHourAgoWithOffset: Json): boolean {
  const [a, b] = [left, anHourAgoWithOffset].map((time) => Date.parse(String(time)));
  return a !== undefined && Number.isFinite(a) && a === b;
}

/** The kind of a message, in words. */
function nameRequest({ type, request }: JsonObject): string {
  return type === "ask" ? `an ask to ${(request as JsonObject).mode}` : `a ${type}`;
}

/** The part of an id after its prefix. */
function withoutPrefix(id: string): string {
  return id.replace(/^[a-z]+[_-]/i, "");
}

/** Deletes a message, and returns whether the hook did so. A hub must let its operator delete open asks, but not every message. */
async function isDeleted(context: ScenarioContext, id: string, description: string): Promise<boolean> {
  try {
    if ((await context.hook("delete", { id })).deleted !== false) return true;
  } catch (error) {
    if (description === "an ask" || !(error instanceof TargetFailure) || error.stage !== "hook") throw error;
  }
  context.skip("AHCP-GET-006", `the hook "delete" does not delete ${description}`, hookAnswer("delete"));
  return false;
}

/** An ended ask with its reported time, and the start of the second within which it certainly ended, if known. */
interface EndedAsk {
  id: string;
  end: Json;
  second?: number;
}

/** Answers an ask in the middle of a second, up to three times if a busy machine is late. */
async function endWithinSecond(context: ScenarioContext): Promise<EndedAsk> {
  for (let attempt = 1; ; attempt++) {
    const { id } = await submit(context, ask(context));
    await context.pass((1500 - ((await context.now()) % 1000)) % 1000);
    const answeredAt = await context.now();
    await resolveMessage(context, id);
    const { resolved_at: end = null } = outcomeOf(await readStored(context, id)).inner;
    const at = Date.parse(String(end));
    const second = Math.floor(at / 1000) * 1000;
    // If times are in whole seconds, only the time before the answer shows that the ask ended within the second.
    const isWithin = at - second > 100 || (answeredAt - second > 100 && answeredAt - second < 1000);
    if (isWithin) return { id, end, second };
    if (attempt === 3) return { id, end };
  }
}

export const reading: readonly Scenario[] = [
  {
    name: "reading-echo",
    says: "a message is read as submitted",
    rules: ["AHCP-GET-003"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const fullMessage of await fullestMessages(context)) {
        const first = await post(context, fullMessage);
        // The hub may refuse an unusual key.
        const message = isAccepted(first) ? fullMessage : { ...fullMessage, idempotency_key: context.fresh("key") };
        const id = (isAccepted(first) ? idOf(first) : undefined) ?? (await submit(context, message)).id;
        const stored = await readStored(context, id);
        for (const [name, value] of Object.entries(message)) {
          const storedValue = stored[name];
          const isTime = name.endsWith("_at") && storedValue !== undefined && isSameTime(storedValue, value);
          const place = firstMissing(storedValue, value, `/${name}`);
          const why = `${place} of ${nameRequest(message)} is not read as submitted: ${describeChange(place, stored, message)}`;
          context.expect("AHCP-GET-003", place === undefined, why, isTime ? "SHOULD" : undefined);
        }
        if (message.type !== "ask" || !isAccepted(await cancel(context, id))) continue;
        const cancelledRead = await readStored(context, id);
        const place = missingMember(cancelledRead, { ...stored, status: cancelledRead.status ?? null });
        const whyGone = `${place} of ${nameRequest(message)} reads differently after its cancellation: ${describeChange(place, cancelledRead, stored)}`;
        context.expect("AHCP-GET-003", place === undefined, whyGone, "SHOULD");
      }
    },
  },
  {
    name: "reading-large",
    says: "an accepted large state returns complete",
    rules: ["AHCP-GET-003", "AHCP-RSP-013"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const kibibytes of [8, 48]) {
        const state = { large: "é".repeat(kibibytes * 512) };
        const reply = await postLarge(context, ask(context, { state }));
        const id = idOf(reply);
        // The size of state that a hub accepts is not specified.
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
    says: "an unknown id is not found, in any form",
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
      const nearIds: [description: string, path: string, level?: Level][] = [
        ["without its last character", encodeURIComponent([...id].slice(0, -1).join(""))],
        // Ids in base 16 or 32, for example, are the same in either case, but not ids with letters of both cases.
        [
          "in another case",
          encodeURIComponent(id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase()),
          /[a-z]/.test(withoutPrefix(id)) && /[A-Z]/.test(withoutPrefix(id)) ? "MUST" : "SHOULD",
        ],
        ["with a space after it", `${encodeURIComponent(id)}%20`, "SHOULD"],
        ["with a line end after it", `${encodeURIComponent(id)}%0A`, "SHOULD"],
        ["at the end of a path", `x%2F${encodeURIComponent(id)}`],
      ];
      for (const [description, path, level] of nearIds) {
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
    says: "a deleted message is gone for its submitter, and unknown to others",
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
        if (!(await isDeleted(context, id, description))) continue;
        const ownRead = await read(context, id);
        context.expect(
          "AHCP-GET-006",
          isRefused(ownRead, 410, "gone"),
          `${description} that was deleted is not gone: ${inShort(ownRead)}`,
        );
        const cancelReply = await cancel(context, id);
        const whyCancelled = `${description} that was deleted can be cancelled: ${inShort(cancelReply)}`;
        context.expect("AHCP-GET-006", !isAccepted(cancelReply), whyCancelled);
        // The specification does not define the answer to this repetition.
        const repetition = await post(context, message);
        const whyCrashed = `the repetition of ${description} that was deleted crashes the hub: ${inShort(repetition)}`;
        context.expect("AHCP-IDM-001", repetition.status < 500, whyCrashed);
        const readByOther = await read(context, id, "b");
        const why = `${description} that was deleted reveals to another agent that it existed: ${inShort(readByOther)}`;
        context.expect("AHCP-GET-006", readByOther.status !== 410, why, "SHOULD");
      }
    },
  },
  {
    name: "reading-since",
    says: "a read that asks for changes is answered, with or without them",
    rules: ["AHCP-GET-009"],
    needs: [],
    withinMs: 30_000,
    waits: 4000,
    async play(context) {
      const { id } = await submit(context, ask(context));
      // Waits for the middle of a second, so that the change falls within it.
      await context.pass(1000 + ((1500 - ((await context.now()) % 1000)) % 1000));
      const now = await context.now();
      const [anHourAgo, inAnHour] = [now - hourMs, now + hourMs].map((time) => new Date(time).toISOString()) as [
        string,
        string,
      ];
      const right = anHourAgo.replace(/\.\d+Z$/, "+00:00");
      for (const text of [anHourAgo, right, new Date(now).toISOString(), inAnHour]) {
        const reply = await context.send({ method: "GET", path: `${pathOf(id)}?since=${encodeURIComponent(text)}` });
        const isWhole = reply.status !== 200 || (isObject(reply.json) && reply.json.status !== undefined);
        const whyNeither = `a read with since=${text} is answered with neither 304 nor the message: ${inShort(reply)}`;
        context.expect("AHCP-GET-009", isWhole, whyNeither, "MUST");
        const isFitting = reply.status === 200 || (reply.status === 304 && reply.text === "");
        // A hub may refuse a time in the future, but must not crash.
        const level = reply.status < (text === inAnHour ? 500 : 400) ? "SHOULD" : undefined;
        context.expect(
          "AHCP-GET-009",
          isFitting,
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
        return context.skip(
          "AHCP-GET-009",
          "nothing ends, so that no read has changes to find",
          missingNeeds("resolve"),
        );
      const { id: endedId, end, second } = await endWithinSecond(context);
      const sinceTimes = [now - hourMs, ...(second === undefined ? [] : [second])];
      for (const text of sinceTimes.map((time) => new Date(time).toISOString())) {
        const { status } = await read(context, endedId, "a", { query: `?since=${encodeURIComponent(text)}` });
        // The specification does not define the comparison exactly, but by any reading an ask that has ended since then has changed.
        const why = `an ask that was answered at ${end} is said not to have changed since ${text}`;
        context.expect("AHCP-GET-009", status !== 304, why, "SHOULD");
      }
      if (second === undefined)
        context.skip(
          "AHCP-GET-009",
          "no ask was certainly answered within a second, so that a time compared to the second does not show",
        );
    },
  },
  {
    name: "reading-notify",
    says: "a notify can be read, as delivered and without a Response",
    rules: ["AHCP-GET-011"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const { id } = await submit(context, notify(context));
      for (const time of ["a first", "a second"]) {
        const reply = await read(context, id);
        const { status, json } = reply;
        const isShown = status === 200 && isObject(json) && json.status === "delivered" && json.response === undefined;
        const why = `${time} time a notify is not read as delivered: ${inShort(reply)}`;
        context.expect("AHCP-GET-011", isShown, why);
      }
    },
  },
];
