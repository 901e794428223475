import type { Json, JsonObject } from "../../../../../schemas/index.ts";

/** An answer of the hub, before it is serialized. */
export interface HubReply {
  status: number;
  body?: Json;
  headers?: Readonly<Record<string, string>>;
}

const statusByCode = {
  validation_error: 400,
  version_not_supported: 400,
  unauthenticated: 401,
  agent_id_mismatch: 403,
  not_authorized: 403,
  not_found: 404,
  idempotency_conflict: 409,
  already_terminal: 409,
  gone: 410,
  too_large: 413,
  media_type_not_supported: 415,
  invalid_field: 422,
  rate_limited: 429,
} as const;

export type Code = keyof typeof statusByCode;

/** An error reply in the protocol's format. `extraMembers` are added next to `error`. */
export function fault(
  code: Code,
  message: string,
  extraMembers: JsonObject = {},
  headers: Readonly<Record<string, string>> = {},
): HubReply {
  return { status: statusByCode[code], body: { ...extraMembers, error: { code, message } }, headers };
}

export function isReply(value: object): value is HubReply {
  return "status" in value && typeof value.status === "number";
}

export function responseOf({ status, body, headers = {} }: HubReply): Response {
  if (body === undefined) return new Response(null, { status, headers });
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}
