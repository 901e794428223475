import {
  type LiveChoice,
  type LiveOptions,
  type LiveReference,
  type LiveTwin,
  protocolNamed,
} from "../../../../schemas/index.ts";
import { variantNameOf } from "../../../packs/reference/mistakes.ts";
import { variantNamed } from "../../../packs/reference/start.ts";
import { serveHooks } from "../../../running/scenarios/way/serving.ts";
import { agentChoices } from "./agent/choices.ts";
import { agentVariants } from "./agent/variants.ts";
import type { PartyDifference } from "./choices.ts";
import { hubChoices } from "./hub/choices.ts";
import { hubVariants } from "./hub/variants.ts";
import { agentMessageVariants, hubMessageVariants } from "./message-variants.ts";
import { type Party, startParty } from "./parties.ts";
import type { PartyMistake } from "./party-mistakes.ts";
import { receiverChoices, receiverVariants } from "./receiver/receiver.ts";
import { service } from "./service.ts";

/**
 * Starts a party. For a variant that only validates messages wrongly, the party conforms, and `judgingVariant` is set. Throws a
 * usage error for an unknown variant.
 */
async function startLive({
  side = "agent",
  variant,
  choices = [],
}: LiveOptions): Promise<{ party: Party; judgingVariant: string | undefined }> {
  const party = startParty(side, { ...(variant === undefined ? {} : { variant }), choices });
  if (party !== undefined) return { party, judgingVariant: undefined };
  const { ruled } = await import("../../../packs/pack/load.ts");
  // Throws for an unknown variant.
  variantNamed(String(variant), { protocol: await ruled(protocolNamed("agent-conventions")), service });
  return { party: startParty(side, { choices }) as Party, judgingVariant: variant };
}

const listVariants = <T>(side: string, variants: readonly PartyMistake<T>[]) =>
  variants.map((variant) => ({
    name: variantNameOf(variant),
    rule: variant.rule,
    side,
    says: variant.says,
    ...(variant.isCourse === true ? { isCourse: true as const } : {}),
  }));

const listChoices = <T>(side: string, choices: readonly PartyDifference<T>[]): LiveChoice[] =>
  choices.map(({ conduct: _, ...choice }) => ({ ...choice, side }));

const choices: readonly LiveChoice[] = [
  ...listChoices("agent", agentChoices),
  ...listChoices("hub", hubChoices),
  ...listChoices("receiver", receiverChoices),
];

/** Conforming parties that each combine several choices. */
const choiceSets: readonly [name: string, side: string, choices: readonly string[]][] = [
  ["lenient", "agent", ["own-report-values", "four-attempts", "acknowledges-all", "drops-unknown"]],
  ["strict", "agent", ["validates-first", "reports-to-hub", "handles-once", "hands-over-the-contract"]],
  ["by-the-table", "hub", ["by-the-table", "answers-by-message"]],
  ["writing", "hub", ["writes-errors", "answers-by-cue"]],
  ["one-by-one", "hub", ["one-by-one", "repeats-warnings"]],
];
const twins: readonly LiveTwin[] = choiceSets.map(([name, side, choiceNames]) => ({
  name,
  side,
  options: { side, choices: choiceNames },
  freedoms: choices
    .filter((choice) => choice.side === side && choiceNames.includes(choice.name))
    .flatMap(({ freedoms }) => freedoms),
}));

export const live: LiveReference = {
  async serve(options) {
    const { ruled } = await import("../../../packs/pack/load.ts");
    const { party, judgingVariant } = await startLive(options);
    const protocol = await ruled(protocolNamed("agent-conventions"));
    return serveHooks(party.hooks, { protocol, service, variant: judgingVariant }, options.port);
  },
  async open(options = {}) {
    const { party } = await startLive(options);
    return { setting: { side: options.side ?? "agent", ...party }, close: async () => {} };
  },
  choices,
  shownHooks: {
    agent: ["deliver", "outbox", "assign", "worked", "prepare", "report", "clock"],
    hub: ["deliver", "outbox", "assign"],
    receiver: ["receive"],
  },
  twins,
  variants: [
    ...listVariants("agent", agentVariants),
    ...listVariants("agent", agentMessageVariants),
    ...listVariants("hub", hubVariants),
    ...listVariants("hub", hubMessageVariants),
    ...listVariants("receiver", receiverVariants),
  ],
};
