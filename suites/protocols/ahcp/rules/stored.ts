import { type Breach, type Checker, equal, isObject, type JsonObject } from "../../../../schemas/index.ts";
import { outcomes } from "./exchange.ts";

export const storedChecker: Checker = {
  rule: "AHCP-GET-002",
  documents: ["get-message"],
  *check(stored): Iterable<Breach> {
    if (!isObject(stored)) return;
    const { type, status, response } = stored;
    if (typeof type !== "string" || typeof status !== "string") return;
    const possibleStatuses = type === "notify" ? ["delivered"] : ["open", ...(outcomes[type] ?? [])];
    if (!possibleStatuses.includes(status))
      yield { at: "/status", why: `is "${status}", which ${withArticle(type)} never is` };
    if (type === "notify" || status === "open") {
      if (Object.hasOwn(stored, "response"))
        yield { at: "/response", why: type === "notify" ? "answers a notify" : "is there while the message is open" };
    } else if (response === undefined) yield { at: "", why: `has no response although it is ${status}` };
    else if (isObject(response)) yield* checkResponse(stored, response, status);
  },
};

/** Finds the differences between a Response and the stored message that contains it. */
export function* checkResponse(stored: JsonObject, response: JsonObject, status: string): Iterable<Breach> {
  const { resolution, in_reply_to: repliedId, agent, state } = response;
  if (typeof resolution === "string" && resolution !== status)
    yield { at: "/response/resolution", why: `is "${resolution}" although the status is "${status}"` };
  if (typeof repliedId === "string" && typeof stored.id === "string" && repliedId !== stored.id)
    yield { at: "/response/in_reply_to", why: `is "${repliedId}" and not the message's id` };
  if (isObject(agent) && isObject(stored.agent))
    for (const name of ["id", "run_id"])
      if (typeof agent[name] === "string" && agent[name] !== stored.agent[name])
        yield { at: `/response/agent/${name}`, why: `is "${agent[name]}" and not the submitter's` };
  if (state === undefined && stored.state === undefined) return;
  if (state === undefined) yield { at: "/response", why: "does not bring back the state" };
  else if (stored.state === undefined) yield { at: "/response/state", why: "was never submitted" };
  else if (!equal(state, stored.state)) yield { at: "/response/state", why: "is not the state that was submitted" };
}

function withArticle(type: string): string {
  return type === "ask" ? "an ask" : `a ${type}`;
}
