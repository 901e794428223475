import type { Json, JsonObject, ScenarioContext } from "../../../../schemas/index.ts";
import { deadlineIn } from "./deadline.ts";
import { ask, notify, task } from "./messages.ts";

const hourMs = 3_600_000;

/** Optional members of a message, each with a value that is valid in every interpretation of the protocol. */
const optionalMembers: JsonObject = {
  client_ref: "",
  body: "Some *text*.",
  priority: "urgent",
  tags: [],
  context: [
    { kind: "text", text: "" },
    { kind: "data", data: {} },
  ],
  state: {},
  sensitive: false,
};

/** The schema of the ask with the mode `input`. */
export const noteSchema: JsonObject = { type: "object", properties: { note: { type: "string" } }, required: ["note"] };

/** Valid messages that every hub must accept. */
export async function answerableMessages(context: ScenarioContext): Promise<[purpose: string, message: JsonObject][]> {
  const { members } = await deadlineIn(context, hourMs);
  const laterDeadline = await deadlineIn(context, 60 * 24 * hourMs);
  const messageKinds: [purpose: string, createMessage: typeof ask][] = [
    ["notify", notify],
    ["ask", ask],
    ["task", task],
  ];
  const withOptionalMembers = Object.entries(optionalMembers).flatMap(([name, value]) =>
    messageKinds.map(([purpose, createMessage]): [string, JsonObject] => [
      `a ${purpose} with /${name}`,
      createMessage(context, { [name]: name === "client_ref" ? context.fresh("ref") : value }),
    ]),
  );
  const { agent } = ask(context) as { agent: JsonObject };
  return [
    ["a bare notify", notify(context)],
    ["a notify with a key", notify(context, { idempotency_key: context.fresh("key") })],
    ["a select", ask(context)],
    ["a select with a default", ask(context, {}, { default_on_expire: "red" })],
    ["a select with a default of null", ask(context, {}, { default_on_expire: null })],
    ["an input", ask(context, {}, { mode: "input", schema: noteSchema, options: undefined as never })],
    ["a confirm", ask(context, {}, { mode: "confirm", options: undefined as never })],
    ["a confirm with options", ask(context, {}, { mode: "confirm" })],
    ["an ask with permissions", ask(context, {}, { permissions: { allow_ignore: false, allow_edit: true } })],
    ["an ask with a deadline", ask(context, members)],
    ["an ask with a deadline in two months", ask(context, laterDeadline.members)],
    ["an ask with a pull callback", ask(context, {}, { callback: { mode: "pull" } })],
    ["a task", task(context)],
    ["a task with a checklist", task(context, {}, { checklist: [{ text: "one" }, { text: "two", done: true }] })],
    ["a task with a verification", task(context, {}, { verification: "Check that it turns." })],
    ["a task with a deadline", task(context, members)],
    ["an agent with a project and labels", notify(context, { agent: { ...agent, project: "p", labels: { k: "v" } } })],
    ...withOptionalMembers,
  ];
}

/** Messages with more items than any example has. The protocol has no limits for them. */
export function numerousMessages(context: ScenarioContext): [purpose: string, message: JsonObject][] {
  const makeThirty = (createItem: (number: number) => Json): Json[] =>
    Array.from({ length: 30 }, (_, index) => createItem(index));
  const options = makeThirty((number) => ({ value: `${number}`, label: `Option ${number}` }));
  return [
    ["tags", notify(context, { tags: makeThirty((number) => `tag ${number}`) })],
    ["options", ask(context, {}, { options })],
    ["items of a checklist", task(context, {}, { checklist: makeThirty((number) => ({ text: `Step ${number}.` })) })],
  ];
}
