import {
  equal,
  isObject,
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { deadlineIn, leadTime, reach } from "./deadline.ts";
import { becameOf } from "./lost-messages.ts";
import { ask, input, notify, task } from "./messages.ts";
import { afterDeadline, cancel, inShort, read, readStored, redAnswer, resolveMessage, submit } from "./steps.ts";

/** A message that nothing changes any more. */
interface Final {
  what: string;
  id: string;
  first: JsonObject;
}

/** The end of a message, and its description. */
type MessageEnding = [what: string, message: JsonObject, end: (id: string) => Promise<unknown>];

/** Ends without a party, only by time. */
function endingsAlone(context: ScenarioContext): MessageEnding[] {
  return [
    ["an ask that was cancelled", ask(context, { state: { step: 1 } }), (id) => cancel(context, id)],
    ["a notify", notify(context), async () => {}],
  ];
}

function byResolver(context: ScenarioContext): MessageEnding[] {
  const by = (given: JsonObject) => (id: string) => resolveMessage(context, id, given);
  return [
    ["an ask that was answered", ask(context, { state: { step: 3 } }), by(redAnswer)],
    ["a form that was filled in", ask(context, {}, input), by({ resolution: "answered", value: { note: "x" } })],
    ["an ask that was declined", ask(context), by({ resolution: "declined", comment: "No." })],
    ["a task that was completed", task(context), by({ resolution: "completed", comment: "Done." })],
    ["a task that was dismissed", task(context), by({ resolution: "dismissed" })],
  ];
}

/** Messages with deadlines that pass. */
async function overdueMessages(context: ScenarioContext): Promise<{ what: string; id: string }[]> {
  const makers: [what: string, make: typeof ask, block: JsonObject][] = [
    ["an ask with an applied default", ask, { default_on_expire: "blue" }],
    ["an ask that expired", ask, {}],
    ["a task that expired", task, {}],
  ];
  const all: { what: string; id: string }[] = [];
  let deadline = await deadlineIn(context, leadTime(context));
  for (const [what, make, block] of makers) {
    deadline = await deadlineIn(context, leadTime(context));
    all.push({ what, id: (await submit(context, make(context, deadline.members, block))).id });
  }
  await reach(context, deadline, 1000);
  const expired = [];
  // Another rule judges whether they expire.
  for (const each of all) if ((await afterDeadline(context, each.id)).status === "expired") expired.push(each);
  return expired;
}

/** The answer to another read; undefined if the message is gone. */
async function readOnce(context: ScenarioContext, { what, id }: Omit<Final, "first">, count: number) {
  const reply = await read(context, id);
  const isGone = reply.status === 404 || reply.status === 410;
  context.expect("AHCP-GET-004", !isGone, `read ${count} of ${what} finds nothing: ${inShort(reply)}`);
  return isGone ? undefined : reply;
}

/** Whether another read shows the same; otherwise the difference is reported. */
async function isSame(context: ScenarioContext, { what, id, first }: Final, count: number): Promise<boolean> {
  const reply = await readOnce(context, { what, id }, count);
  if (reply === undefined) return false;
  const now = reply.status === 200 && isObject(reply.json) ? reply.json : await readStored(context, id);
  const changed = Object.keys({ ...first, ...now }).filter((name) => !equal(first[name] ?? null, now[name] ?? null));
  const [place] = changed.map((name) => `/${name}`);
  const how = becameOf(place, now, first);
  const why = `read ${count} of ${what} differs from the first in ${changed.map((name) => `/${name}`).join(", ")}: ${how}`;
  context.expect("AHCP-GET-004", changed.length === 0, why, reply);
  return changed.length === 0;
}

export const readingAgain: Scenario = {
  name: "reading-again",
  says: "an ended message reads the same each time, for every kind of outcome",
  rules: ["AHCP-GET-004"],
  needs: [],
  withinMs: 120_000,
  waits: 25_000,
  async play(context) {
    if (!context.has("resolve"))
      context.skip("AHCP-GET-004", "a message that a resolver ends is not read again", missingNeeds("resolve"));
    const ends = [...(context.has("resolve") ? byResolver(context) : []), ...endingsAlone(context)];
    const ended: { what: string; id: string }[] = [];
    for (const [what, message, end] of ends) {
      const { id } = await submit(context, message);
      // A hub that caches a read shows it again.
      await readStored(context, id);
      await end(id);
      const { status } = await readStored(context, id);
      context.expect(
        "AHCP-GET-004",
        status !== "open",
        `${what} is still read as "open" by an agent that read it before`,
      );
      if (status !== "open") ended.push({ what, id });
    }
    ended.push(...(await overdueMessages(context)));
    let firm: Final[] = [];
    for (const each of ended)
      if (await readOnce(context, each, 1)) firm.push({ ...each, first: await readStored(context, each.id) });
    for (let count = 2; count <= 6; count++) {
      await context.pass(context.has("clock") ? 12_000 : 1000);
      const same: Final[] = [];
      for (const final of firm) if (await isSame(context, final, count)) same.push(final);
      firm = same;
    }
  },
};
