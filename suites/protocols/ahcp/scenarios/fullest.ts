import type { JsonObject, ScenarioContext } from "../../../../schemas/index.ts";
import { ask, notify, task } from "./messages.ts";
import { fitMessage } from "./published.ts";

const dayMs = 86_400_000;

/** A string with surrounding white space and decomposed characters, which a hub must return unchanged. */
const awkwardText = " \u00a0“e\u0301”\u3000\u00e9 & <ﬀ> 😀 ";

const pullCallback: JsonObject = { mode: "pull" };
const resolvers = ["human:tester", "human: Zo\u00eb ", "agent:other/1"];

/** The optional members that all types have, with values that a hub may change by mistake. */
async function makeMembers(context: ScenarioContext): Promise<JsonObject> {
  return {
    body: "  \tLine one\r\n\n- **two** – “three” & <four>\u00a0\n ",
    priority: "high",
    tags: [" b ", "B", "a", "a", "", "e\u0301"],
    context: [
      { kind: "text", text: "\n t ", metadata: { n: 1, " M ": " v ", deep: { list: [{}] } } },
      { kind: "text", text: "", metadata: {} },
      {
        kind: "data",
        data: { list: [1, 2.5, null, false, ""], deep: { e: {} }, nothing: null },
        metadata: { no: false },
      },
      {
        kind: "file",
        file: { uri: "https://files.example/a?b=c#d", name: " a b.txt", mime_type: "text/plain" },
        metadata: { list: [] },
      },
      { kind: "text", text: "", metadata: {} },
    ],
    state: {
      sealed: "k1.abc",
      nothing: null,
      no: false,
      zero: 0,
      empty: "",
      list: [],
      object: {},
      time: 1764150000000,
      "e\u0301": "ﬀ",
    },
    client_ref: context.fresh(" ref"),
    expires_at: new Date((await context.now()) + dayMs).toISOString(),
    sensitive: false,
  };
}

/** The optional members that may be present and empty. */
const emptyMembers: JsonObject = { body: "", tags: [], context: [], state: {}, client_ref: "" };

/** Adds all optional members of `agent`, and awkward characters to the title. */
function withAgentMembers(message: JsonObject, labels: JsonObject, project: string): JsonObject {
  const agent = { ...(message.agent as JsonObject), project, labels };
  return { ...message, agent, title: ` ${awkwardText}${message.title} ` };
}

const choiceMembers: JsonObject = {
  options: [
    { value: "red", label: " Red ", description: awkwardText },
    { value: " blue", label: "", description: "" },
  ],
  permissions: { allow_accept: true, allow_edit: false, allow_respond: true, allow_ignore: false },
  default_on_expire: " blue",
};
const confirmMembers: JsonObject = {
  mode: "confirm",
  options: [
    { value: "approve", label: "Do it", description: " now " },
    { value: "deny", label: "Leave it", description: "" },
  ],
};
const inputMembers: JsonObject = {
  mode: "input",
  options: undefined as never,
  schema: {
    type: "object",
    title: awkwardText,
    properties: { note: { type: "string", description: " why " }, count: { type: "number" } },
    required: ["note"],
  },
  default_on_expire: { note: " \u00e9 ", count: 0.5 },
};
const taskMembers: JsonObject = {
  checklist: [
    { text: " first ", done: true },
    { text: "", done: false },
    { text: "e\u0301", done: true },
  ],
  verification: ` look twice${awkwardText}`,
  instructions: "  Turn the key.\r\n\tThen wait. ",
};

/** Messages of each type and mode with all members, and some with empty members. Any hub accepts them, unless it publishes lower limits. */
export async function fullestMessages(context: ScenarioContext): Promise<JsonObject[]> {
  const optionalMembers = await makeMembers(context);
  const labels = { " Team ": " Zo\u00eb ", "a.b/c": "", "": "e\u0301", A: "1", a: "2", "on-call": "3" };
  const block = { allowed_resolvers: resolvers, callback: pullCallback };
  const messages = [
    withAgentMembers(
      notify(context, { ...optionalMembers, idempotency_key: context.fresh(" key ") }),
      labels,
      awkwardText,
    ),
    withAgentMembers(ask(context, optionalMembers, { ...block, ...choiceMembers }), labels, awkwardText),
    withAgentMembers(ask(context, optionalMembers, { ...block, ...confirmMembers }), labels, awkwardText),
    withAgentMembers(
      ask(context, { ...optionalMembers, sensitive: true }, { ...block, ...inputMembers }),
      labels,
      awkwardText,
    ),
    withAgentMembers(task(context, optionalMembers, { ...block, ...taskMembers }), labels, awkwardText),
    withAgentMembers(notify(context, emptyMembers), {}, ""),
    withAgentMembers(ask(context, emptyMembers, { permissions: {} }), {}, ""),
    withAgentMembers(task(context, emptyMembers, { checklist: [], verification: "" }), {}, ""),
  ];
  return Promise.all(messages.map((message) => fitMessage(context, message)));
}
