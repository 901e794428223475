import {
  discretionsIn,
  isObject,
  jsonOf,
  type Protocol,
  pointer,
  type TargetAnswer,
  type Vector,
  verdictOf,
} from "../../../schemas/index.ts";
import { bodyFact, describeBody } from "../../base/text/skips.ts";
import type { RunCase } from "./case.ts";
import { type AnswerJudgement, firstReason } from "./judge.ts";

/** Excuses a server that refuses a message for its own reasons, which it need not explain. */
export function withLatitude(
  judgement: AnswerJudgement,
  { vector, document }: RunCase,
  answer: TargetAnswer,
  protocol: Protocol,
): AnswerJudgement {
  if (judgement.outcome !== "violates" && judgement.outcome !== "warns") return judgement;
  if (verdictOf(vector) === "valid" && answer.verdict === "rejected") {
    if (answer.over !== undefined) return { outcome: "skipped", why: answer.over, cause: { kind: "limit" } };
    const [place] = discretionsIn(protocol.profile, document.name, vector.data);
    if (place === undefined) return withDoubt(judgement, answer, protocol);
    const why = `refused: a server may refuse the value at ${place.at} (${place.rule})`;
    return { outcome: "disputed", why, cause: { kind: "left-open", by: "discretion" } };
  }
  const boundDocuments = answer.verdict === "accepted" ? otherBoundParty(vector, protocol) : undefined;
  if (boundDocuments !== undefined)
    return unboundJudgement(`taken: ${vector.rule} binds the ${boundDocuments}, and a receiver need not refuse for it`);
  if (judgement.outcome === "warns" && answer.verdict === "accepted" && bindsWriters(vector, protocol))
    return unboundJudgement(`taken: ${vector.rule} advises the author of a message, not its reader`);
  return judgement;
}

/** Excuses a missing answer to a message without an id, if answers repeat the id: such a message may be ignored as a notification. */
export function ofNotification(
  judgement: AnswerJudgement,
  { vector: { data, raw }, document }: RunCase,
  answer: TargetAnswer,
): AnswerJudgement {
  const id = document.answer?.id;
  const isFailure = judgement.outcome === "violates" || judgement.outcome === "warns";
  if (id === undefined || !isFailure || answer.verdict !== "accepted") return judgement;
  // Reading the exchange builds it, which is slow, so it is read last.
  if (answer.exchange?.response?.body !== "") return judgement;
  const message = data ?? (raw === undefined ? undefined : jsonOf(raw));
  if (!isObject(message) || (pointer.at(id, message) ?? null) !== null) return judgement;
  const why = "a message without an id may be ignored as a notification, which gets no answer (JSON-RPC 2.0, 4.1)";
  return { outcome: "disputed", why, cause: { kind: "left-open", by: "discretion" } };
}

function unboundJudgement(why: string): AnswerJudgement {
  return { outcome: "disputed", why, cause: { kind: "left-open", by: "binding" } };
}

/** Turns the judgement of a refusal into a warning if the profile names a possible cause that no schema states. Otherwise, the judgement is unchanged. */
function withDoubt(judgement: AnswerJudgement, answer: TargetAnswer, { profile }: Protocol): AnswerJudgement {
  const { mayRefuse } = profile.http;
  if (mayRefuse === undefined) return judgement;
  const { exchange, reasons } = answer;
  const hasReason = reasons.some(({ message, at }) => message !== undefined || at !== undefined);
  const body = hasReason ? "" : (exchange?.response?.body ?? "");
  const reason = firstReason(reasons);
  const cause = {
    kind: "refused" as const,
    ...(reason === undefined ? {} : { reason }),
    doubt: mayRefuse,
    ...bodyFact(body),
  };
  return { outcome: "warns", why: `${judgement.why}; no violation, since ${mayRefuse}${describeBody(cause)}`, cause };
}

/** Returns the parties that the rule of a vector binds, if the server is none of them. */
function otherBoundParty(vector: Vector, protocol: Protocol): string | undefined {
  const { binds: serverParties } = protocol.profile.http;
  const vectorParties = partiesBoundBy(vector, protocol);
  if (
    serverParties === undefined ||
    vectorParties === undefined ||
    vectorParties.some((party) => serverParties.includes(party))
  )
    return undefined;
  return vectorParties.join(" or the ");
}

/** Whether the rule of a vector binds only messages. */
function bindsWriters(vector: Vector, protocol: Protocol): boolean {
  return partiesBoundBy(vector, protocol)?.every((party) => party === "message") === true;
}

/** Returns the parties that the semantic rule of a vector binds. */
function partiesBoundBy({ rule, site }: Vector, { rules }: Protocol): readonly string[] | undefined {
  return site === undefined ? rules.find(({ id }) => id === rule)?.binds : undefined;
}
