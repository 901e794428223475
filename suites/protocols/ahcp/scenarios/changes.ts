import type { Json, JsonObject, Level, ScenarioContext } from "../../../../schemas/index.ts";
import { ask, task } from "./messages.ts";

const hour = 3_600_000;

/** A message with the key of another, and the place of the difference. */
export interface MessageChange {
  at: string;
  other: JsonObject;
  /** Below MUST if the protocol does not say whether it is another payload. */
  level?: Level;
}

/** Messages that any hub accepts, each with acceptable messages that differ from it in one member. */
export async function changes(context: ScenarioContext): Promise<{ message: JsonObject; others: MessageChange[] }[]> {
  const now = await context.now();
  const title = context.fresh("ask");
  const deadline = (hours: number): JsonObject => ({ expires_at: new Date(now + hours * hour).toISOString() });
  const titleWith = (end: string): JsonObject => ({ title: `${title} ${end}` });
  const asked = ask(context, { ...deadline(24), ...titleWith("Aa") });
  const done = task(context, deadline(24));
  const blank = ask(context, deadline(24));
  const countWith = (value: Json): JsonObject => ({ ...blank, request: { mode: "input", schema: countSchema(value) } });
  return [
    {
      message: asked,
      others: [
        { at: "title", other: { ...asked, title: context.fresh("other") } },
        // The usual hash of a text, with the factor 31 in 32 bits, is the same for both.
        { at: "title (BB for Aa)", other: { ...asked, ...titleWith("BB") } },
        { at: "expires_at", other: { ...asked, ...deadline(25) } },
        ...changeWithin(asked, "request", {
          default_on_expire: "red",
          options: [
            { value: "red", label: "Red" },
            { value: "blue", label: "Green" },
          ],
          permissions: { allow_ignore: false },
          allowed_resolvers: ["human:tester", "human:other"],
          callback: { mode: "pull" },
        }),
        ...changeWithin(asked, "request", {
          options: [
            { value: "blue", label: "Blue" },
            { value: "red", label: "Red" },
          ],
        }),
        ...lesser(asked),
      ],
    },
    {
      message: countWith(1),
      others: [{ at: 'request.schema ("1" for 1)', other: countWith("1") }],
    },
    {
      message: done,
      others: changeWithin(done, "action", {
        instructions: "Turn it back.",
        checklist: [{ text: "Look." }],
        verification: "It is turned.",
        allowed_resolvers: ["human:tester", "human:other"],
        callback: { mode: "pull" },
      }),
    },
  ];
}

/** A form with one field that accepts only this value. */
function countSchema(value: Json): JsonObject {
  return { type: "object", properties: { count: { const: value } } };
}

function changeWithin(message: JsonObject, block: "request" | "action", members: JsonObject): MessageChange[] {
  return Object.entries(members).map(([name, value]) => ({
    at: `${block}.${name}`,
    other: { ...message, [block]: { ...(message[block] as JsonObject), [name]: value } },
  }));
}

function lesser(message: JsonObject): MessageChange[] {
  const members: JsonObject = {
    body: "Another.",
    priority: "high",
    tags: ["other"],
    state: { other: true },
    context: [{ kind: "text", text: "Another." }],
  };
  return Object.entries(members).map(([at, value]) => ({ at, other: { ...message, [at]: value }, level: "SHOULD" }));
}
