import type { Json, JsonObject, ScenarioContext } from "../../../../schemas/index.ts";
import { deadlineIn } from "./deadline.ts";
import { ask, notify, task } from "./messages.ts";

const hour = 3_600_000;

/** Members that a message may have, each in a form that no reading forbids. */
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

/** The schema of an input. */
export const form: JsonObject = { type: "object", properties: { note: { type: "string" } }, required: ["note"] };

/** Messages that every hub accepts, each with its purpose. */
export async function answerableMessages(context: ScenarioContext): Promise<[purpose: string, message: JsonObject][]> {
  const { members } = await deadlineIn(context, hour);
  const laterDeadline = await deadlineIn(context, 60 * 24 * hour);
  const makers: [purpose: string, make: typeof ask][] = [
    ["notify", notify],
    ["ask", ask],
    ["task", task],
  ];
  const withOptionalMembers = Object.entries(optionalMembers).flatMap(([name, value]) =>
    makers.map(([purpose, make]): [string, JsonObject] => [
      `a ${purpose} with /${name}`,
      make(context, { [name]: name === "client_ref" ? context.fresh("ref") : value }),
    ]),
  );
  const { agent } = ask(context) as { agent: JsonObject };
  return [
    ["a bare notify", notify(context)],
    ["a notify with a key", notify(context, { idempotency_key: context.fresh("key") })],
    ["a select", ask(context)],
    ["a select with a default", ask(context, {}, { default_on_expire: "red" })],
    ["a select with a default of null", ask(context, {}, { default_on_expire: null })],
    ["an input", ask(context, {}, { mode: "input", schema: form, options: undefined as never })],
    ["a confirm", ask(context, {}, { mode: "confirm", options: undefined as never })],
    ["a confirm with options", ask(context, {}, { mode: "confirm" })],
    ["an ask with permissions", ask(context, {}, { permissions: { allow_ignore: false, allow_edit: true } })],
    ["an ask with a deadline", ask(context, members)],
    ["an ask with a deadline in two months", ask(context, laterDeadline.members)],
    ["an ask that is to be read", ask(context, {}, { callback: { mode: "pull" } })],
    ["a task", task(context)],
    ["a task with a checklist", task(context, {}, { checklist: [{ text: "one" }, { text: "two", done: true }] })],
    ["a task with a verification", task(context, {}, { verification: "See that it turns." })],
    ["a task with a deadline", task(context, members)],
    ["an agent with a project and labels", notify(context, { agent: { ...agent, project: "p", labels: { k: "v" } } })],
    ...withOptionalMembers,
  ];
}

/** Messages with more items than any example, for which no limit is published. */
export function numerousMessages(context: ScenarioContext): [purpose: string, message: JsonObject][] {
  const makeThirty = (make: (number: number) => Json): Json[] => Array.from({ length: 30 }, (_, index) => make(index));
  const options = makeThirty((number) => ({ value: `${number}`, label: `Option ${number}` }));
  return [
    ["tags", notify(context, { tags: makeThirty((number) => `tag ${number}`) })],
    ["options", ask(context, {}, { options })],
    ["items of a checklist", task(context, {}, { checklist: makeThirty((number) => ({ text: `Step ${number}.` })) })],
  ];
}
