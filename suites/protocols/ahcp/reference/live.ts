import type { Environment, LiveReference } from "../../../../schemas/index.ts";
import { variantNameOf } from "../../../packs/reference/mistakes.ts";
import { hubChoices } from "./hub/choices/index.ts";
import { type HubOptions, startHub } from "./hub/start.ts";
import { hubTwins } from "./hub/twins.ts";
import { hubVariants } from "./hub/variants/index.ts";

/** The credentials of the two agents in scenarios. */
export const hubCredentials = {
  a: { agent: "touchstone-a", token: "reference-token-a" },
  b: { agent: "other-touchstone-a", apikey: "reference-key-b" },
};

/** Starts the reference hub with two agents, and passes its operator's operations as hooks. */
export async function hubEnvironment(options: HubOptions = {}): Promise<Environment> {
  // Scenarios fill the hub to its limits message by message, so these are low. No vectors run against this hub.
  const limits = { inboxDepth: 100, requestsPerMinute: 600, ...options.limits };
  const { url, operator, meets, close } = await startHub({
    profile: "development",
    credentials: hubCredentials,
    ...options,
    limits,
  });
  return {
    setting: {
      url,
      credentials: hubCredentials,
      hooks: operator,
      profile: options.profile ?? "development",
    },
    meets,
    close,
  };
}

/** The limits of a variant's hub: low for a rule about limits, so that scenarios reach them; otherwise too high to matter. */
function limitsFor(rule: string): Record<string, number> {
  if (rule.startsWith("AHCP-LIM")) return { requestsPerMinute: 600, inboxDepth: 300 };
  return { requestsPerMinute: 5000, inboxDepth: 1000 };
}

/** Variants of these rules run alone, so that other requests do not disturb their races. */
const racingRules = /^AHCP-(?:IDM-00[78]|LIF-00[34]|CAN-007)$/;

export const live: LiveReference = {
  serve: startHub,
  open: hubEnvironment,
  choices: hubChoices.map(({ name, kind, factor, freedoms, says, moots }) => ({
    name,
    kind,
    freedoms,
    says,
    ...(moots === undefined ? {} : { moots }),
    ...(factor === undefined ? {} : { factor }),
  })),
  shownHooks: { hub: ["resolve", "clock", "secret", "key"] },
  twins: hubTwins.map(({ name, choices }) => ({
    name,
    freedoms: hubChoices.flatMap((choice) => (choices.includes(choice.name) ? choice.freedoms : [])),
    options: { variant: name, limits: limitsFor("") },
  })),
  variants: hubVariants.map((variant) => ({
    name: variantNameOf(variant),
    rule: variant.rule,
    says: variant.says,
    ...(racingRules.test(variant.rule) ? { alone: true as const } : {}),
    ...(variant.withHooks === undefined ? {} : { withHooks: variant.withHooks }),
    options: { limits: limitsFor(variant.rule) },
  })),
};
