import type { LiveOptions, LiveReference, Staged } from "../../../../schemas/index.ts";
import { stagedProducer } from "./producer/start.ts";
import { producerTwins } from "./producer/twins.ts";
import { nameOf, producerVariants } from "./producer/variants/index.ts";

async function staged(options: LiveOptions = {}): Promise<Staged> {
  return stagedProducer(options);
}

/** Serves the reference for a user at the terminal. */
async function serve(options: LiveOptions): Promise<{ url: string; close(): Promise<void> }> {
  const { setting, close } = await staged(options);
  return { url: setting.url ?? "", close };
}

export const live: LiveReference = {
  serve,
  stage: staged,
  twins: producerTwins.map(({ name, freedoms }) => ({ name, freedoms, options: { variant: name } })),
  variants: producerVariants.map((variant) => ({ name: nameOf(variant), rule: variant.rule, says: variant.says })),
};
