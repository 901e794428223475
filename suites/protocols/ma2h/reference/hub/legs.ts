import { isObject, jsonObjectOf } from "../../../../../schemas/index.ts";
import type { PostOffice } from "./post.ts";
import { publishedLimits } from "./post-decisions.ts";

/** The capabilities that an MA2H hub adds to AHCP's capability document. */
const ma2hCapabilities = {
  ack: { enabled: true, signature_algs: ["hmac-sha256", "ed25519"] },
  inbound: {
    enabled: true,
    max_batch: publishedLimits.batch,
    visibility_timeout_seconds: publishedLimits.visibility,
    signature_algs: ["ed25519"],
    session_param: true,
    retention_days: publishedLimits.retentionDays,
    webhook_supported: true,
  },
  sessions: {
    enabled: true,
    min_ttl_seconds: publishedLimits.ttl.min,
    max_ttl_seconds: publishedLimits.ttl.max,
    max_live_per_agent: publishedLimits.live,
    agent_list_visibility: false,
    terminal_retention_seconds: publishedLimits.kept,
    operator_hard_stop: true,
  },
  presence: { enabled: true, freshness_seconds: publishedLimits.freshness },
};

/** The capability of a hub that lets agents write to each other. */
const mailCapability = {
  inter_agent: { enabled: true, entry_kinds: ["message", "response", "receipt"], sender_allowlists: true },
};

/** Adds MA2H's capabilities to AHCP's capability document. Without a post office, all of them are offered. */
export async function publishLegs(
  ahcpAnswer: Response,
  { office, streamUrl }: { office?: PostOffice; streamUrl?: string } = {},
): Promise<Response> {
  const mailPerMinute = office?.hub.limits.addressedPerMinute;
  const body = ahcpAnswer.status === 200 ? jsonObjectOf(await ahcpAnswer.clone().text()) : undefined;
  if (body === undefined) return ahcpAnswer;
  const streamMembers =
    streamUrl === undefined ? {} : { stream_url: streamUrl, stream_max_hold_seconds: publishedLimits.hold };
  const rateLimit = {
    ...(isObject(body.rate_limit) ? body.rate_limit : {}),
    inter_agent_requests_per_minute: mailPerMinute ?? 0,
  };
  const rateLimitMember = mailPerMinute === undefined ? {} : { rate_limit: rateLimit };
  const capabilities = {
    ...body,
    ...ma2hCapabilities,
    inbound: { ...ma2hCapabilities.inbound, ...streamMembers },
    ...(office?.decisions.offersMail === false ? {} : mailCapability),
    ...rateLimitMember,
  };
  return new Response(JSON.stringify(capabilities), { status: 200, headers: ahcpAnswer.headers });
}
