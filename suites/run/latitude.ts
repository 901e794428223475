import { type Answer, type Protocol, pointer, type Vector, verdictOf } from "../../schemas/index.ts";
import type { Judgement } from "./judge.ts";

/** What is said of a server, which may refuse a message for what it alone knows, and need not teach those who write. */
export function withLatitude(judgement: Judgement, vector: Vector, answer: Answer, protocol: Protocol): Judgement {
  if (judgement.outcome !== "violates" && judgement.outcome !== "warns") return judgement;
  if (verdictOf(vector) === "valid" && answer.verdict === "rejected") {
    const { data } = vector;
    const places = data === undefined ? [] : (protocol.profile.discretion ?? []);
    const place = places.find(({ at }) => pointer.has(at, data as NonNullable<typeof data>));
    if (place === undefined) return judgement;
    return { outcome: "disputed", why: `refused: a server may refuse what stands at ${place.at} (${place.rule})` };
  }
  if (judgement.outcome === "warns" && answer.verdict === "accepted" && bindsWriters(vector, protocol))
    return { outcome: "disputed", why: `taken: ${vector.rule} advises whoever writes a message, not who reads it` };
  return judgement;
}

/** Whether the rule of a vector binds messages alone. */
function bindsWriters({ rule, site }: Vector, { rules }: Protocol): boolean {
  const binds = site === undefined ? rules.find(({ id }) => id === rule)?.binds : undefined;
  return binds?.every((each) => each === "message") === true;
}
