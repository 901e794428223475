import type { Json, JsonObject, Level, ScenarioContext } from "../../../../schemas/index.ts";
import { ask, task } from "./messages.ts";

const hourMs = 3_600_000;

/** A message that differs from another message with the same key, and the member that differs. */
export interface MessageChange {
  at: string;
  changed: JsonObject;
  /** SHOULD if the protocol does not say whether this makes a different payload. */
  level?: Level;
}

/** Messages that any hub accepts. Each has variants that differ in one member and are also acceptable. */
export async function messageChanges(
  context: ScenarioContext,
): Promise<{ message: JsonObject; changedMessages: MessageChange[] }[]> {
  const now = await context.now();
  const title = context.fresh("ask");
  const deadline = (hours: number): JsonObject => ({ expires_at: new Date(now + hours * hourMs).toISOString() });
  const titleWith = (end: string): JsonObject => ({ title: `${title} ${end}` });
  const askWithDeadline = ask(context, { ...deadline(24), ...titleWith("Aa") });
  const taskWithDeadline = task(context, deadline(24));
  const baseAsk = ask(context, deadline(24));
  const countWith = (value: Json): JsonObject => ({
    ...baseAsk,
    request: { mode: "input", schema: countSchema(value) },
  });
  return [
    {
      message: askWithDeadline,
      changedMessages: [
        { at: "title", changed: { ...askWithDeadline, title: context.fresh("other") } },
        // Java's 32-bit string hash (factor 31) is the same for both titles.
        { at: "title (BB for Aa)", changed: { ...askWithDeadline, ...titleWith("BB") } },
        { at: "expires_at", changed: { ...askWithDeadline, ...deadline(25) } },
        ...changeWithin(askWithDeadline, "request", {
          default_on_expire: "red",
          options: [
            { value: "red", label: "Red" },
            { value: "blue", label: "Green" },
          ],
          permissions: { allow_ignore: false },
          allowed_resolvers: ["human:tester", "human:other"],
          callback: { mode: "pull" },
        }),
        ...changeWithin(askWithDeadline, "request", {
          options: [
            { value: "blue", label: "Blue" },
            { value: "red", label: "Red" },
          ],
        }),
        ...optionalChanges(askWithDeadline),
      ],
    },
    {
      message: countWith(1),
      changedMessages: [{ at: 'request.schema ("1" for 1)', changed: countWith("1") }],
    },
    {
      message: taskWithDeadline,
      changedMessages: changeWithin(taskWithDeadline, "action", {
        instructions: "Turn it back.",
        checklist: [{ text: "Look." }],
        verification: "It is turned.",
        allowed_resolvers: ["human:tester", "human:other"],
        callback: { mode: "pull" },
      }),
    },
  ];
}

/** A form with one field, which accepts only this value. */
function countSchema(value: Json): JsonObject {
  return { type: "object", properties: { count: { const: value } } };
}

function changeWithin(message: JsonObject, block: "request" | "action", members: JsonObject): MessageChange[] {
  return Object.entries(members).map(([name, value]) => ({
    at: `${block}.${name}`,
    changed: { ...message, [block]: { ...(message[block] as JsonObject), [name]: value } },
  }));
}

function optionalChanges(message: JsonObject): MessageChange[] {
  const members: JsonObject = {
    body: "Another.",
    priority: "high",
    tags: ["other"],
    state: { other: true },
    context: [{ kind: "text", text: "Another." }],
  };
  return Object.entries(members).map(([at, value]) => ({ at, changed: { ...message, [at]: value }, level: "SHOULD" }));
}
