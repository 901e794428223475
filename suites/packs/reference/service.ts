import type { Intake, Objections, Reason, Refusal, Ruling } from "../../../schemas/index.ts";

/** The response to a message with these findings: breaches make it a refusal. */
export function rulingOn({ breaches, advice }: Objections, code?: string | number): Ruling {
  return { refusal: refuseInvalid(breaches, code), advice };
}

/** A refusal for these reasons, or undefined without reasons. */
export function refuseInvalid(reasons: Reason[], code?: string | number): Refusal | undefined {
  if (reasons.length === 0) return undefined;
  return { kind: "invalid", reasons, ...(code === undefined ? {} : { code }) };
}

/** The HTTP status of a refusal. Protocols differ only in the status for an invalid message. */
export function statusOf(refusal: Refusal, invalidStatus: number): number {
  return { unreadable: 400, "media-type": 415, "too-large": 413, invalid: invalidStatus }[refusal.kind];
}

/** The first reason as a sentence of at most 1000 characters: place, fault, and rule. */
export function refusalSentence({ reasons: [first] }: Refusal): string {
  if (first === undefined) return "refused";
  const where = first.at === undefined ? "" : `${first.at === "" ? "the document" : first.at} `;
  const rule = first.rule === undefined ? "" : ` (${first.rule})`;
  // Cut by code points, because half of a surrogate pair is not valid text.
  return [...`${where}${first.message ?? "is not valid"}${rule}`].slice(0, 1000).join("");
}

/** Answers with 200, or with 422 and the reasons, for documents without their own endpoint. */
export function verdictIntake(judge: Intake["judge"]): Intake {
  return {
    judge,
    accepted: () => Response.json({ valid: true }),
    refused: (refusal) => Response.json({ valid: false, errors: refusal.reasons }, { status: statusOf(refusal, 422) }),
  };
}
