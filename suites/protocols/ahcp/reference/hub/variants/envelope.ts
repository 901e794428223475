import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { blockOf } from "../lifecycle.ts";
import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import { instant } from "../time.ts";
import { month, rename } from "./change.ts";
import { type HubVariant, inner } from "./variant.ts";

function isAnchored({ schema = null, default_on_expire: answer = null }: JsonObject): boolean {
  if (!isObject(schema) || !isObject(answer)) return true;
  const properties = inner(schema, "properties");
  return Object.entries(answer).every(([name, value]) => {
    const { pattern } = inner(properties, name);
    return typeof pattern !== "string" || new RegExp(`^(?:${pattern})$`, "u").test(String(value));
  });
}

const badDefault = fault("invalid_field", "/request/default_on_expire does not fit the form");

const year = 366 * 86_400_000;

/** Hubs that break a rule on the envelope of messages. */
export const envelopeVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-ENV-001",
    name: "case",
    says: "reads a member in another case if the defined one is missing",
    policy: { early: (value) => void rename(value, false) },
  },
  {
    rule: "AHCP-ENV-004",
    says: "refuses a message that was created long ago, or is yet to be",
    policy: {
      objects: ({ created_at: created }, { clock }) =>
        Math.abs((instant(String(created)) ?? 0) - clock.now()) > year
          ? fault("invalid_field", "/created_at is far from now")
          : undefined,
    },
  },
  {
    rule: "AHCP-ENV-005",
    name: "case",
    says: "reads a member of the agent in another case if the defined one is missing",
    policy: { early: (value) => void (isObject(value) && rename(value.agent, false)) },
  },
  {
    rule: "AHCP-ENV-007",
    name: "limit-utf16",
    says: "counts titles in UTF-16 code units",
    policy: {
      objects: ({ title }) =>
        String(title).length > 200 ? fault("validation_error", "/title is too long") : undefined,
    },
  },
  {
    rule: "AHCP-ENV-007",
    name: "limit-bytes",
    says: "counts titles in bytes",
    policy: {
      objects: ({ title }) =>
        Buffer.byteLength(String(title)) > 200 ? fault("validation_error", "/title is too long") : undefined,
    },
  },
  {
    rule: "AHCP-ENV-021",
    says: "lets the agent choose the id",
    policy: { idFor: (message, hub) => (typeof message.id === "string" ? message.id : right.idFor(message, hub)) },
  },
  {
    rule: "AHCP-ENV-022",
    says: "shows all members that an agent sent",
    policy: { echo: (message) => message },
  },
  {
    rule: "AHCP-ENV-022",
    name: "notify",
    says: "shows all members that came with a notify",
    policy: { echo: (message, entry) => (message.type === "notify" ? message : right.echo(message, entry)) },
  },
  {
    rule: "AHCP-ENV-023",
    says: "takes an equal client_ref for a repetition",
    policy: {
      keyOf: (message) =>
        typeof message.client_ref === "string" ? JSON.stringify(["ref", message.client_ref]) : right.keyOf(message),
      isSame: (message, entry) => typeof message.client_ref === "string" || right.isSame(message, entry),
    },
  },
  {
    rule: "AHCP-ENV-024",
    name: "pattern",
    says: "matches the pattern of a form against the whole text of a default",
    policy: { objects: (message) => (isAnchored(blockOf(message)) ? undefined : badDefault) },
  },
  {
    rule: "AHCP-ENV-024",
    name: "month",
    says: "takes no deadline that is further ahead than a month",
    policy: {
      objects: ({ expires_at: deadline }, { clock }) =>
        typeof deadline === "string" && (instant(deadline) ?? 0) > clock.now() + month
          ? fault("invalid_field", "/expires_at is too far ahead")
          : undefined,
    },
  },
  {
    rule: "AHCP-ENV-024",
    says: "refuses a task that says how it is verified",
    policy: {
      objects: (message) =>
        inner(message, "action").verification === undefined
          ? undefined
          : fault("invalid_field", "/action/verification is not wanted"),
    },
  },
  {
    rule: "AHCP-ENV-024",
    name: "seconds",
    says: "counts deadlines in 32 bits of seconds, so that those after January 2038 have passed",
    policy: { isAhead: (deadline, now) => (Math.floor((instant(deadline) ?? 0) / 1000) | 0) > Math.floor(now / 1000) },
  },
  {
    rule: "AHCP-ENV-024",
    name: "nanoseconds",
    says: "counts deadlines in 64 bits of nanoseconds, so that those after April 2262 have passed",
    policy: {
      isAhead: (deadline, now) =>
        BigInt.asIntN(64, BigInt(Math.floor(instant(deadline) ?? 0)) * 1_000_000n) >
        BigInt(Math.floor(now)) * 1_000_000n,
    },
  },
];
