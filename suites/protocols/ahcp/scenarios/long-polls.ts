import {
  type HttpReply,
  isObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
} from "../../../../schemas/index.ts";
import { ask } from "./messages.ts";
import { cancel, inShort, read, resolved, stored, submit } from "./steps.ts";

const dayMs = 86_400_000;

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
  // Said at once, so that this read is among the last exchanges.
  context.expect(
    "AHCP-GET-007",
    !early,
    `a read that waits ${seconds} seconds is answered at once, while the ask is open`,
  );
  const others = early || (await orNothing(read(context, id))) !== undefined;
  context.expect("AHCP-GET-007", others, "while a read waits, the hub answers no other");
  if (!others) {
    // Nothing else is answered before.
    await orNothing(reply);
    return;
  }
  await endIt(id);
  const ended = performance.now();
  // That it ends at all is another rule's matter.
  if ((await stored(context, id)).status !== end) return;
  const { json, at } = await reply;
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
const oddWaits = ["0", "-1", "1.5", "abc", "", "1e99", "99999999999999999999", "1&since=2001-01-01T00:00:00Z"];

const moment = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

export const longPolls: readonly Scenario[] = [
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
];
