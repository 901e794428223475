import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";

/** A switchable mistake of the hub. */
export interface Bug {
  name: string;
  /** The rules that it breaks, without the name of the protocol; `no rule` if it refuses a valid message. */
  rules: readonly string[];
  /** Repairs a message that should be refused, in place. */
  forgives?(message: JsonObject): void;
  /** Refuses a message that should be accepted. */
  refuses?(message: JsonObject): boolean;
}

/** Deletes a member with an invalid value. */
function dropMember(name: string, isValid: (value: Json) => boolean): NonNullable<Bug["forgives"]> {
  return (message) => {
    if (Object.hasOwn(message, name) && !isValid(message[name] as Json)) delete message[name];
  };
}

/** Applies a repair to the object in a member. */
function forgiveWithin(name: string, forgives: NonNullable<Bug["forgives"]>): NonNullable<Bug["forgives"]> {
  return (message) => {
    const part = message[name];
    if (isObject(part)) forgives(part);
  };
}

const isString = (value: Json): boolean => typeof value === "string";
const isTime = (value: Json): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value));

/** Twenty mistakes of hubs. Most ignore or correct a value that a receiver must refuse. */
export const bugs: readonly Bug[] = [
  {
    name: "cuts long titles",
    rules: ["ENV-007"],
    forgives(message) {
      if (typeof message.title === "string") message.title = [...message.title].slice(0, 200).join("");
    },
  },
  {
    name: "accepts an empty title",
    rules: ["ENV-007"],
    forgives(message) {
      if (message.title === "") message.title = "-";
    },
  },
  { name: "ignores an unknown priority", rules: ["ENV-010"], forgives: dropMember("priority", isPriority) },
  { name: "ignores tags that are not a list", rules: ["ENV-011"], forgives: dropMember("tags", Array.isArray) },
  { name: "ignores a context that is not a list", rules: ["ENV-012"], forgives: dropMember("context", Array.isArray) },
  { name: "ignores a state that is not an object", rules: ["ENV-013"], forgives: dropMember("state", isObject) },
  { name: "ignores a reference that is not a text", rules: ["ENV-014"], forgives: dropMember("client_ref", isString) },
  { name: "ignores a body that is not a text", rules: ["ENV-009"], forgives: dropMember("body", isString) },
  { name: "ignores a deadline that is not a time", rules: ["ENV-016"], forgives: dropMember("expires_at", isTime) },
  {
    name: "ignores a mark that is not a boolean",
    rules: ["ENV-017"],
    forgives: dropMember("sensitive", (value) => typeof value === "boolean"),
  },
  {
    name: "accepts a number as the time of creation",
    rules: ["ENV-003"],
    forgives(message) {
      if (Object.hasOwn(message, "created_at") && !isString(message.created_at as Json))
        message.created_at = "2026-01-15T09:30:00Z";
    },
  },
  {
    name: "invents a missing key",
    rules: ["ENV-015"],
    forgives(message) {
      if (message.type !== "notify" && !isString(message.idempotency_key ?? null)) message.idempotency_key = "own";
    },
  },
  {
    name: "accepts any text as a runtime",
    rules: ["ENV-005"],
    forgives: forgiveWithin("agent", (agent) => {
      if (isString(agent.runtime ?? null)) agent.runtime = "other";
    }),
  },
  { name: "ignores labels", rules: ["ENV-006"], forgives: forgiveWithin("agent", (agent) => void delete agent.labels) },
  {
    name: "ignores permissions that are not an object",
    rules: ["ASK-014"],
    forgives: forgiveWithin("request", dropMember("permissions", isObject)),
  },
  {
    name: "ignores a checklist that is not a list",
    rules: ["TSK-002"],
    forgives: forgiveWithin("action", dropMember("checklist", Array.isArray)),
  },
  {
    name: "ignores a verification that is not a text",
    rules: ["TSK-003"],
    forgives: forgiveWithin("action", dropMember("verification", isString)),
  },
  {
    name: "turns a number of the instructions into a text",
    rules: ["TSK-001"],
    forgives: forgiveWithin("action", (action) => {
      if (typeof action.instructions === "number") action.instructions = String(action.instructions);
    }),
  },
  {
    name: "refuses an empty list of tags",
    rules: ["no rule"],
    refuses: ({ tags }) => Array.isArray(tags) && tags.length === 0,
  },
  {
    name: "counts UTF-16 units of titles",
    rules: ["ENV-007"],
    refuses: ({ title }) => typeof title === "string" && title.length > 200 && [...title].length <= 200,
  },
];

function isPriority(value: Json): boolean {
  return typeof value === "string" && /^(low|normal|high|urgent)$/.test(value);
}
