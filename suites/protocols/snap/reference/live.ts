import {
  type Hook,
  type LiveOptions,
  type LiveReference,
  type LiveVariant,
  type Staged,
  TouchstoneError,
} from "../../../../schemas/index.ts";
import { operations, startAgent } from "./agent/start.ts";
import { texts } from "./agent/tasks.ts";
import { agentTwins } from "./agent/twins.ts";
import { agentVariants } from "./agent/variants/index.ts";
import { nameOf } from "./agent/variants/variant.ts";
import { startRequester } from "./requester/start.ts";
import { requesterTwins } from "./requester/twins.ts";
import { requesterVariants } from "./requester/variants.ts";

/** Starts the reference agent, and gives what is done to it from behind as hooks. */
async function stagedAgent(options: LiveOptions): Promise<Staged> {
  const { variant, profile = "development" } = options;
  const broken =
    agentVariants.find((each) => nameOf(each) === variant) ?? agentTwins.find(({ name }) => name === variant);
  if (variant !== undefined && broken === undefined) throw unknown("agent", variant);
  const { agent, url, websocket, close } = await startAgent({ ...given(options), ...broken?.settings }, broken?.policy);
  const hooks: Record<string, Hook> = Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, (parameters) => operation(agent, parameters)]),
  );
  const isAlone = broken !== undefined && "isAlone" in broken;
  const said = { ...(isAlone ? {} : { websocket }), ...texts, a2s: agent.settings.a2s ?? false };
  if (isAlone) delete hooks.relays;
  return { setting: { url, hooks, profile, options: said }, close };
}

/** Starts the reference requester, of which everything is asked by hooks. */
async function stagedRequester({ variant }: LiveOptions): Promise<Staged> {
  const broken =
    requesterVariants.find((each) => nameOf(each) === variant) ?? requesterTwins.find(({ name }) => name === variant);
  if (variant !== undefined && broken === undefined) throw unknown("requester", variant);
  const { hooks, close } = startRequester(broken?.policy);
  return { setting: { side: "requester", hooks }, close: async () => close() };
}

function unknown(side: string, variant: string): TouchstoneError {
  return new TouchstoneError("usage", `there is no ${side} "${variant}"`, { hint: "see `touchstone list variants`" });
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
  stage: (options = {}) => (options.side === "requester" ? stagedRequester(options) : stagedAgent(options)),
  twins: [
    ...agentTwins.map(({ name, freedoms }) => ({ name, side: "agent", freedoms, options: { variant: name } })),
    ...requesterTwins.map(({ name, freedoms }) => ({ name, side: "requester", freedoms, options: { variant: name } })),
  ],
  variants: [
    ...agentVariants.map((variant) => ({ ...shown(variant), side: "agent" })),
    ...requesterVariants.map((variant) => ({ ...shown(variant), side: "requester" })),
  ],
};

function shown(variant: { rule: string; name?: string; says: string }): LiveVariant {
  return { name: nameOf(variant), rule: variant.rule, says: variant.says };
}
