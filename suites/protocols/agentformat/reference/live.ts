import { type LiveReference, protocolNamed } from "../../../../schemas/index.ts";
import { variantNamed } from "../../../reference/start.ts";
import { serveHooks } from "../../../scenarios/way/serving.ts";
import { type Decisions, right } from "./runtime/decisions.ts";
import { runtimeHooks } from "./runtime/hooks.ts";
import { runtimeTwins } from "./runtime/twins.ts";
import { nameOf, runtimeVariants } from "./runtime/variants.ts";
import { service } from "./service.ts";

/** What a runtime of a name decides; undefined where no runtime has the name. */
function decisionsOf(name: string): Decisions | undefined {
  const variant =
    runtimeVariants.find((each) => nameOf(each) === name) ?? runtimeTwins.find((each) => each.name === name);
  return variant === undefined ? undefined : { ...right, ...variant.decisions };
}

export const live: LiveReference = {
  async serve({ variant, port }) {
    const { families } = await import("../rules/index.ts");
    const decisions = variant === undefined ? right : decisionsOf(variant);
    const judging = { protocol: { ...protocolNamed("agentformat"), families }, service };
    const other = decisions === undefined ? { variant } : {};
    return serveHooks(runtimeHooks(decisions ?? right), { ...judging, ...other }, port);
  },
  async open({ variant } = {}) {
    const decisions = variant === undefined ? right : decisionsOf(variant);
    // A variant that judges wrongly runs as it should.
    if (decisions === undefined && variant !== undefined) {
      const { families } = await import("../rules/index.ts");
      variantNamed(variant, { protocol: { ...protocolNamed("agentformat"), families }, service });
    }
    return { setting: { side: "runtime", hooks: runtimeHooks(decisions ?? right) }, close: async () => {} };
  },
  twins: runtimeTwins.map(({ name, freedoms }) => ({ name, freedoms, options: { variant: name } })),
  variants: runtimeVariants.map((variant) => ({ name: nameOf(variant), rule: variant.rule, says: variant.says })),
};
