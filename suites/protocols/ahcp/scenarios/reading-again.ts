import {
  equal,
  isObject,
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { deadlineIn, leadTime, waitUntilDeadline } from "./deadline.ts";
import { describeChange } from "./lost-messages.ts";
import { ask, input, notify, task } from "./messages.ts";
import { afterDeadline, cancel, inShort, read, readStored, redAnswer, resolveMessage, submit } from "./steps.ts";

/** A message that nothing changes any more. */
interface SettledMessage {
  description: string;
  id: string;
  first: JsonObject;
}

/** The end of a message, and its description. */
type MessageEnding = [description: string, message: JsonObject, end: (id: string) => Promise<unknown>];

/** Ends without a party, only by time. */
function endingsAlone(context: ScenarioContext): MessageEnding[] {
  return [
    ["an ask that was cancelled", ask(context, { state: { step: 1 } }), (id) => cancel(context, id)],
    ["a notify", notify(context), async () => {}],
  ];
}

function byResolver(context: ScenarioContext): MessageEnding[] {
  const resolveWith = (ending: JsonObject) => (id: string) => resolveMessage(context, id, ending);
  return [
    ["an ask that was answered", ask(context, { state: { step: 3 } }), resolveWith(redAnswer)],
    [
      "a form that was filled in",
      ask(context, {}, input),
      resolveWith({ resolution: "answered", value: { note: "x" } }),
    ],
    ["an ask that was declined", ask(context), resolveWith({ resolution: "declined", comment: "No." })],
    ["a task that was completed", task(context), resolveWith({ resolution: "completed", comment: "Done." })],
    ["a task that was dismissed", task(context), resolveWith({ resolution: "dismissed" })],
  ];
}

/** Messages with deadlines that pass. */
async function overdueMessages(context: ScenarioContext): Promise<{ description: string; id: string }[]> {
  const makers: [description: string, make: typeof ask, block: JsonObject][] = [
    ["an ask with an applied default", ask, { default_on_expire: "blue" }],
    ["an ask that expired", ask, {}],
    ["a task that expired", task, {}],
  ];
  const all: { description: string; id: string }[] = [];
  let deadline = await deadlineIn(context, leadTime(context));
  for (const [what, make, block] of makers) {
    deadline = await deadlineIn(context, leadTime(context));
    all.push({ description: what, id: (await submit(context, make(context, deadline.members, block))).id });
  }
  await waitUntilDeadline(context, deadline, 1000);
  const expiredMessages = [];
  // Another rule judges whether they expire.
  for (const each of all) if ((await afterDeadline(context, each.id)).status === "expired") expiredMessages.push(each);
  return expiredMessages;
}

/** The answer to another read; undefined if the message is gone. */
async function readOnce(context: ScenarioContext, { description, id }: Omit<SettledMessage, "first">, count: number) {
  const reply = await read(context, id);
  const isGone = reply.status === 404 || reply.status === 410;
  context.expect("AHCP-GET-004", !isGone, `read ${count} of ${description} finds nothing: ${inShort(reply)}`);
  return isGone ? undefined : reply;
}

/** Whether another read shows the same; otherwise the difference is reported. */
async function checkReadsSame(
  context: ScenarioContext,
  { description, id, first }: SettledMessage,
  count: number,
): Promise<boolean> {
  const reply = await readOnce(context, { description, id }, count);
  if (reply === undefined) return false;
  const now = reply.status === 200 && isObject(reply.json) ? reply.json : await readStored(context, id);
  const changedNames = Object.keys({ ...first, ...now }).filter(
    (name) => !equal(first[name] ?? null, now[name] ?? null),
  );
  const [place] = changedNames.map((name) => `/${name}`);
  const difference = describeChange(place, now, first);
  const why = `read ${count} of ${description} differs from the first in ${changedNames.map((name) => `/${name}`).join(", ")}: ${difference}`;
  context.expect("AHCP-GET-004", changedNames.length === 0, why, reply);
  return changedNames.length === 0;
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
    const endingCases = [...(context.has("resolve") ? byResolver(context) : []), ...endingsAlone(context)];
    const endedMessages: { description: string; id: string }[] = [];
    for (const [what, message, end] of endingCases) {
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
      if (status !== "open") endedMessages.push({ description: what, id });
    }
    endedMessages.push(...(await overdueMessages(context)));
    let firm: SettledMessage[] = [];
    for (const each of endedMessages)
      if (await readOnce(context, each, 1)) firm.push({ ...each, first: await readStored(context, each.id) });
    for (let count = 2; count <= 6; count++) {
      await context.pass(context.has("clock") ? 12_000 : 1000);
      const unchanged: SettledMessage[] = [];
      for (const final of firm) if (await checkReadsSame(context, final, count)) unchanged.push(final);
      firm = unchanged;
    }
  },
};
