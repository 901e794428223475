import type { JsonObject } from "../../../../../schemas/index.ts";
import type { RunningHub } from "./hub.ts";

/** The hub's capability document. */
export function capabilityDocument({ protocol, limits, settings }: RunningHub): JsonObject {
  const { bodyBytes, partBytes, contextParts, retentionDays, requestsPerMinute, inboxDepth } = limits;
  const rates = { requests_per_minute: requestsPerMinute, inbox_depth: inboxDepth };
  return {
    ahcp_version: protocol.version,
    max_body_bytes: bodyBytes,
    max_part_bytes: partBytes,
    max_context_parts: contextParts,
    auth_schemes: ["bearer", "apikey"],
    callback_auth_schemes: ["hmac", "bearer", "apikey"],
    signature_algs: ["hmac-sha256", "ed25519"],
    retention_days: retentionDays,
    replay_window_seconds: 120,
    push_attempts: pushAttempts,
    ...(settings.credentials === undefined ? {} : { rate_limit: rates }),
  };
}

/** The maximum number of attempts to push an outcome. The pauses between them double, beginning with one second. */
export const pushAttempts = 6;
