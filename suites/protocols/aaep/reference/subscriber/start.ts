import { type Environment, type Hook, type LiveOptions, TouchstoneError } from "../../../../../schemas/index.ts";
import { madeBy } from "../choice.ts";
import { nameOf } from "../variant.ts";
import { subscriberChoices } from "./choices.ts";
import { rightPolicy } from "./right.ts";
import { change, connect, decide, disconnect, subscriberOf } from "./subscriber.ts";
import { subscriberTwins } from "./twins.ts";
import { subscriberVariants } from "./variants.ts";

/** Starts the reference subscriber, with its user as hooks. */
export async function subscriberEnvironment({ variant, choices = [] }: LiveOptions = {}): Promise<Environment> {
  const others = [
    ...subscriberVariants.map((subscriberVariant) => ({ ...subscriberVariant, name: nameOf(subscriberVariant) })),
    ...subscriberTwins,
  ];
  const broken = others.find(({ name }) => name === variant);
  if (variant !== undefined && broken === undefined)
    throw new TouchstoneError("usage", `unknown subscriber "${variant}"`, { hint: "see the list of variants" });
  const subscriber = subscriberOf(madeBy(subscriberChoices, choices, { ...rightPolicy, ...broken?.policy }));
  const hooks: Record<string, Hook> = {
    connect: (given) => connect(subscriber, given),
    decide: (given) => decide(subscriber, given),
    disconnect: () => disconnect(subscriber),
    change: (given) => change(subscriber, given),
    presented: () => ({
      items: subscriber.items.map((item) => ({ ...item })),
      prompts: [...subscriber.prompts.values()].map(({ event }) => ({ event_id: event.event_id ?? "" })),
      notices: subscriber.notices.map((notice) => ({ ...notice })),
    }),
  };
  return {
    setting: { side: "subscriber", hooks, options: { level: 3 } },
    async close() {
      for (const { line } of subscriber.connections) line.end();
    },
  };
}
