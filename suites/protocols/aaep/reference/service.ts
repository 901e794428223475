import { randomUUID } from "node:crypto";
import {
  type Body,
  documentNamed,
  isObject,
  type Json,
  type Refusal,
  type Ruling,
  type Service,
  type ServiceContext,
} from "../../../../schemas/index.ts";
import { refusalSentence, rulingOn, statusOf } from "../../../packs/reference/service.ts";

/** A producer's handshake and reply channel, and an event intake like a subscriber's. It stores no subscriptions. */
export const service: Service = {
  protocol: "aaep",
  media: ["application/json"],
  routes(app, context) {
    const { protocol, judge, intake } = context;
    const request = documentNamed(protocol, "subscription.request");
    app.post(
      "/aaep/v1/subscriptions",
      intake({
        judge: ({ value, bytes }) => rulingOn(judge(request, value, bytes)),
        accepted: acceptSubscription,
        refused: rejectSubscription,
      }),
    );
    app.post(
      "/aaep/v1/replies",
      intake({
        judge: (body) => judgeReply(body, context),
        accepted: () => new Response(null, { status: 204 }),
        // The reason for the refusal of a reply would help an attacker to guess tokens.
        refused: ({ kind }) => refuseRequest({ kind, reasons: [{ message: "the reply was not accepted" }] }),
      }),
    );
    app.post(
      "/aaep/v1/events",
      intake({
        judge: (body) => judgeEvent(body, context),
        accepted: () => new Response(null, { status: 202 }),
        refused: refuseRequest,
      }),
    );
  },
};

function refuseRequest(refusal: Refusal): Response {
  const error = refusal.code ?? (refusal.kind === "invalid" ? "invalid_message" : refusal.kind);
  return Response.json({ error, message: refusalSentence(refusal) }, { status: statusOf(refusal, 400) });
}

/** Rejects a request in its own message type, for every kind of fault. */
function rejectSubscription(refusal: Refusal): Response {
  const body = { type: "subscription.rejected", reason_code: "unknown", reason_message: refusalSentence(refusal) };
  return Response.json(body, { status: statusOf(refusal, 400) });
}

/** Grants the requested capabilities, apart from extensions. */
function acceptSubscription(value: Json): Response {
  const { aaep_version: version, capabilities } = isObject(value) ? value : {};
  const requestedCapabilities = Object.entries(isObject(capabilities) ? capabilities : {});
  // An object under any other name belongs to an extension, and this producer has none.
  const grantedCapabilities = requestedCapabilities.filter(
    ([name, value]) => name === "event_filters" || !isObject(value),
  );
  const subscription_id = `sub_${randomUUID().replaceAll("-", "")}`;
  const body = {
    type: "subscription.accepted",
    subscription_id,
    aaep_version: typeof version === "string" && version.startsWith("0.") ? "0.1.0-draft" : "1.0.0",
    producer: { agent_id: "touchstone-reference" },
    honored_capabilities: Object.fromEntries(grantedCapabilities),
  };
  const headers = { Location: `/aaep/v1/events?subscription_id=${subscription_id}` };
  return Response.json(body, { status: 201, headers });
}

/** Judges a reply. Two of the four types have a schema; a message of the other two only needs to name its type. */
function judgeReply({ value, bytes }: Body, { protocol, judge }: ServiceContext): Ruling {
  const type = typeOfMessage(value);
  if (type === "subscription.renegotiate" || type === "subscription.close") return { advice: [] };
  if (type === "confirmation.reply" || type === "clarification.reply") {
    return rulingOn(judge(documentNamed(protocol, type), value, bytes));
  }
  return rulingOn({ breaches: [{ at: "/type", message: "is not the type of a reply" }], advice: [] });
}

/** Judges a core event by the schema of its type, and any other event by that of the envelope. An unknown event with the prefix `aaep` is rejected. */
function judgeEvent({ value, bytes }: Body, { protocol, judge }: ServiceContext): Ruling {
  const type = typeOfMessage(value);
  const coreDocument = protocol.profile.documents.find(
    ({ name }) => name.startsWith("agent.") && `aaep:${name}` === type,
  );
  const objections = judge(coreDocument ?? documentNamed(protocol, "envelope"), value, bytes);
  if (coreDocument === undefined && objections.breaches.length === 0 && type?.startsWith("aaep:")) {
    const breaches = [{ at: "/type", rule: "AAEP-ENV-008", message: `is not a core event: "${type}"` }];
    return rulingOn({ ...objections, breaches });
  }
  return rulingOn(objections);
}

function typeOfMessage(value: Json): string | undefined {
  return isObject(value) && Object.hasOwn(value, "type") && typeof value.type === "string" ? value.type : undefined;
}
