import {
  type Hook,
  type LiveOptions,
  type LiveReference,
  type Staged,
  TouchstoneError,
} from "../../../../schemas/index.ts";
import { operations, startAgent } from "./agent/start.ts";
import { texts } from "./agent/tasks.ts";
import { agentTwins } from "./agent/twins.ts";
import { agentVariants } from "./agent/variants/index.ts";
import { nameOf } from "./agent/variants/variant.ts";

/** Starts the reference agent, and gives what is done to it from behind as hooks. */
async function stagedAgent(options: LiveOptions): Promise<Staged> {
  const { variant, profile = "development" } = options;
  const broken =
    agentVariants.find((each) => nameOf(each) === variant) ?? agentTwins.find(({ name }) => name === variant);
  if (variant !== undefined && broken === undefined)
    throw new TouchstoneError("usage", `there is no agent "${variant}"`, { hint: "see `touchstone list variants`" });
  const { agent, url, websocket, close } = await startAgent({ ...given(options), ...broken?.settings }, broken?.policy);
  const hooks: Record<string, Hook> = Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, (parameters) => operation(agent, parameters)]),
  );
  const said = { websocket, ...texts, a2s: agent.settings.a2s ?? false };
  return { setting: { url, hooks, profile, options: said }, close };
}

function given({ port, profile, limits }: LiveOptions) {
  return {
    ...(port === undefined ? {} : { port }),
    ...(profile === undefined ? {} : { profile }),
    ...(limits === undefined ? {} : { limits }),
  };
}

export const live: LiveReference = {
  async serve(options) {
    const { setting, close } = await stagedAgent(options);
    return { url: String(setting.url), close };
  },
  stage: (options = {}) => stagedAgent(options),
  twins: agentTwins.map(({ name, freedoms }) => ({ name, side: "agent", freedoms, options: { variant: name } })),
  variants: agentVariants.map((variant) => ({
    ...{ name: nameOf(variant), rule: variant.rule, side: "agent", says: variant.says },
  })),
};
