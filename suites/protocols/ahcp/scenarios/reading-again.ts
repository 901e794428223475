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

/** An ended message that must not change any more, with its first read. */
interface SettledMessage {
  description: string;
  id: string;
  first: JsonObject;
}

/** How a message ends: a description, the message, and the action that ends it. */
type MessageEnding = [description: string, message: JsonObject, end: (id: string) => Promise<unknown>];

/** Endings that need no resolver. */
function endingsWithoutResolver(context: ScenarioContext): MessageEnding[] {
  return [
    ["an ask that was cancelled", ask(context, { state: { step: 1 } }), (id) => cancel(context, id)],
    ["a notify", notify(context), async () => {}],
  ];
}

function endingsByResolver(context: ScenarioContext): MessageEnding[] {
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

/** Submits messages with deadlines, and returns the messages that have expired. */
async function overdueMessages(context: ScenarioContext): Promise<{ description: string; id: string }[]> {
  const makers: [description: string, make: typeof ask, block: JsonObject][] = [
    ["an ask with an applied default", ask, { default_on_expire: "blue" }],
    ["an ask that expired", ask, {}],
    ["a task that expired", task, {}],
  ];
  const overdue: { description: string; id: string }[] = [];
  let deadline = await deadlineIn(context, leadTime(context));
  for (const [description, make, block] of makers) {
    deadline = await deadlineIn(context, leadTime(context));
    overdue.push({ description, id: (await submit(context, make(context, deadline.members, block))).id });
  }
  await waitUntilDeadline(context, deadline, 1000);
  const expiredMessages = [];
  // Another rule judges whether they expire.
  for (const message of overdue)
    if ((await afterDeadline(context, message.id)).status === "expired") expiredMessages.push(message);
  return expiredMessages;
}

/** Reads a message again; undefined if it is gone. */
async function readOnce(context: ScenarioContext, { description, id }: Omit<SettledMessage, "first">, count: number) {
  const reply = await read(context, id);
  const isGone = reply.status === 404 || reply.status === 410;
  context.expect("AHCP-GET-004", !isGone, `read ${count} of ${description} finds nothing: ${inShort(reply)}`);
  return isGone ? undefined : reply;
}

/** Checks that another read shows the same as the first. */
async function checkReadsSame(
  context: ScenarioContext,
  { description, id, first }: SettledMessage,
  count: number,
): Promise<boolean> {
  const reply = await readOnce(context, { description, id }, count);
  if (reply === undefined) return false;
  const current = reply.status === 200 && isObject(reply.json) ? reply.json : await readStored(context, id);
  const changedNames = Object.keys({ ...first, ...current }).filter(
    (name) => !equal(first[name] ?? null, current[name] ?? null),
  );
  const [place] = changedNames.map((name) => `/${name}`);
  const difference = describeChange(place, current, first);
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
    const endingCases = [
      ...(context.has("resolve") ? endingsByResolver(context) : []),
      ...endingsWithoutResolver(context),
    ];
    const endedMessages: { description: string; id: string }[] = [];
    for (const [description, message, end] of endingCases) {
      const { id } = await submit(context, message);
      // A hub that caches this read shows it again after the end.
      await readStored(context, id);
      await end(id);
      const { status } = await readStored(context, id);
      context.expect(
        "AHCP-GET-004",
        status !== "open",
        `${description} is still read as "open" by an agent that read it before`,
      );
      if (status !== "open") endedMessages.push({ description, id });
    }
    endedMessages.push(...(await overdueMessages(context)));
    let settled: SettledMessage[] = [];
    for (const endedMessage of endedMessages)
      if (await readOnce(context, endedMessage, 1))
        settled.push({ ...endedMessage, first: await readStored(context, endedMessage.id) });
    for (let count = 2; count <= 6; count++) {
      await context.pass(context.has("clock") ? 12_000 : 1000);
      const unchanged: SettledMessage[] = [];
      for (const settledMessage of settled)
        if (await checkReadsSame(context, settledMessage, count)) unchanged.push(settledMessage);
      settled = unchanged;
    }
  },
};
