import { documentNamed, type Json, type Protocol, TouchstoneError } from "../../../../../schemas/index.ts";
import { judgeFor } from "../../../../packs/reference/validator.ts";
import { madeBy } from "../choice.ts";
import { nameOf } from "../variant.ts";
import { producerChoices } from "./choices/index.ts";
import { startClock } from "./clock.ts";
import type { IsWhole, Producer, ProducerPolicy } from "./model.ts";
import { rightPolicy } from "./right.ts";
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
): Promise<{ producer: Producer; isWhole: IsWhole }> {
  const judge = await judgeFor(protocol);
  const { documents } = protocol.profile;
  const policy = madeBy(producerChoices, choices, policyOf(variant));
  return {
    producer: {
      protocol,
      policy,
      clock: startClock(policy.moves, timeScale),
      drawn: 0,
      effects: [],
      log: [],
      manifestUri,
      principals: new Map(principals),
      subscriptions: new Map(),
      sessions: new Map(),
      questions: new Map(),
    },
    isWhole: (name: string, value: Json) =>
      documents.some((document) => document.name === name) && judge(documentNamed(protocol, name), value).length === 0,
  };
}

function policyOf(variant: string | undefined): ProducerPolicy {
  if (variant === undefined) return rightPolicy;
  const others = [
    ...producerVariants.map((producerVariant) => ({ ...producerVariant, name: nameOf(producerVariant) })),
    ...producerTwins,
  ];
  const found = others.find(({ name }) => name === variant);
  if (found === undefined)
    throw new TouchstoneError("usage", `unknown producer "${variant}"`, { hint: "see the list of variants" });
  return { ...rightPolicy, ...found.policy };
}
