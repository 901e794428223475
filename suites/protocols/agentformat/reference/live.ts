import { type LiveOptions, type LiveReference, protocolNamed, TouchstoneError } from "../../../../schemas/index.ts";
import { variantNameOf } from "../../../packs/reference/mistakes.ts";
import { variantNamed } from "../../../packs/reference/start.ts";
import { serveHooks } from "../../../running/scenarios/way/serving.ts";
import { type Manners, type RuntimeChoice, usualManners } from "./runtime/choices/choice.ts";
import { runtimeChoices } from "./runtime/choices/index.ts";
import { correctDecisions, type Decisions } from "./runtime/decisions.ts";
import { runtimeHooks } from "./runtime/hooks.ts";
import { runtimeTwins } from "./runtime/twins.ts";
import { decisionsOf } from "./runtime/variant.ts";
import { runtimeVariants } from "./runtime/variants/index.ts";
import { service } from "./service.ts";

/** How a runtime behaves: its decisions about a run, and its manner of sending messages. */
interface LiveConduct {
  decisions: Decisions;
  manners: Manners;
}

/** The conduct of a named runtime with some choices; undefined for an unknown runtime. Throws a usage error for an unknown choice. */
function conductFor({ variant, choices = [] }: LiveOptions): LiveConduct | undefined {
  const namedRuntime =
    runtimeVariants.find((runtimeVariant) => variantNameOf(runtimeVariant) === variant) ??
    runtimeTwins.find((runtimeTwin) => runtimeTwin.name === variant);
  if (variant !== undefined && namedRuntime === undefined) return undefined;
  const activeChoices = [
    ...(namedRuntime !== undefined && "choices" in namedRuntime ? namedRuntime.choices : []),
    ...choices,
  ].map(choiceNamed);
  const decisions = Object.assign(
    {},
    correctDecisions,
    ...activeChoices.map((runtimeChoice) => runtimeChoice.decisions ?? {}),
  ) as Decisions;
  const manners = Object.assign(
    {},
    usualManners,
    ...activeChoices.map((runtimeChoice) => runtimeChoice.manners ?? {}),
  ) as Manners;
  return {
    decisions: {
      ...decisions,
      ...(namedRuntime !== undefined && "decisions" in namedRuntime ? decisionsOf(namedRuntime) : {}),
    },
    manners,
  };
}

function choiceNamed(name: string): RuntimeChoice {
  const choice = runtimeChoices.find((runtimeChoice) => runtimeChoice.name === name);
  if (choice === undefined)
    throw new TouchstoneError("usage", `there is no runtime choice ${name}`, {
      hint: `one of ${runtimeChoices.map((runtimeChoice) => runtimeChoice.name).join(", ")}`,
    });
  return choice;
}

export const live: LiveReference = {
  async serve(options) {
    const { ruled } = await import("../../../packs/pack/load.ts");
    const runtime = conductFor(options);
    const judging = { protocol: await ruled(protocolNamed("agentformat")), service };
    // A variant that judges documents wrongly still runs them correctly.
    const { decisions = correctDecisions, manners } = runtime ?? {};
    const otherOptions = runtime === undefined ? { variant: options.variant } : {};
    return serveHooks(runtimeHooks(decisions, manners), { ...judging, ...otherOptions }, options.port);
  },
  async open(options = {}) {
    const runtime = conductFor(options);
    if (runtime === undefined && options.variant !== undefined) {
      const { ruled } = await import("../../../packs/pack/load.ts");
      variantNamed(options.variant, { protocol: await ruled(protocolNamed("agentformat")), service });
    }
    const { decisions = correctDecisions, manners } = runtime ?? {};
    return { setting: { side: "runtime", hooks: runtimeHooks(decisions, manners) }, close: async () => {} };
  },
  choices: runtimeChoices.map(({ decisions: _, manners: __, ...choice }) => choice),
  shownHooks: { runtime: ["tell", "hear"] },
  twins: runtimeTwins.map(({ name, freedoms }) => ({ name, freedoms, options: { variant: name } })),
  variants: runtimeVariants.map((variant) => ({
    name: variantNameOf(variant),
    rule: variant.rule,
    says: variant.says,
  })),
};
