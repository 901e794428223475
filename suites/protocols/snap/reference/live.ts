import {
  type Environment,
  type LiveOptions,
  type LiveReference,
  type LiveVariant,
  nearestName,
  TouchstoneError,
} from "../../../../schemas/index.ts";
import { nameOf } from "../../../packs/reference/mistakes.ts";
import type { AgentDecisions as AgentPolicy } from "./agent/agent.ts";
import { agentChoices } from "./agent/choices.ts";
import { rightAgentDecisions } from "./agent/policy.ts";
import { hooksOf, startAgent } from "./agent/start.ts";
import { texts } from "./agent/tasks.ts";
import type { AgentChoice } from "./agent/tempos.ts";
import { agentTwins } from "./agent/twins.ts";
import { agentVariants } from "./agent/variants/index.ts";
import { chosenFrom, policyOf, transportOf } from "./choice.ts";
import { requesterChoices } from "./requester/choices.ts";
import { rightRequesterDecisions as rightRequester } from "./requester/policy.ts";
import type { RequesterDecisions } from "./requester/requester.ts";
import { serveRequester, startRequester } from "./requester/start.ts";
import { requesterTwins } from "./requester/twins.ts";
import { requesterVariants } from "./requester/variants.ts";
import type { Transport } from "./transport.ts";

/** Starts the reference agent, and returns its hooks. */
async function agentEnvironment(options: LiveOptions): Promise<Environment> {
  const { variant, profile = "development" } = options;
  const brokenAgent =
    agentVariants.find((agentVariant) => nameOf(agentVariant) === variant) ??
    agentTwins.find(({ name }) => name === variant);
  const otherOptions = brokenAgent === undefined && variant !== undefined ? { variant } : {};
  const choices = chosenFrom<AgentPolicy, Transport>(agentChoices, options.choices) as AgentChoice[];
  const settings = Object.assign({}, ...choices.map((choice) => choice.settings));
  const { agent, url, websocket, close } = await startAgent(
    { ...settings, ...optionsGiven(options), ...otherOptions, ...brokenAgent?.settings },
    { ...policyOf(rightAgentDecisions, choices), ...brokenAgent?.policy },
    transportOf(choices),
  );
  const hooks = hooksOf(agent);
  const isAlone =
    (brokenAgent !== undefined && "isAlone" in brokenAgent) || choices.some((choice) => choice.isAlone === true);
  const partyOptions = { ...(isAlone ? {} : { websocket }), ...texts, a2s: agent.settings.a2s ?? false };
  if (isAlone) delete hooks.relays;
  return { setting: { url, hooks, profile, options: partyOptions }, close };
}

/** Seconds between attempts in tests. If the requester is served, or is a variant, it pauses as long as the protocol requires. */
const shortDelays = [0.1, 0.2, 0.4];

/** Starts the reference requester, which hooks control. */
async function requesterEnvironment({ variant, choices }: LiveOptions): Promise<Environment> {
  const isPlain = variant === undefined;
  const chosen = policyOf(rightRequester, chosenFrom(requesterChoices, choices));
  const requesterOptions = isPlain
    ? { pauses: shortDelays.map((seconds) => seconds * 1000) }
    : requesterPolicy(variant);
  const { hooks, close } = startRequester({ ...chosen, ...requesterOptions });
  const pauseOptions = isPlain ? { options: { pauses: shortDelays } } : {};
  return { setting: { side: "requester", hooks, ...pauseOptions }, close: async () => close() };
}

function requesterPolicy(variant: string | undefined): Partial<RequesterDecisions> | undefined {
  const brokenAgent =
    requesterVariants.find((requesterVariant) => nameOf(requesterVariant) === variant) ??
    requesterTwins.find(({ name }) => name === variant);
  if (variant === undefined || brokenAgent !== undefined) return brokenAgent?.policy;
  const names = [...requesterVariants.map(nameOf), ...requesterTwins.map(({ name }) => name)];
  const hint = `${nearestName(variant, names)}there are: ${names.join(", ")}`;
  throw new TouchstoneError("usage", `unknown requester "${variant}"`, { hint });
}

function optionsGiven({ port, profile, limits }: LiveOptions) {
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
  return { name: nameOf(variant), rule: variant.rule, says: variant.says };
}
