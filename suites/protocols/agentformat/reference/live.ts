import type { LiveReference } from "../../../../schemas/index.ts";
import { serveRuntime } from "./runtime/serve.ts";
import { stagedRuntime } from "./runtime/stage.ts";
import { runtimeTwins } from "./runtime/twins.ts";
import { decisionsOf, nameOf, runtimeVariants } from "./runtime/variants.ts";

const twins = Object.fromEntries(runtimeTwins.map(({ name, decisions }) => [name, decisions]));

export const live: LiveReference = {
  serve: async ({ variant, port }) => serveRuntime(decisionsOf(variant, twins), port),
  stage: async ({ variant } = {}) => stagedRuntime(decisionsOf(variant, twins)),
  twins: runtimeTwins.map(({ name, freedoms }) => ({ name, freedoms, options: { variant: name } })),
  variants: runtimeVariants.map((variant) => ({ name: nameOf(variant), rule: variant.rule, says: variant.says })),
};
