import {
  type HttpReply,
  isObject,
  type Json,
  type JsonObject,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { inShort } from "./steps.ts";

/** Finds the outcome in the reply to a late cancellation. `at` is the pointer to the object that has it; "" is the whole body. */
export function readTooLate({ json }: HttpReply): { at: string; members: JsonObject } | undefined {
  const body: JsonObject = isObject(json) ? json : {};
  const error: JsonObject = isObject(body.error) ? body.error : {};
  const places: [at: string, members: Json | undefined][] = [
    ["", body],
    ["/error", error],
    ["/error/details", error.details],
  ];
  const place = places.find(([, members]) => isObject(members) && members.status !== undefined);
  return place === undefined ? undefined : { at: place[0], members: place[1] as JsonObject };
}

/**
 * Checks AHCP-CAN-003 in the answer to the cancellation of an ask that has ended with this status: 409, with the three values at the top.
 * A success that reports the expiry is only a warning, because it does not mislead the agent.
 */
export function checkLateCancel(context: ScenarioContext, reply: HttpReply, id: string, status: string): void {
  const rule = "AHCP-CAN-003";
  const { at, members } = readTooLate(reply) ?? { at: "", members: {} };
  const hasOutcome = members.id === id && members.status === status && members.resolution === status;
  const isConflict = reply.status === 409 && hasOutcome;
  const isExpiry = status === "expired" && reply.status === 200 && namesExpiry(reply);
  const why = `cancelling a message that was ${status} is not answered 409 with id, status and resolution: ${inShort(reply)}`;
  context.expect(rule, isConflict, why, isExpiry ? "SHOULD" : "MUST", reply);
  if (isConflict) context.expect(rule, at === "", `id, status and resolution are in ${at}`, "SHOULD", reply);
}

/** Whether an answer reports an expiry and does not mention a cancellation. */
function namesExpiry({ json }: HttpReply): boolean {
  const values = isObject(json) ? [json.status, json.resolution] : [];
  return values.includes("expired") && !values.includes("cancelled");
}
