import type { JsonObject } from "../../../../../../schemas/index.ts";
import { breaks as broken, type Mistakes, type Variant } from "../../variant.ts";
import type { Policy } from "../model.ts";

export type ProducerVariant = Variant<Policy>;

/** Producers that break a rule, one for each mistake. */
export function breaks(rule: string, mistakes: Mistakes<Policy>): ProducerVariant[] {
  return broken(rule, mistakes);
}

/** Does not mind an objection to replies of one kind, or of either. */
export function minds(objection: string, kind?: string): Partial<Policy> {
  return { respects: (each, reply) => each !== objection || (kind !== undefined && reply.type !== `${kind}.reply`) };
}

/** Changes answers to requests that meet a condition. */
export function answers(
  concerns: (request: JsonObject, answer: JsonObject) => boolean,
  change: (answer: JsonObject) => JsonObject | undefined,
): Partial<Policy> {
  return { handshake: (request, answer) => (concerns(request, answer) ? change(answer) : answer) };
}
