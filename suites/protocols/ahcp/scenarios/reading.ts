import {
  equal,
  type HttpReply,
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
} from "../../../../schemas/index.ts";
import { fullest } from "./fullest.ts";
import { lost } from "./lost.ts";
import { ask, notify } from "./messages.ts";
import {
  cancel,
  inShort,
  isClientError,
  isRefused,
  pathOf,
  read,
  resolved,
  similarTo,
  stored,
  submit,
} from "./steps.ts";

const dayMs = 86_400_000;

function isSameTime(one: Json, other: Json): boolean {
  const [a, b] = [one, other].map((time) => Date.parse(String(time)));
  return a !== undefined && Number.isFinite(a) && a === b;
}

/** Which of the messages one is, in words. */
function named({ type, request }: JsonObject): string {
  return type === "ask" ? `an ask to ${(request as JsonObject).mode}` : `a ${type}`;
}

/** A long read, and whether it has come back. */
function waiting(
  context: ScenarioContext,
  id: string,
  seconds: number | string,
): { reply: Promise<HttpReply>; isBack: () => boolean } {
  let back = false;
  const reply = read(context, id, "a", `?wait=${seconds}`, 70_000).finally(() => {
    back = true;
  });
  reply.catch(() => {});
  return { reply, isBack: () => back };
}

/** Reads an open ask with a long wait, and ends it meanwhile. */
async function waitFor(
  context: ScenarioContext,
  seconds: number,
  end: string,
  endIt: (id: string) => Promise<unknown>,
): Promise<void> {
  const { id } = await submit(context, ask(context));
  const { reply, isBack } = waiting(context, id, seconds);
  await moment(500);
  const early = isBack();
  await endIt(id);
  const ended = performance.now();
  // That it ends at all is another rule's matter.
  if ((await stored(context, id)).status !== end) return;
  const { json, at } = await reply;
  context.expect(
    "AHCP-GET-007",
    !early,
    `a read that waits ${seconds} seconds is answered at once, while the ask is open`,
  );
  if (early || !isObject(json)) return;
  const { status } = json;
  const isAlike = status === "open" || isObject(json.response);
  context.expect("AHCP-GET-002", isAlike, `the read that waited shows "${status}" without a Response`);
  context.expect("AHCP-GET-007", status === end, `the read that waited until the ask was ${end} shows "${status}"`);
  const late = Math.round((at - ended) / 1000);
  // A second is what is asked for; a busy machine gets some more.
  context.expect("AHCP-GET-007", late <= 5, `the read that waited came ${late} s after the ask was ${end}`);
}

/** The answer, if there is any in time. */
async function orNothing(reply: Promise<HttpReply>): Promise<HttpReply | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof TargetFailure && error.outcome === "timed-out") return undefined;
    throw error;
  }
}

/** Waits that are no numbers, or longer than anybody is held: to be brought into range, or refused. */
const oddWaits = ["0", "-1", "abc", "", "1e99", "99999999999999999999"];

const moment = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

export const reading: readonly Scenario[] = [
  {
    name: "reading-echo",
    says: "a message is read as it was submitted",
    rules: ["AHCP-GET-003"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const message of await fullest(context)) {
        const { id } = await submit(context, message);
        const shown = await stored(context, id);
        for (const [name, value] of Object.entries(message)) {
          const there = shown[name];
          const isTime = name.endsWith("_at") && there !== undefined && isSameTime(there, value);
          const place = lost(there, value, `/${name}`);
          const why = `${place} of ${named(message)} does not come back as it was submitted`;
          context.expect("AHCP-GET-003", place === undefined, why, isTime ? "SHOULD" : undefined);
        }
        if (message.type === "ask") await cancel(context, id);
      }
    },
  },
  {
    name: "reading-again",
    says: "what has ended is read the same each time",
    rules: ["AHCP-GET-004"],
    needs: ["resolve"],
    withinMs: 60_000,
    async play(context) {
      const { id } = await submit(context, ask(context, { state: { step: 3 } }));
      await resolved(context, id);
      const first = await stored(context, id);
      for (let reads = 2; reads <= 6; reads++) {
        await context.pass(context.has("clock") ? 12_000 : 1000);
        const reply = await read(context, id);
        const isGone = reply.status === 404 || reply.status === 410;
        const gone = `read ${reads} of an ask that was answered finds nothing more: ${inShort(reply)}`;
        context.expect("AHCP-GET-004", !isGone, gone);
        if (isGone) return;
        const isSame = equal(reply.status === 200 ? (reply.json ?? null) : await stored(context, id), first);
        context.expect("AHCP-GET-004", isSame, `read ${reads} of an ask that was answered differs from the first`);
      }
    },
  },
  {
    name: "reading-unknown",
    says: "an id that does not exist is not found, whatever it looks like",
    rules: ["AHCP-GET-005"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const { id } = await submit(context, ask(context));
      for (const unknown of [similarTo(id), "__proto__", "msg%41"]) {
        const reply = await read(context, unknown);
        const why = `the unknown id "${unknown}" is not answered 404 not_found: ${inShort(reply)}`;
        context.expect("AHCP-GET-005", isRefused(reply, 404, "not_found"), why);
      }
      for (const hostile of ["..%2f", "%00", `${"x".repeat(6000)}`]) {
        const reply = await context.send({ method: "GET", path: `/v1/messages/${hostile}` });
        const why = `the id ${hostile.slice(0, 8)} is not answered with a 4xx: ${inShort(reply)}`;
        context.expect("AHCP-GET-005", isClientError(reply), why);
      }
    },
  },
  {
    name: "reading-deleted",
    says: "what was deleted is gone for its submitter, and unknown to others",
    rules: ["AHCP-GET-006"],
    needs: ["delete", "second-credential"],
    withinMs: 30_000,
    async play(context) {
      const { id } = await submit(context, ask(context));
      await context.hook("delete", { id });
      const own = await read(context, id);
      context.expect("AHCP-GET-006", isRefused(own, 410, "gone"), `a deleted message is not gone: ${inShort(own)}`);
      const foreign = await read(context, id, "b");
      const why = `to another agent a deleted message shows that it was there: ${inShort(foreign)}`;
      context.expect("AHCP-GET-006", foreign.status !== 410, why, "SHOULD");
    },
  },
  {
    name: "reading-wait",
    says: "a read that waits is held until the message ends",
    rules: ["AHCP-GET-002", "AHCP-GET-007"],
    needs: ["resolve"],
    withinMs: 90_000,
    async play(context) {
      await waitFor(context, 50, "answered", (id) => resolved(context, id));
    },
  },
  {
    name: "reading-wait-cancelled",
    says: "a read that waits is held until the message is cancelled",
    rules: ["AHCP-GET-002", "AHCP-GET-007"],
    needs: [],
    withinMs: 90_000,
    async play(context) {
      await waitFor(context, 15, "cancelled", (id) => cancel(context, id));
    },
  },
  {
    name: "reading-wait-in-vain",
    says: "a wait that runs out shows the open message, and none is longer than a minute",
    rules: ["AHCP-GET-008"],
    needs: [],
    withinMs: 120_000,
    waits: 64_000,
    ownTimers: true,
    async play(context) {
      const { id } = await submit(
        context,
        ask(context, { expires_at: new Date((await context.now()) + dayMs).toISOString() }),
      );
      for (const seconds of [2, 600]) {
        const began = performance.now();
        const { reply, isBack } = waiting(context, id, seconds);
        await moment(200);
        // Not every hub's waits go by the clock that the hook moves.
        if (context.has("clock") && !isBack()) await context.pass(Math.min(seconds, 61) * 1000 + 500);
        const answer = await orNothing(reply);
        context.expect("AHCP-GET-008", answer !== undefined, `a read with wait=${seconds} is held without an end`);
        if (answer === undefined) continue;
        const held = Math.round((answer.at - began) / 1000);
        context.expect("AHCP-GET-008", held <= 65, `a read with wait=${seconds} is held for ${held} s`);
        // More than a hub will do may be refused as well.
        if (seconds > 60 && answer.status === 400) continue;
        const { json } = answer;
        const isOpen = answer.status === 200 && isObject(json) && json.status === "open";
        context.expect("AHCP-GET-008", isOpen, `wait=${seconds} ends in vain with ${inShort(answer)}`);
      }
    },
  },
  {
    name: "reading-wait-odd",
    says: "a wait that is no number, or too long, breaks nothing",
    rules: ["AHCP-GET-008"],
    needs: [],
    withinMs: 120_000,
    async play(context) {
      for (const text of oddWaits) {
        const { id } = await submit(context, ask(context));
        const began = performance.now();
        const { reply, isBack } = waiting(context, id, text);
        await moment(200);
        // Whoever is held is let go by the end of the ask.
        if (!isBack()) await orNothing(cancel(context, id));
        const answer = await orNothing(reply);
        // A gateway may lose its patience before the hub does.
        const isBroken = answer !== undefined && answer.status >= 500 && answer.status !== 504;
        const why = `a read with wait=${text} breaks the hub: ${answer === undefined ? "" : inShort(answer)}`;
        context.expect("AHCP-GET-008", !isBroken, why, "MUST");
        if (performance.now() - began > 10_000) return;
      }
    },
  },
  {
    name: "reading-since",
    says: "a read that asks for changes is answered, with or without them",
    rules: ["AHCP-GET-009"],
    needs: [],
    withinMs: 30_000,
    waits: 2000,
    async play(context) {
      const { id } = await submit(context, ask(context));
      await context.pass(2000);
      const now = await context.now();
      for (const time of [now - 3_600_000, now]) {
        const text = encodeURIComponent(new Date(time).toISOString());
        const reply = await context.send({ method: "GET", path: `${pathOf(id)}?since=${text}` });
        const isFine = reply.status === 200 || (reply.status === 304 && reply.text === "");
        const level = reply.status < 400 ? "SHOULD" : undefined;
        context.expect("AHCP-GET-009", isFine, `a valid since is answered with ${inShort(reply)}`, level);
      }
      if (!context.has("resolve")) return;
      await resolved(context, id);
      const before = encodeURIComponent(new Date(now - 3_600_000).toISOString());
      const { status } = await context.send({ method: "GET", path: `${pathOf(id)}?since=${before}` });
      // What the time is compared with is not said; but an ask that has ended since then has changed by any reading.
      const why = "an ask that was answered just now is said not to have changed for an hour";
      context.expect("AHCP-GET-009", status !== 304, why, "SHOULD");
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
      const reply = await read(context, id);
      const { json } = reply;
      const isShown =
        reply.status === 200 && isObject(json) && json.status === "delivered" && json.response === undefined;
      context.expect("AHCP-GET-011", isShown, `a notify is not read as delivered: ${inShort(reply)}`);
    },
  },
];
