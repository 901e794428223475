import { isObject, type JsonObject, jsonObjectOf } from "../../../../../schemas/index.ts";
import { callerOf } from "../../../ahcp/reference/hub/access.ts";
import { fault, type HubReply, isReply } from "../../../ahcp/reference/hub/reply.ts";
import type { StoredMessage } from "../../../ahcp/reference/hub/store.ts";
import { timestamp } from "../../../ahcp/reference/hub/time.ts";
import { withMailbox } from "./addressing.ts";
import { isOver, type Ma2hDecisions, type ResponseTrack } from "./decisions.ts";
import { settle } from "./post.ts";
import type { Wire } from "./resolving.ts";

/** The delivery tracks of outcomes, by the ids of their messages. */
export type Tracks = Map<string, ResponseTrack>;

function trackOf(tracks: Tracks, { id, push, changedAt }: StoredMessage, decisions: Ma2hDecisions): ResponseTrack {
  const track = tracks.get(id) ?? {};
  tracks.set(id, track);
  if (decisions.isPushed(push)) track.deliveredAt ??= changedAt;
  return track;
}

/** Answers a request to acknowledge an outcome. Only the submitter may do that. */
export async function acknowledge(
  { hub, decisions }: Wire,
  tracks: Tracks,
  id: string,
  request: Request,
): Promise<HubReply> {
  const caller = callerOf(hub, request.headers);
  if (isReply(caller)) return caller;
  const { principal = "" } = caller;
  const entry = hub.store.entries.get(id);
  if (entry === undefined || entry.deleted || !decisions.mayActAsSubmitter(entry.agent === principal))
    return fault("not_found", "there is no such message");
  const body = jsonObjectOf(await request.text()) ?? {};
  const track = trackOf(tracks, entry, decisions);
  if (!decisions.mayAcknowledge(entry.status, track)) {
    const error = { code: "not_acknowledgeable", message: "there is nothing to acknowledge yet" };
    return { status: 409, body: { error } };
  }
  return { status: 200, body: storeAck({ hub, decisions }, track, entry, body) };
}

/** Acknowledges an outcome because its mailbox entry was acknowledged. */
export function acknowledgeOutcome({ hub, decisions }: Wire, tracks: Tracks, entry: StoredMessage): void {
  storeAck({ hub, decisions }, trackOf(tracks, entry, decisions), entry, {});
}

function storeAck(
  { hub, decisions }: Pick<Wire, "hub" | "decisions">,
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
  track.ack = decisions.chooseAck(ack, body, track.ack);
  return track.ack;
}

/** Adds the delivery track of the outcome to the answer of a read by the submitter. The read itself counts as delivery. */
export async function readWithTrack(
  wire: Wire,
  tracks: Tracks,
  readMessage: () => Promise<Response>,
): Promise<Response> {
  const { hub, decisions, office } = wire;
  settle(office);
  const answer = await readMessage();
  if (answer.status !== 200) return answer;
  const answerText = await answer.text();
  const message = jsonObjectOf(answerText);
  const entry = hub.store.entries.get(String(message?.id));
  const body = message && entry && withMailbox(office, message, entry);
  const bodyText = body === message ? answerText : JSON.stringify(body);
  const respond = (json: string): Response => new Response(json, { status: 200, headers: answer.headers });
  if (body === undefined || entry === undefined || !isOver(String(body.status))) return respond(bodyText);
  const track = trackOf(tracks, entry, decisions);
  const drainedAt = office.post.mail.get(String(entry.envelope?.resolution_id))?.deliveredAt;
  if (drainedAt !== undefined) track.deliveredAt ??= drainedAt;
  const { deliveredAt, acknowledgedAt, ack } = track;
  track.deliveredAt ??= hub.clock.now();
  if (deliveredAt === undefined || !isObject(body.response)) return respond(bodyText);
  const delivery = decisions.presentDelivery({
    state: ack === undefined ? "delivered-to-agent" : "acknowledged",
    delivered_at: timestamp(deliveredAt),
    ...(acknowledgedAt === undefined ? {} : { acknowledged_at: timestamp(acknowledgedAt) }),
    ...(ack === undefined ? {} : { ack }),
  });
  return respond(JSON.stringify({ ...body, ...(delivery === undefined ? {} : { delivery }) }));
}
