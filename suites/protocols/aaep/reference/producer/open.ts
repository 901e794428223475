import { documentNamed, type Json, type Protocol, TouchstoneError } from "../../../../../schemas/index.ts";
import { judgeFor } from "../../../../packs/reference/validator.ts";
import { policyWithChoices } from "../party-choice.ts";
import { nameOf } from "../party-variant.ts";
import { producerChoices } from "./choices/index.ts";
import { startClock } from "./clock.ts";
import { conformingPolicy } from "./conforming-policy.ts";
import type { IsValidDocument, Producer, ProducerPolicy } from "./model.ts";
import { producerTwins } from "./twins.ts";
import { producerVariants } from "./variants/index.ts";

interface ProducerOptions {
  variant: string | undefined;
  manifestUri: string;
  principals: readonly (readonly [token: string, agent: string])[];
  choices?: readonly string[];
  timeScale?: number | undefined;
}

/** Opens a producer that admits only these callers, by their tokens. Throws a usage error for an unknown variant. */
export async function openProducer(
  protocol: Protocol,
  { variant, manifestUri, principals, choices = [], timeScale = 1 }: ProducerOptions,
): Promise<{ producer: Producer; isValid: IsValidDocument }> {
  const judge = await judgeFor(protocol);
  const { documents } = protocol.profile;
  const policy = policyWithChoices(producerChoices, choices, policyOf(variant));
  return {
    producer: {
      protocol,
      policy,
      clock: startClock(policy.movesTimer, timeScale),
      idCount: 0,
      effects: [],
      log: [],
      manifestUri,
      principals: new Map(principals),
      subscriptions: new Map(),
      sessions: new Map(),
      questions: new Map(),
    },
    isValid: (name: string, value: Json) =>
      documents.some((document) => document.name === name) && judge(documentNamed(protocol, name), value).length === 0,
  };
}

function policyOf(variant: string | undefined): ProducerPolicy {
  if (variant === undefined) return conformingPolicy;
  const policies = [
    ...producerVariants.map((producerVariant) => ({ ...producerVariant, name: nameOf(producerVariant) })),
    ...producerTwins,
  ];
  const namedPolicy = policies.find(({ name }) => name === variant);
  if (namedPolicy === undefined)
    throw new TouchstoneError("usage", `unknown producer "${variant}"`, { hint: "see the list of variants" });
  return { ...conformingPolicy, ...namedPolicy.policy };
}
