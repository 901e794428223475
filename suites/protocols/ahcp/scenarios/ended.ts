import type { JsonObject, ScenarioContext } from "../../../../schemas/index.ts";
import { deadlineIn, leadTime, waitUntilDeadline } from "./deadline.ts";
import { ask, task } from "./messages.ts";
import { afterDeadline, cancel, readStored, redAnswer, resolveMessage, submit } from "./steps.ts";

/** A state with values that a hub may lose or change by mistake. */
export const fragileState: JsonObject = {
  none: null,
  no: false,
  zero: 0,
  empty: "",
  list: [],
  object: {},
  whole: [2 ** 31, -(2 ** 31) - 1, 2 ** 32, 1764150000000],
  fine: [0.12345678901234568, 1e-7, 9007199254740991],
  deep: { a: [1, 2.5, { b: null }] },
  long: "long ".repeat(500),
  "e\u0301": "\u00e9",
  é: "e\u0301",
  "\u2028": "<&>",
  ["__proto__"]: "own",
  "😀": "\u007f",
};

/** Ends messages with different outcomes, and returns each with its stored form. */
export async function endMessages(
  context: ScenarioContext,
  members: JsonObject,
): Promise<{ id: string; message: JsonObject; stored: JsonObject }[]> {
  const endedMessages = [];
  const endings: [createMessage: typeof ask, end: (id: string) => Promise<unknown>][] = [
    [ask, (id) => resolveMessage(context, id, redAnswer)],
    [ask, (id) => resolveMessage(context, id, { resolution: "declined" })],
    [task, (id) => resolveMessage(context, id, { resolution: "completed" })],
    [ask, (id) => cancel(context, id)],
  ];
  for (const [createMessage, end] of endings) {
    const message = createMessage(context, members);
    const { id } = await submit(context, message);
    await end(id);
    endedMessages.push({ id, message, stored: await readStored(context, id) });
  }
  const deadline = await deadlineIn(context, leadTime(context));
  const message = ask(context, { ...members, ...deadline.members }, { default_on_expire: "blue" });
  const { id } = await submit(context, message);
  await waitUntilDeadline(context, deadline, 1000);
  return [...endedMessages, { id, message, stored: await afterDeadline(context, id) }];
}
