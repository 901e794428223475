import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { defaultActor } from "./exchange.ts";

/** A Response to one of the base messages, which all belong to the same run of the same agent. */
export function response(resolution: string, detail?: JsonObject, members: JsonObject = {}): JsonObject {
  return {
    ahcp_version: "0.3",
    in_reply_to: "msg_7f2a",
    resolution_id: "res_c41d",
    agent: { id: "oven-watch", run_id: "run-18" },
    resolution,
    ...(detail === undefined ? {} : { response: detail }),
    ...members,
  };
}

/** The inner response of a resolution shortly after the message arrived. The default resolver is Bea. */
export function resolvedBy(actor = "human:bea", members: JsonObject = {}): JsonObject {
  return { ...members, actor, resolved_at: "2026-03-02T04:21:37Z" };
}

export function answerOf(value: Json, members: JsonObject = {}): JsonObject {
  return response("answered", resolvedBy("human:bea", { value, ...members }));
}

export const declinedResponse: JsonObject = response("declined", resolvedBy());
export const cancelledResponse: JsonObject = response("cancelled", resolvedBy("agent:oven-watch"));
export const completedResponse: JsonObject = response(
  "completed",
  resolvedBy("human:bea", { comment: "It was the gasket." }),
);
export const expiredResponse: JsonObject = response("expired", resolvedBy("system:expiry"));

/** The Response of a message that expired with this default. */
export function defaultApplied(value: Json): JsonObject {
  return response("expired", resolvedBy(defaultActor, { value }), { defaulted: true });
}

/** The record of an outcome: the message, the id that the hub gave it, and the Response. */
export function outcome(message: JsonObject, envelope: JsonObject): JsonObject {
  return { id: "msg_7f2a", message, response: envelope };
}

/** The message as a hub returns it. */
export function storedAs(status: string, message: JsonObject, envelope?: JsonObject): JsonObject {
  return { ...message, id: "msg_7f2a", status, ...(envelope === undefined ? {} : { response: envelope }) };
}
