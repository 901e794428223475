import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";

const statusByCode: Readonly<Record<string, number>> = {
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
export function judgeError(report: ReportFault, { endpoint, status, body }: JsonObject): void {
  const isListed = Object.values(statusByCode).includes(Number(status));
  const freedoms = endpoint === "other" || !isListed ? ["errors-elsewhere"] : [];
  const errorBody = objectOrEmpty(isObject(body) ? body.error : undefined);
  const { code, message } = errorBody;
  const isWhole = [code, message].every((member) => typeof member === "string" && member !== "");
  if (!isWhole && !(endpoint === "cancel" && status === 409))
    report("the error lacks a code or a message", ...freedoms);
  if (typeof code !== "string" || code === "") return;
  if (!/^[a-z][a-z0-9_]*$/.test(code)) report("the code is not in snake case", "unlisted-codes");
  const expectedStatus = Object.hasOwn(statusByCode, code) ? statusByCode[code] : undefined;
  if (expectedStatus !== undefined && expectedStatus !== status) report("the code does not belong to the status");
  if (expectedStatus === undefined && isListed) report("the status lists no such code", "unlisted-codes");
}

/** Judges the acknowledgment of a message. */
export function judgeSubmission(report: ReportFault, { message, ack, replay }: JsonObject): void {
  if (replay === true) return;
  const firstStatus = objectOrEmpty(message).type === "notify" ? "delivered" : "open";
  if (objectOrEmpty(ack).status !== firstStatus) report(`the first status must be ${firstStatus}`);
}

/** Judges the capability document of a hub. */
export function judgeCapability(
  report: ReportFault,
  { replay_window_seconds: window, ahcp_version: version }: JsonObject,
): void {
  if (window !== undefined && window !== 120) report("the window is not 120 s", "advertised-facts");
  if (/(^|\.)0\d/.test(String(version))) report("the version has leading zeros", "leading-zeros");
}

/** Judges the capability document of a hub together with its behaviour. */
export function judgeConduct(report: ReportFault, record: JsonObject): void {
  const capabilityDocument = objectOrEmpty(record.capability);
  judgeCapability(report, capabilityDocument);
  for (const [listName, name] of [["signed_with", "signature_algs"] as const, ["let_in", "auth_schemes"] as const])
    if (
      Array.isArray(capabilityDocument[name]) &&
      !listOrEmpty(record[listName]).every((used) => listOrEmpty(capabilityDocument[name]).includes(used))
    )
      report(`${name} omits a value that the hub uses`, "advertised-facts");
  for (const refusal of listOrEmpty(record.refused).map(objectOrEmpty)) {
    const { limit, amount, request } = refusal;
    const limitValue = limitOf(capabilityDocument, limit);
    const refusedAmount = limit === "body" ? Math.max(Number(amount), Number(request ?? 0)) : Number(amount);
    if (typeof limitValue !== "number") report("the limit is not published", "unpublished-limits");
    else if (refusedAmount <= limitValue)
      report("the refused amount is within the published limit", ...(limit === "rate" ? ["early-rate-limits"] : []));
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
