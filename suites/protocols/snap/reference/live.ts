import {
  type Environment,
  type LiveOptions,
  type LiveReference,
  type LiveVariant,
  nearestName,
  TouchstoneError,
} from "../../../../schemas/index.ts";
import { variantNameOf } from "../../../packs/reference/mistakes.ts";
import type { AgentDecisions } from "./agent/agent.ts";
import { agentChoices } from "./agent/choices.ts";
import { rightAgentDecisions } from "./agent/policy.ts";
import { hooksOf, startAgent } from "./agent/start.ts";
import { texts } from "./agent/tasks.ts";
import type { AgentChoice } from "./agent/tempos.ts";
import { agentTwins } from "./agent/twins.ts";
import { agentVariants } from "./agent/variants/index.ts";
import { chosenFrom, policyOf, transportOf } from "./choice.ts";
import { requesterChoices } from "./requester/choices.ts";
import { rightRequesterDecisions } from "./requester/policy.ts";
import type { RequesterDecisions } from "./requester/requester.ts";
import { serveRequester, startRequester } from "./requester/start.ts";
import { requesterTwins } from "./requester/twins.ts";
import { requesterVariants } from "./requester/variants.ts";
import type { Transport } from "./transport.ts";

/** Starts the reference agent, or a variant of it, and returns the setting to play against it. */
async function agentEnvironment(options: LiveOptions): Promise<Environment> {
  const { variant, profile = "development" } = options;
  const changedAgent =
    agentVariants.find((agentVariant) => variantNameOf(agentVariant) === variant) ??
    agentTwins.find(({ name }) => name === variant);
  const variantOption = changedAgent === undefined && variant !== undefined ? { variant } : {};
  const choices = chosenFrom<AgentDecisions, Transport>(agentChoices, options.choices) as AgentChoice[];
  const settings = Object.assign({}, ...choices.map((choice) => choice.settings));
  const { agent, url, websocket, close } = await startAgent(
    { ...settings, ...definedOptions(options), ...variantOption, ...changedAgent?.settings },
    { ...policyOf(rightAgentDecisions, choices), ...changedAgent?.policy },
    transportOf(choices),
  );
  const hooks = hooksOf(agent);
  const isHttpOnly =
    (changedAgent !== undefined && "isAlone" in changedAgent) || choices.some((choice) => choice.isAlone === true);
  const partyOptions = { ...(isHttpOnly ? {} : { websocket }), ...texts, a2s: agent.settings.a2s ?? false };
  if (isHttpOnly) delete hooks.relays;
  return { setting: { url, hooks, profile, options: partyOptions }, close };
}

/** The seconds between attempts in tests. A served requester and a variant pause as long as the protocol requires. */
const shortPauses = [0.1, 0.2, 0.4];

/** Starts the reference requester, or a variant of it, and returns the setting to play against it. */
async function requesterEnvironment({ variant, choices }: LiveOptions): Promise<Environment> {
  const isPlain = variant === undefined;
  const chosenPolicy = policyOf(rightRequesterDecisions, chosenFrom(requesterChoices, choices));
  const requesterOptions = isPlain
    ? { pauses: shortPauses.map((seconds) => seconds * 1000) }
    : requesterPolicy(variant);
  const { hooks, close } = startRequester({ ...chosenPolicy, ...requesterOptions });
  const pauseOptions = isPlain ? { options: { pauses: shortPauses } } : {};
  return { setting: { side: "requester", hooks, ...pauseOptions }, close: async () => close() };
}

function requesterPolicy(variant: string | undefined): Partial<RequesterDecisions> | undefined {
  const changedRequester =
    requesterVariants.find((requesterVariant) => variantNameOf(requesterVariant) === variant) ??
    requesterTwins.find(({ name }) => name === variant);
  if (variant === undefined || changedRequester !== undefined) return changedRequester?.policy;
  const names = [...requesterVariants.map(variantNameOf), ...requesterTwins.map(({ name }) => name)];
  const hint = `${nearestName(variant, names)}there are: ${names.join(", ")}`;
  throw new TouchstoneError("usage", `unknown requester "${variant}"`, { hint });
}

function definedOptions({ port, profile, limits }: LiveOptions) {
  return {
    ...(port === undefined ? {} : { port }),
    ...(profile === undefined ? {} : { profile }),
    ...(limits === undefined ? {} : { limits }),
  };
}

export const live: LiveReference = {
  async serve(options) {
    if (options.side === "requester") return serveRequester(requesterPolicy(options.variant), options.port);
    const { setting, close } = await agentEnvironment(options);
    return { url: String(setting.url), close };
  },
  open: (options = {}) => (options.side === "requester" ? requesterEnvironment(options) : agentEnvironment(options)),
  choices: [
    ...agentChoices.map(
      ({ policy: _policy, transport: _transport, settings: _settings, isAlone: _alone, ...choice }) => ({
        ...choice,
        side: "agent",
      }),
    ),
    ...requesterChoices.map(({ policy: _policy, transport: _transport, ...choice }) => ({
      ...choice,
      side: "requester",
    })),
  ],
  shownHooks: { agent: ["clock", "handled"], requester: ["send", "stream", "discover", "find", "mail"] },
  twins: [
    ...agentTwins.map(({ name, freedoms }) => ({ name, side: "agent", freedoms, options: { variant: name } })),
    ...requesterTwins.map(({ name, freedoms }) => ({ name, side: "requester", freedoms, options: { variant: name } })),
  ],
  variants: [
    ...agentVariants.map((variant) => ({
      ...showVariant(variant),
      side: "agent",
      ...(variant.isCourse === true ? { isCourse: true as const } : {}),
    })),
    ...requesterVariants.map((variant) => ({ ...showVariant(variant), side: "requester" })),
  ],
};

function showVariant(variant: { rule: string; name?: string; says: string }): LiveVariant {
  return { name: variantNameOf(variant), rule: variant.rule, says: variant.says };
}
