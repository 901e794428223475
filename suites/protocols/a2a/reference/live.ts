import {
  type Environment,
  type Hook,
  type LiveOptions,
  type LiveReference,
  nearestName,
  TouchstoneError,
} from "../../../../schemas/index.ts";
import { nameOf } from "../../../packs/reference/mistakes.ts";
import type { A2aPolicy, ReferenceAgent, ServingSettings } from "./agent/agent.ts";
import { type AgentChoiceMade, agentChoices } from "./agent/choices.ts";
import { right } from "./agent/policy.ts";
import { startAgent } from "./agent/start.ts";
import { moveTask } from "./agent/tasks.ts";
import { brokenAgents } from "./agent/variants/index.ts";
import type { BrokenA2aAgent } from "./agent/variants/variant.ts";
import { texts } from "./agent/work.ts";

/** The callers of tests, by the token of each. */
const tokens: Readonly<Record<string, string>> = { "token-a": "a", "token-b": "b" };

/** The tenant of its interfaces. */
const tenant = "north";

function variantOf(name: string | undefined): BrokenA2aAgent | undefined {
  const broken = brokenAgents.find((each) => nameOf(each) === name);
  if (name === undefined || broken !== undefined) return broken;
  const names = brokenAgents.map(nameOf);
  throw new TouchstoneError("usage", `unknown agent "${name}"`, {
    hint: `${nearestName(name, names)}there are: ${names.join(", ")}`,
  });
}

/** The choices of these names. Throws a usage error for a name that is unknown, and for two of one factor. */
function choicesOf(names: readonly string[] = []): AgentChoiceMade[] {
  const chosen = agentChoices.filter(({ name }) => names.includes(name));
  const factors = new Set(chosen.map(({ name, factor = name }) => factor));
  if (chosen.length === names.length && factors.size === chosen.length) return chosen;
  throw new TouchstoneError("usage", `the choices ${names.join(", ")} are unknown or exclude each other`, {
    hint: `there are: ${agentChoices.map(({ name }) => name).join(", ")}`,
  });
}

function policyOf(chosen: readonly AgentChoiceMade[], broken: BrokenA2aAgent | undefined): A2aPolicy {
  let policy = right;
  for (const choice of chosen) policy = { ...policy, ...choice.policy(policy) };
  return { ...policy, ...broken?.policy };
}

/** Starts the agent, and returns what scenarios need. */
async function open(options: LiveOptions = {}): Promise<Environment> {
  const { variant, choices, port, credentials, profile = "development" } = options;
  const broken = variantOf(variant);
  const policy = policyOf(choicesOf(choices), broken);
  const known =
    credentials === undefined
      ? tokens
      : Object.fromEntries(Object.values(credentials).map(({ token = "", agent }) => [token, agent]));
  const settings: ServingSettings = {
    ...(port === undefined ? {} : { port }),
    tokens: known,
    tenant,
    isProduction: profile === "production",
    ...broken?.settings,
  };
  const { agent, close } = await startAgent(settings, policy);
  const setting = {
    url: agent.url,
    credentials: { a: { agent: "a", token: "token-a" }, b: { agent: "b", token: "token-b" } },
    hooks: { grant: grantOf(agent), profile: profileOf(agent) },
    profile,
    options: { ...texts },
  };
  return { setting, close };
}

/** Sets the agent up for strangers, or for this machine. */
function profileOf(agent: ReferenceAgent): Hook {
  return ({ profile }) => {
    agent.settings = { ...agent.settings, isProduction: profile === "production" };
    return {};
  };
}

/** Grants a task its authorization: it is over soon. */
function grantOf({ store, policy }: ReferenceAgent): Hook {
  return ({ taskId }) => {
    const task = store.tasks.get(String(taskId));
    if (task === undefined)
      throw new TouchstoneError("usage", `there is no task ${taskId}`, { hint: "make one first" });
    if (!policy.isGranted) return {};
    moveTask(task, "TASK_STATE_WORKING");
    moveTask(task, "TASK_STATE_COMPLETED");
    return {};
  };
}

export const live: LiveReference = {
  async serve({ port, variant, choices }) {
    const settings = { ...(port === undefined ? {} : { port }), ...variantOf(variant)?.settings };
    const { agent, close } = await startAgent(settings, policyOf(choicesOf(choices), variantOf(variant)));
    return { url: agent.url, close };
  },
  open,
  choices: agentChoices.map(({ policy: _, ...choice }) => choice),
  shownHooks: { agent: ["grant"] },
  variants: brokenAgents.map(({ rule, name, says }) => ({
    name: nameOf({ rule, ...(name === undefined ? {} : { name }) }),
    rule,
    says,
  })),
};
