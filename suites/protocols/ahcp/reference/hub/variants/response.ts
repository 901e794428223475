import { randomBytes } from "node:crypto";
import type { Json, JsonObject } from "../../../../../../schemas/index.ts";
import { defaultActor } from "../envelope.ts";
import { right } from "../policy.ts";
import type { Entry } from "../store.ts";
import { timestamp } from "../time.ts";
import { type HubVariant, inner, without } from "./variant.ts";

let counted = 0;

/** Changes the Response of messages that end in some way. */
function enveloped(
  is: (envelope: JsonObject, entry: Entry) => boolean,
  change: (envelope: JsonObject) => JsonObject,
): HubVariant["policy"] {
  return { envelope: (envelope, entry) => (is(envelope, entry) ? change(envelope) : envelope) };
}

function within(change: (response: JsonObject) => JsonObject): (envelope: JsonObject) => JsonObject {
  return (envelope) => ({ ...envelope, response: change(inner(envelope, "response")) });
}

function later(time: Json | undefined, milliseconds: number): string {
  return timestamp(Date.parse(String(time)) + milliseconds);
}

const modeOf = ({ message }: Entry): string => String(inner(message, "request").mode);

/** What a Response says. */
export const responseVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-RSP-007",
    says: "calls a dismissed task declined",
    policy: enveloped(
      ({ resolution }) => resolution === "dismissed",
      (envelope) => ({ ...envelope, resolution: "declined" }),
    ),
  },
  {
    rule: "AHCP-RSP-008",
    says: "does not say who declined",
    policy: enveloped(
      ({ resolution }) => resolution === "declined",
      (envelope) => without(envelope, "response"),
    ),
  },
  {
    rule: "AHCP-RSP-009",
    says: "gives a completed task a value",
    policy: enveloped(
      ({ resolution }) => resolution === "completed",
      within((response) => ({ ...response, value: "done" })),
    ),
  },
  {
    rule: "AHCP-RSP-010",
    says: "wraps the answer to a select in an object",
    policy: enveloped(
      ({ resolution }, entry) => resolution === "answered" && modeOf(entry) === "select",
      within((response) => ({ ...response, value: { value: response.value ?? "" } })),
    ),
  },
  {
    rule: "AHCP-RSP-010",
    name: "texts",
    says: "makes texts of what is filled in",
    policy: enveloped(
      (_, entry) => modeOf(entry) === "input",
      within((response) => {
        const texts = Object.entries(inner(response, "value")).map(([name, value]) => [name, String(value)]);
        return response.value === undefined ? response : { ...response, value: Object.fromEntries(texts) };
      }),
    ),
  },
  {
    rule: "AHCP-RSP-011",
    says: "loses the answer to a confirm",
    policy: enveloped(
      ({ resolution }, entry) => resolution === "answered" && modeOf(entry) === "confirm",
      within((response) => without(response, "value")),
    ),
  },
  {
    rule: "AHCP-RSP-012",
    says: "names the actor of an applied default for whoever declined",
    policy: enveloped(
      ({ resolution }) => resolution === "declined",
      within((response) => ({ ...response, actor: defaultActor })),
    ),
  },
  {
    rule: "AHCP-RSP-013",
    says: "tidies the state up",
    policy: enveloped(
      ({ state }) => state !== undefined,
      (envelope) => {
        const state = Object.entries(inner(envelope, "state")).filter(([, value]) => Boolean(value));
        return { ...envelope, state: Object.fromEntries(state) };
      },
    ),
  },
  {
    rule: "AHCP-RSP-013",
    name: "empty",
    says: "takes an empty state for none",
    policy: enveloped(
      ({ state }) => state !== undefined && JSON.stringify(state) === "{}",
      ({ state: _, ...envelope }) => envelope,
    ),
  },
  {
    rule: "AHCP-RSP-013",
    name: "rounded",
    says: "keeps ten decimals of the numbers in a state",
    policy: enveloped(
      ({ state }) => state !== undefined,
      ({ state, ...envelope }) => ({
        ...envelope,
        state: JSON.parse(JSON.stringify(state), (_, value) =>
          typeof value === "number" ? Number(value.toFixed(10)) : value,
        ),
      }),
    ),
  },
  {
    rule: "AHCP-RSP-014",
    says: "does not know in which run a message was submitted",
    policy: enveloped(
      () => true,
      (envelope) => ({ ...envelope, agent: { ...inner(envelope, "agent"), run_id: "unknown" } }),
    ),
  },
  {
    rule: "AHCP-RSP-015",
    says: "gives each push a resolution_id of its own",
    policy: {
      pushed: (envelope) => ({ ...envelope, resolution_id: `res_${randomBytes(8).toString("hex")}` }),
    },
  },
  {
    rule: "AHCP-RSP-016",
    says: "counts its resolutions",
    policy: enveloped(
      () => true,
      (envelope) => {
        counted += 1;
        return { ...envelope, resolution_id: `res_${counted}` };
      },
    ),
  },
  {
    rule: "AHCP-RSP-017",
    says: "puts the digest into the body",
    policy: enveloped(
      () => true,
      (envelope) => ({ ...envelope, payload_sha256: "0".repeat(64) }),
    ),
  },
  {
    rule: "AHCP-RSP-017",
    name: "pushed",
    says: "puts the digest into the body that it pushes",
    policy: { pushed: (envelope) => ({ ...envelope, payload_sha256: "0".repeat(64) }) },
  },
  {
    rule: "AHCP-GET-012",
    says: "pushes another time of resolution than it shows",
    policy: {
      pushed: within((response) => ({
        ...response,
        resolved_at: String(response.resolved_at).replace(/\.\d+/, ""),
      })),
    },
  },
  {
    rule: "AHCP-DLV-007",
    says: "changes the body from attempt to attempt",
    policy: {
      pushed: (envelope, { number }) =>
        number === 1 ? envelope : within((response) => ({ ...response, comment: `attempt ${number}` }))(envelope),
    },
  },
  {
    rule: "AHCP-RSP-001",
    says: "gives a cancellation an empty id",
    policy: enveloped(
      ({ resolution }) => resolution === "cancelled",
      (envelope) => ({ ...envelope, resolution_id: "" }),
    ),
  },
  {
    rule: "AHCP-RSP-002",
    says: "has a word of its own for a completed task",
    policy: enveloped(
      ({ resolution }) => resolution === "completed",
      (envelope) => ({ ...envelope, resolution: "done" }),
    ),
  },
  {
    rule: "AHCP-RSP-003",
    says: "does not say for whose run a task was dismissed",
    policy: enveloped(
      ({ resolution }) => resolution === "dismissed",
      (envelope) => ({ ...envelope, agent: without(inner(envelope, "agent"), "run_id") }),
    ),
  },
  {
    rule: "AHCP-RSP-004",
    says: "writes the time of a cancellation without an offset",
    policy: enveloped(
      ({ resolution }) => resolution === "cancelled",
      within((response) => ({ ...response, resolved_at: String(response.resolved_at).replace("Z", "") })),
    ),
  },
  {
    rule: "AHCP-RSP-006",
    says: "calls a cancellation an applied default",
    policy: enveloped(
      ({ resolution }) => resolution === "cancelled",
      (envelope) => ({ ...envelope, defaulted: true }),
    ),
  },
  {
    rule: "AHCP-EXP-005",
    name: "confirm",
    says: "never applies the default of a confirm",
    policy: {
      fallback: (message) => (inner(message, "request").mode === "confirm" ? undefined : right.fallback(message)),
    },
  },
  {
    rule: "AHCP-EXP-005",
    name: "local-time",
    says: "writes the time of an expiry as that of a zone two hours ahead",
    policy: enveloped(
      ({ resolution }) => resolution === "expired",
      within(({ resolved_at: at, ...response }) => ({ ...response, resolved_at: later(at, 2 * 3_600_000) })),
    ),
  },
];
