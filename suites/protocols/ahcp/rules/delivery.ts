import { type Breach, type Checker, equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { defaultActor } from "./exchange.ts";
import { ahcpSpelling, findSignatureBreaches, type PushSpelling, type SignatureBreach } from "./signed.ts";

/** Finds the reasons why an agent must not act on a delivery. */
function* findBreaches(record: Json, spelling: PushSpelling): Iterable<SignatureBreach> {
  if (!isObject(record)) return;
  const body = bodyOf(record);
  if (body === undefined) return;
  if (record.channel === "push") yield* findSignatureBreaches(record, body, spelling);
  const { sealed: sealedState, taken_for: takenFor } = record;
  if (isObject(sealedState) && body.state !== undefined && !equal(body.state, sealedState))
    yield { rule: "AHCP-STA-002", at: "/body", why: "has a state that does not bear the agent's seal" };
  yield* findRepeatedActions(record, body);
  const actor = isObject(body.response) ? body.response.actor : undefined;
  if (typeof takenFor === "string" && typeof actor === "string" && takenFor !== actorKind(actor))
    yield { rule: "AHCP-SIG-016", at: "/taken_for", why: `is "${takenFor}", and the signed actor is "${actor}"` };
}

function* findRepeatedActions(record: JsonObject, body: JsonObject): Iterable<SignatureBreach> {
  const { channel, acted } = record;
  for (const [index, action] of (Array.isArray(acted) ? acted : []).entries()) {
    if (!isObject(action) || action.in_reply_to !== body.in_reply_to || action.resolution_id !== body.resolution_id)
      continue;
    const rule = action.channel === channel ? "AHCP-DLV-010" : "AHCP-DLV-012";
    yield { rule, at: `/acted/${index}`, why: "is this outcome, on which the agent has acted already" };
  }
}

/** The Response in a delivery, which is recorded as an object or as a JSON string. */
export function bodyOf({ body }: JsonObject): JsonObject | undefined {
  try {
    const value = typeof body === "string" ? (JSON.parse(body) as Json) : body;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function actorKind(actor: string): string {
  if (actor === defaultActor) return "default";
  const [kind] = actor.split(":", 1);
  return kind === "human" ? "person" : (kind as string);
}

const rules = [
  "AHCP-SIG-003",
  "AHCP-SIG-004",
  "AHCP-SIG-005",
  "AHCP-SIG-007",
  "AHCP-SIG-011",
  "AHCP-SIG-012",
  "AHCP-SIG-013",
  "AHCP-SIG-014",
  "AHCP-SIG-015",
  "AHCP-SIG-016",
  "AHCP-STA-002",
  "AHCP-DLV-010",
  "AHCP-DLV-012",
];

export const deliveryCheckers: readonly Checker[] = deliveryCheckersFor(ahcpSpelling);

/** The checkers for a protocol that spells signatures differently. */
export function deliveryCheckersFor(spelling: PushSpelling): Checker[] {
  const allRules = spelling.formRule === undefined ? rules : [...rules, spelling.formRule];
  return allRules.map((rule) => ({
    rule,
    documents: ["delivery"],
    *check(record): Iterable<Breach> {
      for (const { rule: brokenRule, ...breach } of findBreaches(record, spelling))
        if (brokenRule === rule) yield breach;
    },
  }));
}
