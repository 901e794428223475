import { type LiveOptions, type LiveReference, protocolNamed } from "../../../../schemas/index.ts";
import { variantNamed } from "../../../reference/start.ts";
import { serveHooks } from "../../../scenarios/way/serving.ts";
import { agentTwins } from "./agent/twins.ts";
import { agentVariants, type Variant } from "./agent/variants.ts";
import { hubTwins } from "./hub/twins.ts";
import { hubVariants } from "./hub/variants.ts";
import { nameOf, type Party, startParty } from "./parties.ts";
import { receiverVariants } from "./receiver/receiver.ts";
import { agentSentWrongly, hubSentWrongly } from "./sent.ts";
import { service } from "./service.ts";

/** A party, and the variant if it concerns not the party but the judging of messages. Throws a usage error where it is neither. */
async function partyFor({
  side = "agent",
  variant,
}: LiveOptions): Promise<{ party: Party; other: string | undefined }> {
  const party = startParty(side, variant);
  if (party !== undefined) return { party, other: undefined };
  const { families } = await import("../rules/index.ts");
  variantNamed(String(variant), { protocol: { ...protocolNamed("agent-conventions"), families }, service });
  return { party: startParty(side) as Party, other: variant };
}

const listed = <T>(side: string, variants: readonly Variant<T>[]) =>
  variants.map((variant) => ({
    ...{ name: nameOf(variant), rule: variant.rule, side, says: variant.says },
    ...(variant.isCourse === true ? { isCourse: true as const } : {}),
  }));

const twinned = (side: string, twins: readonly { name: string; freedoms: readonly string[] }[]) =>
  twins.map(({ name, freedoms }) => ({ name, side, freedoms, options: { side, variant: name } }));

export const live: LiveReference = {
  async serve(options) {
    const { families } = await import("../rules/index.ts");
    const { party, other } = await partyFor(options);
    const protocol = { ...protocolNamed("agent-conventions"), families };
    return serveHooks(party.hooks, { protocol, service, variant: other }, options.port);
  },
  async open(options = {}) {
    const { party } = await partyFor(options);
    return { setting: { side: options.side ?? "agent", ...party }, close: async () => {} };
  },
  twins: [...twinned("agent", agentTwins), ...twinned("hub", hubTwins)],
  variants: [
    ...listed("agent", agentVariants),
    ...listed("agent", agentSentWrongly),
    ...listed("hub", hubVariants),
    ...listed("hub", hubSentWrongly),
    ...listed("receiver", receiverVariants),
  ],
};
