import type { Intake, Objections, Reason, Refusal, Ruling } from "../../../schemas/index.ts";

/** The treatment of a message with these findings: its breaches refuse it. */
export function rulingOn({ breaches, advice }: Objections, code?: string | number): Ruling {
  return { refusal: refuseInvalid(breaches, code), advice };
}

/** A refusal for these reasons, or nothing when there are none. */
export function refuseInvalid(reasons: Reason[], code?: string | number): Refusal | undefined {
  if (reasons.length === 0) return undefined;
  return { kind: "invalid", reasons, ...(code === undefined ? {} : { code }) };
}

/** HTTP status of a refusal; protocols differ only in the status for an invalid message. */
export function statusOf(refusal: Refusal, ofInvalid: number): number {
  return { unreadable: 400, "media-type": 415, "too-large": 413, invalid: ofInvalid }[refusal.kind];
}

/** The first reason as a sentence of at most 1000 characters: where, what, and the rule. */
export function refusalSentence({ reasons: [first] }: Refusal): string {
  if (first === undefined) return "refused";
  const where = first.at === undefined ? "" : `${first.at === "" ? "the document" : first.at} `;
  const rule = first.rule === undefined ? "" : ` (${first.rule})`;
  // By code points: half a surrogate pair is not text.
  return [...`${where}${first.message ?? "is not valid"}${rule}`].slice(0, 1000).join("");
}

/** Says yes with 200 and no with 422, each with its reasons: for protocols and documents without an endpoint of their own. */
export function verdictIntake(judge: Intake["judge"]): Intake {
  return {
    judge,
    accepted: () => Response.json({ valid: true }),
    refused: (refusal) => Response.json({ valid: false, errors: refusal.reasons }, { status: statusOf(refusal, 422) }),
  };
}
