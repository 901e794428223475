import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { missigned } from "../../../rules/mistakes.ts";
import { digestOf, sign, signedBytes, signedOf } from "../../../rules/signature.ts";
import type { About, Fault, Policy } from "../agent.ts";
import { right } from "../policy.ts";
import { codes } from "./checks.ts";
import type { AgentVariant } from "./variant.ts";

/** An artifact with an empty list, which every answer with a task has. */
const noNotes = { artifactId: "notes", parts: [{ data: { notes: [] } }] };

/** Changes messages of one kind before they are signed. */
export function saying(
  is: (message: JsonObject, about: About) => boolean,
  change: (message: JsonObject, about: About) => JsonObject | undefined,
): Partial<Policy> {
  return { says: (message, about) => (is(message, about) ? change(message, about) : message) };
}

const ofMethod =
  (method: string) =>
  ({ method: its, type }: JsonObject): boolean =>
    its === method && type === "response";

function payloadOf({ payload }: JsonObject): JsonObject {
  return isObject(payload) ? payload : {};
}

/** Signs what can be signed as somebody would who makes the mistake. */
function signing(mistake: string): Partial<Policy> {
  return {
    signs: (message, _sign, { agent }) => ({ ...message, sig: missigned(message, mistake, agent.key.tweaked) }),
  };
}

function isDistrust(fault: Fault | undefined): boolean {
  return ["wrong-signature", "missing-signature", "stale-timestamp", "repeated-message"].includes(fault?.cause ?? "");
}

/** What an agent answers. */
export const answerVariants: readonly AgentVariant[] = [
  {
    rule: "SNAP-RCPT-003",
    says: "addresses its answers to itself",
    policy: saying(
      ({ type }) => type === "response",
      (message, { agent }) => ({ ...message, to: agent.identity }),
    ),
  },
  {
    rule: "SNAP-RCPT-003",
    name: "bare",
    says: "leaves the version out of its answers",
    policy: saying(ofMethod("tasks/get"), ({ version: _, ...message }) => message),
  },
  {
    rule: "SNAP-RCPT-004",
    says: "adds a note to the tasks that it tells",
    policy: saying(ofMethod("tasks/get"), (message) => ({
      ...message,
      payload: { ...payloadOf(message), note: "here" },
    })),
  },
  {
    rule: "SNAP-RCPT-004",
    name: "null",
    says: "writes null for the artifacts of a task that has none",
    policy: { told: (task) => ({ artifacts: null, ...task }) },
  },
  {
    rule: "SNAP-PAY-004",
    name: "always",
    says: "answers with nothing when it has taken a message",
    policy: saying(ofMethod("message/send"), (message, { fault }) =>
      fault === undefined ? { ...message, payload: {} } : message,
    ),
  },
  {
    rule: "SNAP-PAY-004",
    says: "answers with nothing where a task cannot be cancelled",
    policy: saying(ofMethod("tasks/cancel"), (message, { fault }) =>
      fault?.cause === "task-not-cancelable" || fault?.cause === "unknown-method"
        ? { ...message, payload: {} }
        : message,
    ),
  },
  { rule: "SNAP-SIG-012", says: "signs nothing", policy: { signs: (message) => message } },
  { rule: "SNAP-SIG-001", says: "signs the version as well", policy: signing("version-added") },
  { rule: "SNAP-SIG-002", says: "signs its payload with spaces", policy: signing("spaces") },
  { rule: "SNAP-SIG-002", name: "html", says: "escapes HTML in what it signs", policy: signing("escaped-html") },
  {
    rule: "SNAP-SIG-002",
    name: "lists",
    says: "signs null for empty lists",
    policy: {
      ...signing("null-lists"),
      told: (task) => ({
        history: [],
        ...task,
        artifacts: [...(Array.isArray(task.artifacts) ? task.artifacts : []), noNotes],
      }),
    },
  },
  {
    rule: "SNAP-SIG-002",
    name: "verifying",
    says: "verifies signatures over a text in which HTML is escaped",
    policy: {
      objects: ({ payload = null }) =>
        /[<>&]/.test(JSON.stringify(payload))
          ? { cause: "wrong-signature", message: "The signature does not verify." }
          : undefined,
    },
  },
  {
    rule: "SNAP-SIG-002",
    name: "composing",
    says: "verifies signatures over a text in normal form C",
    policy: {
      objects({ payload = null }) {
        const text = JSON.stringify(payload);
        return text === text.normalize("NFC")
          ? undefined
          : { cause: "wrong-signature", message: "The signature does not verify." };
      },
    },
  },
  { rule: "SNAP-SIG-004", says: "hashes twice", policy: signing("twice") },
  {
    rule: "SNAP-SIG-005",
    says: "signs with the key that was not tweaked",
    policy: {
      signs: (message, _sign, { agent }) => {
        const signed = signedOf(message);
        return signed === undefined
          ? message
          : { ...message, sig: sign(digestOf(signedBytes(signed)), agent.key.secret) };
      },
    },
  },
  {
    rule: "SNAP-STREAM-003",
    says: "answers a cancellation with an event",
    policy: saying(ofMethod("tasks/cancel"), (message) => ({ ...message, type: "event" })),
  },
  { rule: "SNAP-RCPT-005", says: "calls an unknown method malformed", policy: codes("unknown-method", 1003) },
  {
    rule: "SNAP-A2S-003",
    says: "refuses whatever has no recipient",
    settings: { a2s: true },
    policy: {
      objects: (message) =>
        Object.hasOwn(message, "to") ? undefined : { cause: "other-recipient", message: "There is no recipient." },
    },
  },
  {
    rule: "SNAP-A2S-003",
    name: "stale",
    says: "takes what has no recipient whenever it was sent",
    settings: { a2s: true },
    policy: {
      isFresh: (stamp, now, message, way) => right.isFresh(stamp, now, message, way) || !Object.hasOwn(message, "to"),
    },
  },
  {
    rule: "SNAP-A2S-006",
    says: "takes a name with an underscore for malformed",
    settings: { a2s: true },
    policy: {
      objects: ({ method }) =>
        String(method).includes("_") ? { cause: "malformed-envelope", message: "That is no method." } : undefined,
    },
  },
  {
    rule: "SNAP-HTTP-001",
    says: "labels its answers as text",
    policy: {
      http: ({ status, headers }, { request }) => ({
        status,
        headers: request?.method === "message/stream" ? headers : { ...headers, "content-type": "text/plain" },
      }),
    },
  },
  {
    rule: "SNAP-HTTP-002",
    says: "names no version in a header",
    policy: {
      http({ status, headers: { "SNAP-Version": _, ...headers } }) {
        return { status, headers };
      },
    },
  },
  {
    rule: "SNAP-HTTP-003",
    says: "answers every error with status 422",
    policy: { http: ({ status, headers }, { fault }) => ({ status: fault === undefined ? status : 422, headers }) },
  },
  {
    rule: "SNAP-HTTP-003",
    name: "bare",
    says: "answers what it does not trust with a bare status 500",
    policy: {
      ...saying(
        (_message, { fault, way }) => way === "http" && isDistrust(fault),
        () => ({ error: "Internal server error" }),
      ),
      http: ({ status, headers }, { fault }) => ({ status: isDistrust(fault) ? 500 : status, headers }),
    },
  },
  {
    rule: "SNAP-HTTP-003",
    name: "unwrapped",
    says: "answers errors without a message around them",
    policy: {
      ...saying(
        ({ payload }, { way }) => way === "http" && isObject(payload) && "error" in payload,
        (message) => payloadOf(message),
      ),
      signs: (message, sign) => ("payload" in message ? sign(message) : message),
    },
  },
  {
    rule: "SNAP-HTTP-004",
    says: "answers what it cannot read with status 200",
    policy: { http: ({ status, headers }) => ({ status: status === 400 ? 200 : status, headers }) },
  },
  {
    rule: "SNAP-HTTP-006",
    says: "calls a message malformed where too much comes at once",
    settings: { limits: { requestsPerMinute: 60 }, limitsInMessages: true },
    policy: codes("rate-limit", 1003),
  },
  {
    rule: "SNAP-HTTP-007",
    says: "answers forged messages with status 403",
    policy: {
      http: ({ status, headers }, { fault }) => ({
        status: fault?.cause === "wrong-signature" ? 403 : status,
        headers,
      }),
    },
  },
  { rule: "SNAP-HTTP-008", says: "takes messages of any size", policy: { largest: Number.POSITIVE_INFINITY } },
  {
    rule: "SNAP-HTTP-011",
    says: "offers WebSocket alone",
    policy: { card: (card) => ({ ...card, endpoints: [{ protocol: "wss", url: "wss://echo.example/snap" }] }) },
  },
  {
    rule: "SNAP-DISC-001",
    says: "serves its card without the key",
    policy: {
      servedCard({ publicKey: _, ...served }) {
        return served;
      },
    },
  },
  {
    rule: "SNAP-DISC-002",
    says: "serves its card with another time than it signed",
    policy: { servedCard: (served) => ({ ...served, timestamp: Number(served.timestamp) + 1 }) },
  },
  {
    rule: "SNAP-CARD-001",
    says: "does not describe itself",
    policy: {
      card({ description: _, ...card }) {
        return card;
      },
    },
  },
  {
    rule: "SNAP-CARD-004",
    says: "names an identity whose checksum is wrong",
    policy: { card: (card) => ({ ...card, identity: `${String(card.identity).slice(0, -1)}p` }) },
  },
  {
    rule: "SNAP-CARD-009",
    says: "has two skills of one id",
    policy: { card: (card) => ({ ...card, skills: [card.skills, card.skills].flat() as JsonObject[] }) },
  },
];
