import { type Environment, type Hook, type LiveOptions, TouchstoneError } from "../../../../../schemas/index.ts";
import { policyWithChoices } from "../party-choice.ts";
import { nameOf } from "../party-variant.ts";
import { subscriberChoices } from "./choices.ts";
import { conformingPolicy } from "./conforming-policy.ts";
import { changeTerms, connect, createSubscriber, decide, disconnect } from "./subscriber.ts";
import { subscriberTwins } from "./twins.ts";
import { subscriberVariants } from "./variants.ts";

/** Starts the reference subscriber, with its user as hooks. */
export async function subscriberEnvironment({ variant, choices = [] }: LiveOptions = {}): Promise<Environment> {
  const policies = [
    ...subscriberVariants.map((subscriberVariant) => ({ ...subscriberVariant, name: nameOf(subscriberVariant) })),
    ...subscriberTwins,
  ];
  const namedPolicy = policies.find(({ name }) => name === variant);
  if (variant !== undefined && namedPolicy === undefined)
    throw new TouchstoneError("usage", `unknown subscriber "${variant}"`, { hint: "see the list of variants" });
  const subscriber = createSubscriber(
    policyWithChoices(subscriberChoices, choices, { ...conformingPolicy, ...namedPolicy?.policy }),
  );
  const hooks: Record<string, Hook> = {
    connect: (options) => connect(subscriber, options),
    decide: (decision) => decide(subscriber, decision),
    disconnect: () => disconnect(subscriber),
    change: (terms) => changeTerms(subscriber, terms),
    presented: () => ({
      items: subscriber.items.map((item) => ({ ...item })),
      prompts: [...subscriber.prompts.values()].map(({ event }) => ({ event_id: event.event_id ?? "" })),
      notices: subscriber.notices.map((notice) => ({ ...notice })),
    }),
  };
  return {
    setting: { side: "subscriber", hooks, options: { level: 3 } },
    async close() {
      for (const { transport } of subscriber.connections) transport.end();
    },
  };
}
