import { type Breach, type Checker, isObject, type JsonObject } from "../../../../schemas/index.ts";
import { checkResponse } from "../../ahcp/rules/stored.ts";

/** Checks that the parts of a stored message name the same message and agent, and that their times are in order. */
export const storedChecker: Checker = {
  rule: "MA2H-GET-002",
  documents: ["get-message"],
  *check(stored): Iterable<Breach> {
    if (!isObject(stored)) return;
    const { status, response, delivery, mailbox } = stored;
    if (isObject(response) && typeof status === "string") yield* checkResponse(stored, response, status);
    if (isObject(delivery)) {
      yield* checkAck(stored, delivery);
      yield* checkOrder(delivery, "/delivery");
    }
    if (isObject(mailbox)) yield* checkOrder(mailbox, "/mailbox");
  },
};

function* checkAck(stored: JsonObject, { ack }: JsonObject): Iterable<Breach> {
  if (!isObject(ack)) return;
  const { in_reply_to: messageId, by, resolution_id: resolutionId } = ack;
  if (typeof messageId === "string" && typeof stored.id === "string" && messageId !== stored.id)
    yield { at: "/delivery/ack/in_reply_to", why: `is "${messageId}" and not the message's id` };
  const agent = isObject(stored.agent) ? `agent:${stored.agent.id}` : undefined;
  if (typeof by === "string" && agent !== undefined && by !== agent && !by.startsWith(`${agent}#`))
    yield { at: "/delivery/ack/by", why: `is "${by}" and not the submitter` };
  const outcomeId = isObject(stored.response) ? stored.response.resolution_id : undefined;
  if (typeof resolutionId === "string" && typeof outcomeId === "string" && resolutionId !== outcomeId)
    yield { at: "/delivery/ack/resolution_id", why: `is "${resolutionId}" and not that of the outcome` };
}

function* checkOrder(
  { delivered_at: deliveredAt, acknowledged_at: acknowledgedAt }: JsonObject,
  at: string,
): Iterable<Breach> {
  if (typeof deliveredAt !== "string" || typeof acknowledgedAt !== "string") return;
  if (Date.parse(deliveredAt) > Date.parse(acknowledgedAt))
    yield { at: `${at}/acknowledged_at`, why: `is before it was delivered, at ${deliveredAt}` };
}
