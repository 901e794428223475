import type { JsonObject } from "../../../../../../schemas/index.ts";
import {
  type PartyMistakes,
  type PartyVariant,
  variantsBreaking as partyVariantsBreaking,
} from "../../party-variant.ts";
import type { ProducerPolicy } from "../model.ts";

export type ProducerVariant = PartyVariant<ProducerPolicy>;

/** Makes producers that break one rule, one for each mistake. */
export function variantsBreaking(rule: string, mistakes: PartyMistakes<ProducerPolicy>): ProducerVariant[] {
  return partyVariantsBreaking(rule, mistakes);
}

/** Ignores an objection to replies of one kind, or of both kinds. */
export function ignoreObjection(objection: string, kind?: string): Partial<ProducerPolicy> {
  return {
    respects: (otherObjection, reply) =>
      otherObjection !== objection || (kind !== undefined && reply.type !== `${kind}.reply`),
  };
}

/** Changes the answers to requests that match a condition. */
export function changeAnswers(
  matches: (request: JsonObject, answer: JsonObject) => boolean,
  change: (answer: JsonObject) => JsonObject | undefined,
): Partial<ProducerPolicy> {
  return { changeHandshake: (request, answer) => (matches(request, answer) ? change(answer) : answer) };
}
