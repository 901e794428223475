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

/** An ended message, which must no longer change, with its first read. */
interface SettledMessage {
  description: string;
  id: string;
  firstRead: JsonObject;
}

/** A message, and the action that ends it. */
type MessageEnding = [description: string, message: JsonObject, end: (id: string) => Promise<unknown>];

/** Endings without a resolver. */
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

/** Submits messages with deadlines, and returns the expired ones. */
async function submitExpiring(context: ScenarioContext): Promise<{ description: string; id: string }[]> {
  const expiringCases: [description: string, createMessage: typeof ask, block: JsonObject][] = [
    ["an ask with an applied default", ask, { default_on_expire: "blue" }],
    ["an ask that expired", ask, {}],
    ["a task that expired", task, {}],
  ];
  const submittedMessages: { description: string; id: string }[] = [];
  let deadline = await deadlineIn(context, leadTime(context));
  for (const [description, createMessage, block] of expiringCases) {
    deadline = await deadlineIn(context, leadTime(context));
    submittedMessages.push({
      description,
      id: (await submit(context, createMessage(context, deadline.members, block))).id,
    });
  }
  await waitUntilDeadline(context, deadline, 1000);
  const expiredMessages = [];
  // Other rules test whether they expire.
  for (const message of submittedMessages)
    if ((await afterDeadline(context, message.id)).status === "expired") expiredMessages.push(message);
  return expiredMessages;
}

/** Reads a message. Reports it and returns undefined if the message is gone. */
async function readOnce(
  context: ScenarioContext,
  { description, id }: Omit<SettledMessage, "firstRead">,
  count: number,
) {
  const reply = await read(context, id);
  const isGone = reply.status === 404 || reply.status === 410;
  context.expect("AHCP-GET-004", !isGone, `read ${count} of ${description} finds nothing: ${inShort(reply)}`);
  return isGone ? undefined : reply;
}

/** Checks that another read equals the first one. */
async function checkReadsSame(
  context: ScenarioContext,
  { description, id, firstRead }: SettledMessage,
  count: number,
): Promise<boolean> {
  const reply = await readOnce(context, { description, id }, count);
  if (reply === undefined) return false;
  const current = reply.status === 200 && isObject(reply.json) ? reply.json : await readStored(context, id);
  const changedNames = Object.keys({ ...firstRead, ...current }).filter(
    (name) => !equal(firstRead[name] ?? null, current[name] ?? null),
  );
  const [firstPath] = changedNames.map((name) => `/${name}`);
  const difference = describeChange(firstPath, current, firstRead);
  const why = `read ${count} of ${description} differs from the first in ${changedNames.map((name) => `/${name}`).join(", ")}: ${difference}`;
  context.expect("AHCP-GET-004", changedNames.length === 0, why, reply);
  return changedNames.length === 0;
}

export const readingAgain: Scenario = {
  name: "reading-again",
  says: "every read of an ended message is the same, for every kind of outcome",
  rules: ["AHCP-GET-004"],
  needs: [],
  withinMs: 120_000,
  waits: 25_000,
  async play(context) {
    if (!context.has("resolve"))
      context.skip("AHCP-GET-004", "without a resolver, no resolved message is read again", missingNeeds("resolve"));
    const endingCases = [
      ...(context.has("resolve") ? endingsByResolver(context) : []),
      ...endingsWithoutResolver(context),
    ];
    const endedMessages: { description: string; id: string }[] = [];
    for (const [description, message, end] of endingCases) {
      const { id } = await submit(context, message);
      // If a hub wrongly caches reads, it shows this one again after the end.
      await readStored(context, id);
      await end(id);
      const { status } = await readStored(context, id);
      context.expect(
        "AHCP-GET-004",
        status !== "open",
        `${description} is still shown as "open" to an agent that has read it before`,
      );
      if (status !== "open") endedMessages.push({ description, id });
    }
    endedMessages.push(...(await submitExpiring(context)));
    let settledMessages: SettledMessage[] = [];
    for (const endedMessage of endedMessages)
      if (await readOnce(context, endedMessage, 1))
        settledMessages.push({ ...endedMessage, firstRead: await readStored(context, endedMessage.id) });
    for (let count = 2; count <= 6; count++) {
      await context.pass(context.has("clock") ? 12_000 : 1000);
      const unchangedMessages: SettledMessage[] = [];
      for (const settledMessage of settledMessages)
        if (await checkReadsSame(context, settledMessage, count)) unchangedMessages.push(settledMessage);
      settledMessages = unchangedMessages;
    }
  },
};
