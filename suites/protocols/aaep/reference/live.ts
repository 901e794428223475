import { type Environment, type LiveOptions, type LiveReference, TouchstoneError } from "../../../../schemas/index.ts";
import { nameOf } from "./party-variant.ts";
import { producerChoices } from "./producer/choices/index.ts";
import { producerEnvironment } from "./producer/start.ts";
import { producerTwins } from "./producer/twins.ts";
import { producerVariants } from "./producer/variants/index.ts";
import { subscriberChoices } from "./subscriber/choices.ts";
import { subscriberEnvironment } from "./subscriber/start.ts";
import { subscriberTwins } from "./subscriber/twins.ts";
import { subscriberVariants } from "./subscriber/variants.ts";

async function openParty(options: LiveOptions = {}): Promise<Environment> {
  return options.side === "subscriber" ? subscriberEnvironment(options) : producerEnvironment(options);
}

/** Serves the producer, with a user at the terminal. A subscriber cannot be served, because it is a client. */
async function serve(options: LiveOptions): Promise<{ url: string; close(): Promise<void> }> {
  if (options.side === "subscriber")
    throw new TouchstoneError("usage", "a subscriber cannot be served: it is a client", {
      hint: "serve the producer instead",
    });
  const { setting, close } = await openParty(options);
  return { url: setting.url ?? "", close };
}

const sides = {
  producer: { variants: producerVariants, twins: producerTwins, choices: producerChoices },
  subscriber: { variants: subscriberVariants, twins: subscriberTwins, choices: subscriberChoices },
};

export const live: LiveReference = {
  serve,
  open: openParty,
  choices: Object.entries(sides).flatMap(([side, { choices }]) =>
    choices.map(({ name, kind, factor, freedoms, says, moots }) => ({
      name,
      side,
      kind,
      freedoms,
      says,
      ...(moots === undefined ? {} : { moots }),
      ...(factor === undefined ? {} : { factor }),
    })),
  ),
  shownHooks: { producer: ["start"], subscriber: ["connect", "presented", "decide"] },
  twins: Object.entries(sides).flatMap(([side, { twins }]) =>
    twins.map(({ name, freedoms }) => ({ name, side, freedoms, options: { side, variant: name } })),
  ),
  variants: Object.entries(sides).flatMap(([side, { variants }]) =>
    variants.map((variant) => ({
      name: nameOf(variant),
      side,
      rule: variant.rule,
      says: variant.says,
      ...(variant.isCourse === true ? { isCourse: true as const } : {}),
      ...(variant.withHooks === undefined ? {} : { withHooks: variant.withHooks }),
    })),
  ),
};
