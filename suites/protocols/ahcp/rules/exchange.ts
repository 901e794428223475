import { isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

/** The possible outcomes of each type of message. */
export const outcomes: Readonly<Record<string, readonly string[]>> = {
  ask: ["answered", "declined", "cancelled", "expired"],
  task: ["completed", "dismissed", "expired"],
};

/** The actor of an outcome if the hub applied a default. */
export const defaultActor = "system:default_on_expire";

/** A Response, with what is known about its message. */
export interface ResponseExchange {
  /** Absent if the document has no message, and the outcome does not imply its type. */
  type?: "ask" | "task";
  message?: JsonObject;
  /** The `request` of an ask. */
  request?: JsonObject;
  envelope: JsonObject;
  resolution: string;
  /** The inner `response`: the resolver, the time and the content. */
  detail?: JsonObject;
  /** JSON Pointer to the envelope. */
  at: string;
}

/** Documents that contain a Response and its message. */
export const withMessage: readonly string[] = ["outcome", "get-message"];
/** Documents that contain a Response. */
export const withResponse: readonly string[] = ["response", ...withMessage];

/** The exchange in a document; undefined if it has no Response. */
export function exchangeIn(instance: Json, document: string): ResponseExchange | undefined {
  const at = document === "response" ? "" : "/response";
  const envelope = pointer.at(at, instance);
  if (!isObject(envelope) || typeof envelope.resolution !== "string") return undefined;
  const { resolution, response: detail } = envelope;
  const message = document === "response" ? undefined : pointer.at(document === "outcome" ? "/message" : "", instance);
  const knownMessage = isObject(message) ? message : undefined;
  const type = knownMessage === undefined ? typeOf(resolution) : knownMessage.type;
  return {
    envelope,
    resolution,
    at,
    ...(type === "ask" || type === "task" ? { type } : {}),
    ...(knownMessage === undefined ? {} : { message: knownMessage }),
    ...(type === "ask" && isObject(knownMessage?.request) ? { request: knownMessage.request } : {}),
    ...(isObject(detail) ? { detail } : {}),
  };
}

/** The type of message that an outcome implies; undefined for `expired`, which applies to asks and tasks. */
function typeOf(resolution: string): string | undefined {
  const types = Object.keys(outcomes).filter((type) => outcomes[type]?.includes(resolution));
  return types.length === 1 ? types[0] : undefined;
}

/** The default answer of an ask; undefined if there is none. */
export function defaultOf({ request }: ResponseExchange): Json | undefined {
  return request?.default_on_expire ?? undefined;
}
