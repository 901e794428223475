import type { LiveReference } from "../../../../schemas/index.ts";
import { serveHooks } from "../../../scenarios/way/serving.ts";
import { runtimeHooks } from "./runtime/hooks.ts";
import { runtimeTwins } from "./runtime/twins.ts";
import { decisionsOf, nameOf, runtimeVariants } from "./runtime/variants.ts";

const twins = Object.fromEntries(runtimeTwins.map(({ name, decisions }) => [name, decisions]));

export const live: LiveReference = {
  serve: async ({ variant, port }) => serveHooks(runtimeHooks(decisionsOf(variant, twins)), port),
  async stage({ variant } = {}) {
    return { setting: { side: "runtime", hooks: runtimeHooks(decisionsOf(variant, twins)) }, close: async () => {} };
  },
  twins: runtimeTwins.map(({ name, freedoms }) => ({ name, freedoms, options: { variant: name } })),
  variants: runtimeVariants.map((variant) => ({ name: nameOf(variant), rule: variant.rule, says: variant.says })),
};
