import { isObject, type JsonObject, jsonObjectOf } from "../../../../../schemas/index.ts";
import { callerOf } from "../../../ahcp/reference/hub/access.ts";
import { fault, type HubReply, isReply } from "../../../ahcp/reference/hub/reply.ts";
import type { StoredMessage } from "../../../ahcp/reference/hub/store.ts";
import { timestamp } from "../../../ahcp/reference/hub/time.ts";
import { withMailbox } from "./addressing.ts";
import { isOver, type OwnDecisions, type ResponseTrack } from "./decisions.ts";
import { settle } from "./post.ts";
import type { Wire } from "./resolving.ts";

/** The tracks of outcomes, by the ids of their messages. */
export type Tracks = Map<string, ResponseTrack>;

function trackOf(tracks: Tracks, { id, push, changedAt }: StoredMessage, decides: OwnDecisions): ResponseTrack {
  const track = tracks.get(id) ?? {};
  tracks.set(id, track);
  if (decides.isPushed(push)) track.deliveredAt ??= changedAt;
  return track;
}

/** The submitter acknowledges an outcome. */
export async function acknowledge(
  { hub, decides }: Wire,
  tracks: Tracks,
  id: string,
  request: Request,
): Promise<HubReply> {
  const caller = callerOf(hub, request.headers);
  if (isReply(caller)) return caller;
  const { principal = "" } = caller;
  const entry = hub.store.entries.get(id);
  if (entry === undefined || entry.deleted || !decides.isSubmitter(entry.agent === principal))
    return fault("not_found", "there is no such message");
  const body = jsonObjectOf(await request.text()) ?? {};
  const track = trackOf(tracks, entry, decides);
  if (!decides.mayAcknowledge(entry.status, track)) {
    const error = { code: "not_acknowledgeable", message: "there is nothing to acknowledge yet" };
    return { status: 409, body: { error } };
  }
  return { status: 200, body: keepAck({ hub, decides }, track, entry, body) };
}

/** The outcome is acknowledged with its entry in a mailbox. */
export function acknowledgeOutcome({ hub, decides }: Wire, tracks: Tracks, entry: StoredMessage): void {
  keepAck({ hub, decides }, trackOf(tracks, entry, decides), entry, {});
}

function keepAck(
  { hub, decides }: Pick<Wire, "hub" | "decides">,
  track: ResponseTrack,
  entry: StoredMessage,
  body: JsonObject,
): JsonObject {
  const now = hub.clock.now();
  const { note } = body;
  const ack: JsonObject = {
    ma2h_version: hub.protocol.version,
    type: "ack",
    in_reply_to: entry.id,
    by: `agent:${entry.agent}`,
    acked_at: timestamp(now),
    ...(typeof note === "string" ? { note } : {}),
    ...(entry.envelope === undefined ? {} : { resolution_id: entry.envelope.resolution_id ?? "" }),
  };
  track.deliveredAt ??= now;
  track.acknowledgedAt ??= now;
  track.ack = decides.acknowledges(ack, body, track.ack);
  return track.ack;
}

/** A read of the submitter's with the track of the outcome, which it moves. */
export async function readWithTrack(wire: Wire, tracks: Tracks, ask: () => Promise<Response>): Promise<Response> {
  const { hub, decides, office } = wire;
  settle(office);
  const answer = await ask();
  if (answer.status !== 200) return answer;
  const read = await answer.text();
  const found = jsonObjectOf(read);
  const entry = hub.store.entries.get(String(found?.id));
  const body = found && entry && withMailbox(office, found, entry);
  const text = body === found ? read : JSON.stringify(body);
  const again = (json: string): Response => new Response(json, { status: 200, headers: answer.headers });
  if (body === undefined || entry === undefined || !isOver(String(body.status))) return again(text);
  const track = trackOf(tracks, entry, decides);
  const drainedAt = office.post.mail.get(String(entry.envelope?.resolution_id))?.deliveredAt;
  if (drainedAt !== undefined) track.deliveredAt ??= drainedAt;
  const { deliveredAt, acknowledgedAt, ack } = track;
  track.deliveredAt ??= hub.clock.now();
  if (deliveredAt === undefined || !isObject(body.response)) return again(text);
  const delivery = decides.shows({
    state: ack === undefined ? "delivered-to-agent" : "acknowledged",
    delivered_at: timestamp(deliveredAt),
    ...(acknowledgedAt === undefined ? {} : { acknowledged_at: timestamp(acknowledgedAt) }),
    ...(ack === undefined ? {} : { ack }),
  });
  return again(JSON.stringify({ ...body, ...(delivery === undefined ? {} : { delivery }) }));
}
