import { type AnswersReader, isObject, type Json } from "../../../../schemas/index.ts";

/** The requests that a hub answers, by request line. */
const requestLines = [
  { kind: "submit", line: /^POST [^ ]*\/v1\/messages$/ },
  { kind: "cancel", line: /^POST [^ ]*\/v1\/messages\/[^/]+\/cancel$/ },
  { kind: "read", line: /^GET [^ ]*\/v1\/messages\/[^/?]+(?:\?.*)?$/ },
  { kind: "capability", line: /^GET [^ ]*\/\.well-known\/[a-z0-9]+$/ },
] as const;

type AnswerKind = (typeof requestLines)[number]["kind"] | "other";

/** The documents in successful answers. No schema describes the answer to a cancellation. */
const documentByKind: Partial<Record<AnswerKind, string>> = {
  submit: "submit-ack",
  read: "get-message",
  capability: "capability",
};

/** The statuses of errors in the protocol's format. Other errors, such as a gateway's, may have any format. */
const listedStatuses = new Set([400, 401, 403, 404, 409, 410, 422, 429]);

/** Judges each message of a live run separately, so that the context of a scenario never fails a target. */
export const isHeldLive = true;

/** Pairs each answer with an open request: the first that could have this answer. */
export const answers: AnswersReader = () => {
  const openRequests: AnswerKind[] = [];
  const keys = new Set<string>();
  // With several open submits, an acknowledgment may belong to any of them, so this applies to all.
  let hasRepeated = false;
  return ({ head = "", to, message }) => {
    // The head of an event stream also contains its media type. Its items have no head.
    const status = Number(/^HTTP (\d{3})(?: .*)?$/.exec(head)?.[1]);
    if (head === "" && to === "touchstone") return undefined;
    if (Number.isNaN(status)) {
      const kind = requestLines.find(({ line }) => line.test(head))?.kind ?? "other";
      const isPush = kind === "other" && to === "touchstone";
      if (!isPush && /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) /.test(head)) openRequests.push(kind);
      const key = kind === "submit" ? keyOf(message) : undefined;
      if (key !== undefined) {
        hasRepeated ||= keys.has(key);
        keys.add(key);
      }
      return message === undefined ? undefined : { message };
    }
    const index = openRequests.findIndex((kind) => mayAnswer(kind, message));
    const [kind = "other"] = openRequests.splice(Math.max(0, index), 1);
    if (message === undefined) return undefined;
    // Scenarios check whether a body is an object.
    if (!isObject(message)) return undefined;
    const document = status < 300 ? documentByKind[kind] : undefined;
    if (document !== undefined)
      return { message: kind === "submit" && hasRepeated ? withOriginalStatus(message) : message, document };
    return listedStatuses.has(status) && kind !== "cancel" && kind !== "other" ? { message } : undefined;
  };
};

/** The agent and the idempotency key, which identify a repeated submit. */
function keyOf(message: Json | undefined): string | undefined {
  if (!isObject(message) || message.idempotency_key === undefined) return undefined;
  return JSON.stringify([isObject(message.agent) ? message.agent.id : null, message.idempotency_key]);
}

function mayAnswer(kind: AnswerKind, message: Json | undefined): boolean {
  if (!isObject(message) || "error" in message) return true;
  if ("poll_url" in message) return kind === "submit";
  if ("type" in message || "title" in message) return kind === "read";
  return kind !== "submit" && kind !== "read";
}

const laterStatuses = new Set<unknown>(["answered", "declined", "cancelled", "expired", "completed", "dismissed"]);

/** Replaces a later status by `open`: a repetition is acknowledged with the current status, but the schema allows only the original one. */
function withOriginalStatus(message: Json): Json {
  return isObject(message) && laterStatuses.has(message.status) ? { ...message, status: "open" } : message;
}
