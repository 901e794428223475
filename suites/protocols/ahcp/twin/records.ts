import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";

const pairs: Readonly<Record<string, number>> = {
  validation_error: 400,
  version_not_supported: 400,
  unauthenticated: 401,
  agent_id_mismatch: 403,
  not_authorized: 403,
  not_found: 404,
  idempotency_conflict: 409,
  already_terminal: 409,
  gone: 410,
  invalid_field: 422,
  rate_limited: 429,
};

/** Judges the refusal of a request. */
export function error(say: ReportFault, { endpoint, status, body }: JsonObject): void {
  const isListed = Object.values(pairs).includes(Number(status));
  const freedoms = endpoint === "other" || !isListed ? ["errors-elsewhere"] : [];
  const inner = objectOrEmpty(isObject(body) ? body.error : undefined);
  const { code, message } = inner;
  const isWhole = [code, message].every((each) => typeof each === "string" && each !== "");
  if (!isWhole && !(endpoint === "cancel" && status === 409)) say("no error with a code and a message", ...freedoms);
  if (typeof code !== "string" || code === "") return;
  if (!/^[a-z][a-z0-9_]*$/.test(code)) say("a code is written otherwise", "unlisted-codes");
  const expectedStatus = Object.hasOwn(pairs, code) ? pairs[code] : undefined;
  if (expectedStatus !== undefined && expectedStatus !== status) say("code and status do not go together");
  if (expectedStatus === undefined && isListed) say("a code that is not listed", "unlisted-codes");
}

/** Judges the acceptance of a message. */
export function submission(say: ReportFault, { message, ack, replay }: JsonObject): void {
  if (replay === true) return;
  const begins = objectOrEmpty(message).type === "notify" ? "delivered" : "open";
  if (objectOrEmpty(ack).status !== begins) say(`it begins ${begins}`);
}

/** Judges the capability document of a hub. */
export function capability(
  say: ReportFault,
  { replay_window_seconds: window, ahcp_version: version }: JsonObject,
): void {
  if (window !== undefined && window !== 120) say("another window than 120 s", "advertised-facts");
  if (/(^|\.)0\d/.test(String(version))) say("a version has zeros in front", "leading-zeros");
}

/** Judges the capability document of a hub together with its behaviour. */
export function conduct(say: ReportFault, record: JsonObject): void {
  const capabilityDocument = objectOrEmpty(record.capability);
  capability(say, capabilityDocument);
  for (const [listName, name] of [["signed_with", "signature_algs"] as const, ["let_in", "auth_schemes"] as const])
    if (
      Array.isArray(capabilityDocument[name]) &&
      !listOrEmpty(record[listName]).every((each) => listOrEmpty(capabilityDocument[name]).includes(each))
    )
      say(`${name} says otherwise`, "advertised-facts");
  for (const refusal of listOrEmpty(record.refused).map(objectOrEmpty)) {
    const { limit, amount, request } = refusal;
    const limitValue = limitOf(capabilityDocument, limit);
    const amountSeen = limit === "body" ? Math.max(Number(amount), Number(request ?? 0)) : Number(amount);
    if (typeof limitValue !== "number") say("a limit that is not published", "unpublished-limits");
    else if (amountSeen <= limitValue)
      say("a limit below what is published", ...(limit === "rate" ? ["early-rate-limits"] : []));
  }
}

function limitOf(capabilityDocument: JsonObject, limit: Json | undefined): Json | undefined {
  const rates = objectOrEmpty(capabilityDocument.rate_limit);
  if (limit === "rate") return rates.requests_per_minute;
  if (limit === "inbox") return rates.inbox_depth;
  return capabilityDocument[
    { body: "max_body_bytes", part: "max_part_bytes", parts: "max_context_parts" }[String(limit)] ?? ""
  ];
}
