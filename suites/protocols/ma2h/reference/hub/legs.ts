import { isObject, jsonObjectOf } from "../../../../../schemas/index.ts";
import type { PostOffice } from "./post.ts";
import { published } from "./post-decisions.ts";

/** The parts of the protocol that the hub offers beside AHCP. */
const legs = {
  ack: { enabled: true, signature_algs: ["hmac-sha256", "ed25519"] },
  inbound: {
    enabled: true,
    max_batch: published.batch,
    visibility_timeout_seconds: published.visibility,
    signature_algs: ["ed25519"],
    session_param: true,
    retention_days: published.retentionDays,
    webhook_supported: true,
  },
  sessions: {
    enabled: true,
    min_ttl_seconds: published.ttl.min,
    max_ttl_seconds: published.ttl.max,
    max_live_per_agent: published.live,
    agent_list_visibility: false,
    terminal_retention_seconds: published.kept,
    operator_hard_stop: true,
  },
  presence: { enabled: true, freshness_seconds: published.freshness },
};

/** Published by a hub that lets agents write to each other. */
const mailLeg = {
  inter_agent: { enabled: true, entry_kinds: ["message", "response", "receipt"], sender_allowlists: true },
};

/** AHCP's answer about a hub, with the parts that are offered beside; a hub without a post office offers all. */
export async function publishLegs(
  base: Response,
  { office, streamUrl }: { office?: PostOffice; streamUrl?: string } = {},
): Promise<Response> {
  const mailPerMinute = office?.hub.limits.addressedPerMinute;
  const body = base.status === 200 ? jsonObjectOf(await base.clone().text()) : undefined;
  if (body === undefined) return base;
  const stream = streamUrl === undefined ? {} : { stream_url: streamUrl, stream_max_hold_seconds: published.hold };
  const paces = {
    ...(isObject(body.rate_limit) ? body.rate_limit : {}),
    inter_agent_requests_per_minute: mailPerMinute ?? 0,
  };
  const limits = mailPerMinute === undefined ? {} : { rate_limit: paces };
  const offered = {
    ...body,
    ...legs,
    inbound: { ...legs.inbound, ...stream },
    ...(office?.decides.offersMail === false ? {} : mailLeg),
    ...limits,
  };
  return new Response(JSON.stringify(offered), { status: 200, headers: base.headers });
}
