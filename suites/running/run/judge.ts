import {
  type Answer,
  type Cause,
  type Json,
  type Outcome,
  pointer,
  type Reading,
  type Reason,
  readingInWords,
  type Vector,
  verdictOf,
} from "../../../schemas/index.ts";
import { describeContradiction } from "../../base/text/contradiction.ts";

/** The judgement of an answer. It has a reason, as a sentence and as data, unless the outcome is `conforms`. */
export type AnswerJudgement =
  | { outcome: "conforms"; why?: undefined; cause?: undefined }
  | { outcome: Exclude<Outcome, "conforms">; why: string; cause: Cause };

/** The error codes with which the protocol allows a document to be refused. */
export type Codes = readonly (string | number)[];

/** Judges an answer to a vector. `also` returns a rule that an invalid message breaks in addition, and is called only if that decides. */
export function judge(vector: Vector, answer: Answer, codes?: Codes, also?: () => string | undefined): AnswerJudgement {
  const verdict = verdictOf(vector);
  if (verdict === "disputed")
    return { outcome: "disputed", why: describeReading(vector, answer), cause: { kind: "left-open", by: "readings" } };
  const breach = vector.level === undefined || vector.level === "MUST" ? "violates" : "warns";
  const targetReason = firstReason(answer.reasons);
  if (verdict === "valid") {
    if (answer.verdict === "accepted") return { outcome: "conforms" };
    if (vector.beyond !== undefined) {
      const why = `refused: the schema accepts it, and it breaks ${vector.beyond.join(", ")}`;
      return { outcome: "disputed", why, cause: { kind: "left-open", by: "rules" } };
    }
    return {
      outcome: breach,
      why: describeContradiction("valid", targetReason),
      cause: { kind: "refused", ...(targetReason === undefined ? {} : { reason: targetReason }) },
    };
  }
  if (answer.verdict === "accepted") {
    // A message that only breaks advice may be accepted with a warning.
    const isNoted = breach === "warns" && answer.reasons.some((reason) => fitsReason(vector, reason, codes) === true);
    return isNoted
      ? { outcome: "conforms" }
      : { outcome: breach, why: describeContradiction("invalid"), cause: { kind: "accepted" } };
  }
  const knownFits = answer.reasons
    .map((reason) => fitsReason(vector, reason, codes))
    .filter((fit) => fit !== undefined);
  if (knownFits.length === 0 || knownFits.includes(true)) return { outcome: "conforms" };
  const alsoBrokenRule = also?.();
  if (alsoBrokenRule !== undefined && answer.reasons.some(({ rule }) => rule === alsoBrokenRule))
    return { outcome: "conforms" };
  return {
    outcome: "wrong-reason",
    why: `refused for another cause${targetReason === undefined ? "" : `: ${targetReason}`}`,
    cause: { kind: "other-reason", ...(targetReason === undefined ? {} : { reason: targetReason }) },
  };
}

/** Whether a reason names the vector's cause; undefined if no part of it can be compared. One fitting part is enough, because a target may report one code for everything, or the object around the fault. */
function fitsReason(vector: Vector, reason: Reason, codes: Codes | undefined): boolean | undefined {
  const parts = [
    fitsPlace(vector, reason),
    fitsSite(vector.site, reason.site),
    vector.rule === undefined || reason.rule === undefined ? undefined : reason.rule === vector.rule,
    codes === undefined || reason.code === undefined ? undefined : codes.includes(reason.code),
  ];
  if (parts.includes(true)) return true;
  return parts.includes(false) ? false : undefined;
}

/** Whether the place of a reason fits the fault; undefined if it is not a place in the message. The fault is at the vector's place, at the other involved members, and at the change to its parent. If the faulty member determines the kind of its object, a reader may take the object for a different kind, and report missing or unexpected members there. */
function fitsPlace(vector: Vector, { at: reasonPlace, keyword, site = "" }: Reason): boolean | undefined {
  if (reasonPlace === undefined) return undefined;
  const at = reasonPlace.startsWith("#") ? reasonPlace.slice(1) : reasonPlace;
  // The whole document contains every fault, and is the only place in text that is not JSON.
  if (at === "") return true;
  if (vector.at === undefined || !at.startsWith("/")) return undefined;
  const places = [vector.at, ...(vector.involves ?? []), ...(vector.change ?? []).map((operation) => operation.path)];
  const isFit =
    places.some((place) => pointer.areRelated(place, at) || isUnevaluatedBy(place, at, keyword ?? site)) ||
    isInSameObject(vector, at);
  return isFit || (canContain(vector.data, at) ? false : undefined);
}

/** Whether a value is or could be at a place: a missing member also has a place, in an existing object. A path with names that are not in the message, such as the branches of a union in Pydantic, is not a place. There are no places within a scalar. */
function canContain(data: Json | undefined, at: string): boolean {
  if (typeof data !== "object" || data === null) return true;
  const within = pointer.at(pointer.split(at).parent, data);
  return typeof within === "object" && within !== null;
}

/** Whether a member or item may be unevaluated because of the fault: if a branch fails, so are the members and items that only this branch evaluates, in any object or array around the fault. */
function isUnevaluatedBy(fault: string, at: string, keyword: string): boolean {
  return /(^|\/)unevaluated(Properties|Items)$/.test(keyword) && fault.startsWith(at.slice(0, at.lastIndexOf("/") + 1));
}

function isInSameObject({ site = "", at = "", change = [] }: Vector, reasonSite: string): boolean {
  const isKind = /\/(const|enum)$/.test(site) && change.length === 1 && change[0]?.path === at;
  const [within, inside] = [at, reasonSite].map((place) => place.split("/").slice(0, -1)) as [string[], string[]];
  return isKind && at !== "" && within.every((step, index) => inside[index] === step);
}

/** Whether two sites are related; undefined if they cannot be compared. A site without the schema's id is compared by its fragment. A site with a `$ref` is an evaluation path, not a location. A reader that counts contained items may name `contains` for either bound. */
function fitsSite(site: string | undefined, reasonSite: string | undefined): boolean | undefined {
  if (
    site === undefined ||
    reasonSite === undefined ||
    !reasonSite.includes("#") ||
    /\/\$(dynamicRef|recursiveRef|ref)(\/|$)/.test(reasonSite)
  ) {
    return undefined;
  }
  const [vectorSite, namedSite] = [site, reasonSite].map((place) =>
    place.replace(/\/(min|max)Contains$/, "/contains"),
  ) as [string, string];
  return namedSite.startsWith("#")
    ? pointer.areRelated(vectorSite.slice(vectorSite.indexOf("#")), namedSite)
    : pointer.areRelated(vectorSite, namedSite);
}

function describeReading(vector: Vector, answer: Answer): string {
  const verdict = answer.verdict === "accepted" ? "valid" : "invalid";
  const reading = vector.readings?.find((candidate) => candidate.verdict === verdict);
  if (reading === undefined) return `the target treats it as ${verdict}, and no recorded reading does`;
  const otherReadings = (vector.readings ?? []).filter((other) => other.verdict !== verdict).map(describeOther);
  return [`the target treats it as ${verdict}, as ${readingInWords(reading)}`, ...otherReadings].join("; ");
}

function describeOther(reading: Reading): string {
  return `${reading.verdict} for ${readingInWords(reading)}`;
}

/** Describes the first reason in words. */
export function firstReason(reasons: readonly Reason[]): string | undefined {
  const reason = reasons[0];
  if (reason === undefined) return undefined;
  const namedFault = [reason.code, reason.rule, reason.keyword].filter((part) => part !== undefined).join(" ");
  const text = [namedFault, reason.message].filter((part) => part !== undefined && part !== "").join(": ");
  const place = reason.at === undefined ? reason.site : reason.at === "" ? "the whole document" : reason.at;
  if (place === undefined) return text === "" ? undefined : text;
  return text === "" ? `at ${place}` : `${text} (at ${place})`;
}
