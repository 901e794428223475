import type { JsonObject } from "../../../../../../schemas/index.ts";
import type { Policy } from "../policy.ts";

/** A producer that decides wrongly in one way, so that a suite can be shown to notice. */
export interface ProducerVariant {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Tells it from others that break the same rule. */
  name?: string;
  /** Completes the sentence that begins with "one that". */
  says: string;
  policy: Partial<Policy>;
}

/** What a variant is called on the command line. */
export function nameOf({ rule, name }: ProducerVariant): string {
  return `breaks-${rule}${name === undefined ? "" : `-${name}`}`;
}

/** Does not mind an objection to replies of one kind, or of either. */
export function minds(objection: string, kind?: string): Partial<Policy> {
  return { heeds: (each, reply) => each !== objection || (kind !== undefined && reply.type !== `${kind}.reply`) };
}

/** Changes answers to requests of which something holds. */
export function answers(
  concerns: (request: JsonObject, answer: JsonObject) => boolean,
  change: (answer: JsonObject) => JsonObject | undefined,
): Partial<Policy> {
  return { handshake: (request, answer) => (concerns(request, answer) ? change(answer) : answer) };
}
