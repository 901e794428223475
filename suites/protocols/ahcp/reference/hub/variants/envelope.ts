import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { blockOf } from "../lifecycle.ts";
import { correctHubPolicy } from "../policy.ts";
import { fault } from "../reply.ts";
import { instant } from "../time.ts";
import { fixNames, monthMs } from "./change.ts";
import { breaks, type HubVariant, memberObject } from "./variant.ts";

function matchesPatternsWhole({ schema = null, default_on_expire: answer = null }: JsonObject): boolean {
  if (!isObject(schema) || !isObject(answer)) return true;
  const properties = memberObject(schema, "properties");
  return Object.entries(answer).every(([name, value]) => {
    const { pattern } = memberObject(properties, name);
    return typeof pattern !== "string" || new RegExp(`^(?:${pattern})$`, "u").test(String(value));
  });
}

const badDefault = fault("invalid_field", "/request/default_on_expire does not fit the form");

const yearMs = 366 * 86_400_000;

/** Hubs that break a rule on the envelope of messages. */
export const envelopeVariants: readonly HubVariant[] = [
  ...breaks("AHCP-ENV-001", {
    case: [
      "accepts a misspelled member if the right one is missing",
      { refuseSender: (value) => void fixNames(value, false) },
    ],
  }),
  ...breaks("AHCP-ENV-004", {
    "": [
      "refuses a message that was created long ago, or in the future",
      {
        refuseContent: ({ created_at: createdAt }, { clock }) =>
          Math.abs((instant(String(createdAt)) ?? 0) - clock.now()) > yearMs
            ? fault("invalid_field", "/created_at is far from now")
            : undefined,
      },
    ],
  }),
  ...breaks("AHCP-ENV-005", {
    case: [
      "accepts a misspelled member of the agent if the right one is missing",
      { refuseSender: (value) => void (isObject(value) && fixNames(value.agent, false)) },
    ],
  }),
  ...breaks("AHCP-ENV-007", {
    "limit-utf16": [
      "counts titles in UTF-16 code units",
      {
        refuseContent: ({ title }) =>
          String(title).length > 200 ? fault("validation_error", "/title is too long") : undefined,
      },
    ],
    "limit-bytes": [
      "counts titles in bytes",
      {
        refuseContent: ({ title }) =>
          Buffer.byteLength(String(title)) > 200 ? fault("validation_error", "/title is too long") : undefined,
      },
    ],
  }),
  ...breaks("AHCP-ENV-021", {
    "": [
      "lets the agent choose the id",
      { idFor: (message, hub) => (typeof message.id === "string" ? message.id : correctHubPolicy.idFor(message, hub)) },
    ],
  }),
  ...breaks("AHCP-ENV-022", {
    "": ["shows all members that an agent sent", { shownMembers: (message) => message }],
    notify: [
      "shows all members of a notify",
      {
        shownMembers: (message, entry) =>
          message.type === "notify" ? message : correctHubPolicy.shownMembers(message, entry),
      },
    ],
  }),
  ...breaks("AHCP-ENV-023", {
    "": [
      "treats an equal client_ref as a repetition",
      {
        keyOf: (message) =>
          typeof message.client_ref === "string"
            ? JSON.stringify(["ref", message.client_ref])
            : correctHubPolicy.keyOf(message),
        isSame: (message, entry) => typeof message.client_ref === "string" || correctHubPolicy.isSame(message, entry),
      },
    ],
  }),
  ...breaks("AHCP-ENV-024", {
    pattern: [
      "anchors the pattern of a form when it checks a default",
      { refuseContent: (message) => (matchesPatternsWhole(blockOf(message)) ? undefined : badDefault) },
    ],
    month: [
      "refuses a deadline more than a month ahead",
      {
        refuseContent: ({ expires_at: deadline }, { clock }) =>
          typeof deadline === "string" && (instant(deadline) ?? 0) > clock.now() + monthMs
            ? fault("invalid_field", "/expires_at is too far ahead")
            : undefined,
      },
    ],
    "": [
      "refuses a task with a verification",
      {
        refuseContent: (message) =>
          memberObject(message, "action").verification === undefined
            ? undefined
            : fault("invalid_field", "/action/verification is not supported"),
      },
    ],
    seconds: [
      "counts deadlines in 32 bits of seconds, so that those after January 2038 are in the past",
      {
        isDeadlineAhead: (deadline, now) => (Math.floor((instant(deadline) ?? 0) / 1000) | 0) > Math.floor(now / 1000),
      },
    ],
    nanoseconds: [
      "counts deadlines in 64 bits of nanoseconds, so that those after April 2262 are in the past",
      {
        isDeadlineAhead: (deadline, now) =>
          BigInt.asIntN(64, BigInt(Math.floor(instant(deadline) ?? 0)) * 1_000_000n) >
          BigInt(Math.floor(now)) * 1_000_000n,
      },
    ],
  }),
];
