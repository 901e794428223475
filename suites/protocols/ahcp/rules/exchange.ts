import { isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

/** The possible outcomes of each type of message. */
export const outcomes: Readonly<Record<string, readonly string[]>> = {
  ask: ["answered", "declined", "cancelled", "expired"],
  task: ["completed", "dismissed", "expired"],
};

/** The actor of a hub that applies a default. */
export const defaultActor = "system:default_on_expire";

/** A Response, with the facts known about its message. */
export interface ResponseExchange {
  /** Absent if only the Response is available, and does not show it. */
  type?: "ask" | "task";
  message?: JsonObject;
  /** The question of an ask. */
  request?: JsonObject;
  envelope: JsonObject;
  resolution: string;
  /** The inner `response`: the resolver, the time and the content. */
  detail?: JsonObject;
  /** JSON Pointer to the envelope. */
  at: string;
}

/** Documents with an exchange: a Response alone, with its message in a record, or inside a stored message. */
export const withMessage: readonly string[] = ["outcome", "get-message"];
export const withResponse: readonly string[] = ["response", ...withMessage];

/** The exchange in a document; undefined if it has no Response. */
export function exchangeIn(instance: Json, document: string): ResponseExchange | undefined {
  const at = document === "response" ? "" : "/response";
  const envelope = pointer.at(at, instance);
  if (!isObject(envelope) || typeof envelope.resolution !== "string") return undefined;
  const { resolution, response: detail } = envelope;
  const message = document === "response" ? undefined : pointer.at(document === "outcome" ? "/message" : "", instance);
  const known = isObject(message) ? message : undefined;
  const type = known === undefined ? typeOf(resolution) : known.type;
  return {
    envelope,
    resolution,
    at,
    ...(type === "ask" || type === "task" ? { type } : {}),
    ...(known === undefined ? {} : { message: known }),
    ...(type === "ask" && isObject(known?.request) ? { request: known.request } : {}),
    ...(isObject(detail) ? { detail } : {}),
  };
}

/** The type of message that an outcome implies: only an ask is answered, only a task completed; both expire. */
function typeOf(resolution: string): string | undefined {
  const types = Object.keys(outcomes).filter((type) => outcomes[type]?.includes(resolution));
  return types.length === 1 ? types[0] : undefined;
}

/** The default answer of an ask; undefined if there is none. */
export function defaultOf({ request }: ResponseExchange): Json | undefined {
  return request?.default_on_expire ?? undefined;
}
