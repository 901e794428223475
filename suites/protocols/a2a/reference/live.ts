import {
  type Environment,
  type Hook,
  type LiveChoice,
  type LiveOptions,
  type LiveReference,
  nearestName,
  TouchstoneError,
} from "../../../../schemas/index.ts";
import { type MistakenParty, variantNameOf } from "../../../packs/reference/mistakes.ts";
import type { A2aPolicy, ReferenceAgent, ServingSettings } from "./agent/agent.ts";
import { agentChoices } from "./agent/choices.ts";
import { correctAgent } from "./agent/policy.ts";
import { startAgent } from "./agent/start.ts";
import { moveTask } from "./agent/tasks.ts";
import { brokenAgents } from "./agent/variants/index.ts";
import { messageTexts } from "./agent/work.ts";
import { clientChoices } from "./client/choices.ts";
import { correctClient } from "./client/policy.ts";
import { clientEnvironment } from "./client/start.ts";
import { brokenClients } from "./client/variants.ts";
import { correctReceiver, receiverEnvironment } from "./receiver/receiver.ts";
import { brokenReceivers, receiverChoices } from "./receiver/variants.ts";

/** The callers in tests, by token. */
const tokens: Readonly<Record<string, string>> = { "token-a": "a", "token-b": "b" };

/** The tenant of the agent's interfaces. */
const tenant = "north";

/** Finds the variant with this name. Throws a usage error for an unknown name. */
function variantOf<Variant extends MistakenParty>(
  variants: readonly Variant[],
  name: string | undefined,
): Variant | undefined {
  const namedVariant = variants.find((variant) => variantNameOf(variant) === name);
  if (name === undefined || namedVariant !== undefined) return namedVariant;
  const names = variants.map(variantNameOf);
  throw new TouchstoneError("usage", `unknown variant "${name}"`, {
    hint: `${nearestName(name, names)}there are: ${names.join(", ")}`,
  });
}

/** Finds the choices with these names. Throws a usage error for an unknown name, and for two choices of one factor. */
function choicesOf<Choice extends Pick<LiveChoice, "name" | "factor">>(
  choices: readonly Choice[],
  names: readonly string[] = [],
): Choice[] {
  const chosenChoices = choices.filter(({ name }) => names.includes(name));
  const factors = new Set(chosenChoices.map(({ name, factor = name }) => factor));
  if (chosenChoices.length === names.length && factors.size === chosenChoices.length) return chosenChoices;
  throw new TouchstoneError("usage", `the choices ${names.join(", ")} are unknown or exclude each other`, {
    hint: `there are: ${choices.map(({ name }) => name).join(", ")}`,
  });
}

/** Makes the policy of a correct party, modified by its choices and then by its mistake. */
function policyOf<Policy extends object>(
  correctPolicy: Policy,
  choices: readonly { policy: (base: Policy) => Partial<Policy> }[],
  variant: { policy: Partial<Policy> } | undefined,
): Policy {
  let policy = correctPolicy;
  for (const choice of choices) policy = { ...policy, ...choice.policy(policy) };
  return { ...policy, ...variant?.policy };
}

function agentPolicy({ variant, choices }: LiveOptions): A2aPolicy {
  return policyOf(correctAgent, choicesOf(agentChoices, choices), variantOf(brokenAgents, variant));
}

/** Starts the agent, and returns its environment for scenarios. */
async function agentEnvironment(options: LiveOptions): Promise<Environment> {
  const { variant, port, credentials, profile = "development" } = options;
  const callersByToken =
    credentials === undefined
      ? tokens
      : Object.fromEntries(Object.values(credentials).map(({ token = "", agent }) => [token, agent]));
  const settings: ServingSettings = {
    ...(port === undefined ? {} : { port }),
    tokens: callersByToken,
    tenant,
    isProduction: profile === "production",
    ...variantOf(brokenAgents, variant)?.settings,
  };
  const { agent, close } = await startAgent(settings, agentPolicy(options));
  const setting = {
    url: agent.url,
    credentials: { a: { agent: "a", token: "token-a" }, b: { agent: "b", token: "token-b" } },
    hooks: { grant: createGrantHook(agent), profile: createProfileHook(agent) },
    profile,
    options: { ...messageTexts, otherTenant: "south", callsLoopback: true },
  };
  return { setting, close };
}

/** Makes the hook that switches the agent between the production profile and the development profile. */
function createProfileHook(agent: ReferenceAgent): Hook {
  return ({ profile }) => {
    agent.settings = { ...agent.settings, isProduction: profile === "production" };
    return {};
  };
}

/** Makes the hook that grants a task its authorization. The task then completes. */
function createGrantHook({ store, policy }: ReferenceAgent): Hook {
  return ({ taskId }) => {
    const task = store.tasks.get(String(taskId));
    if (task === undefined)
      throw new TouchstoneError("usage", `there is no task ${taskId}`, { hint: "create one first" });
    if (!policy.continuesAfterGrant) return {};
    moveTask(task, "TASK_STATE_WORKING");
    moveTask(task, "TASK_STATE_COMPLETED");
    return {};
  };
}

/** Starts the reference implementation of one side, with credentials and hooks for scenarios. */
async function open(options: LiveOptions = {}): Promise<Environment> {
  const { side, variant, choices } = options;
  if (side === "client")
    return clientEnvironment(
      policyOf(correctClient, choicesOf(clientChoices, choices), variantOf(brokenClients, variant)),
    );
  if (side === "receiver") {
    const chosenPolicies = choicesOf(receiverChoices, choices).map(({ policy }) => ({ policy: () => policy }));
    return receiverEnvironment(policyOf(correctReceiver, chosenPolicies, variantOf(brokenReceivers, variant)));
  }
  return agentEnvironment(options);
}

const sides = {
  agent: { variants: brokenAgents, choices: agentChoices },
  client: { variants: brokenClients, choices: clientChoices },
  receiver: { variants: brokenReceivers, choices: receiverChoices },
};

export const live: LiveReference = {
  async serve(options) {
    const { side = "agent", port, variant } = options;
    if (side !== "agent")
      throw new TouchstoneError("usage", `a ${side} cannot be served: it is controlled by hooks`, {
        hint: "serve the agent instead",
      });
    const settings = { ...(port === undefined ? {} : { port }), ...variantOf(brokenAgents, variant)?.settings };
    const { agent, close } = await startAgent(settings, agentPolicy(options));
    return { url: agent.url, close };
  },
  open,
  choices: Object.entries(sides).flatMap(([side, { choices }]) =>
    choices.map(({ policy: _, ...choice }): LiveChoice => ({ ...choice, side })),
  ),
  shownHooks: { agent: ["grant"], client: ["call", "stream"], receiver: ["expect", "acted"] },
  variants: Object.entries(sides).flatMap(([side, { variants }]) =>
    variants.map(({ rule, name, says, ...more }) => ({
      name: variantNameOf({ rule, ...(name === undefined ? {} : { name }) }),
      side,
      rule,
      says,
      ...("withHooks" in more && more.withHooks !== undefined ? { withHooks: more.withHooks } : {}),
    })),
  ),
};
