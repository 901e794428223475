import {
  closest,
  type Hook,
  type JsonObject,
  type LiveOptions,
  type LiveReference,
  TouchstoneError,
} from "../../../../schemas/index.ts";
import { serveHooks } from "../../../scenarios/way/serving.ts";
import { Agent } from "./agent/agent.ts";
import { right as rightAgent } from "./agent/conduct.ts";
import { agentTwins } from "./agent/twins.ts";
import { agentVariants, type Variant } from "./agent/variants.ts";
import { Hub, right as rightHub } from "./hub/hub.ts";
import { hubVariants } from "./hub/variants.ts";
import { added, MessageReceiver, receiverVariants, right as rightReceiver } from "./receiver/receiver.ts";
import { validityBySchema } from "./validity.ts";

/** Somebody who answers hooks. */
interface Party {
  ask(hook: string, given: JsonObject): JsonObject;
}

/** What a variant is called on the command line. */
function nameOf({ rule, name }: Pick<Variant<unknown>, "rule" | "name">): string {
  return `breaks-${rule}${name === undefined ? "" : `-${name}`}`;
}

/** How a party is to act. Throws a usage error for a variant that there is not. */
function conductOf<T>(right: T, variants: readonly Variant<T>[], name: string | undefined): T {
  if (name === undefined) return right;
  const twins = agentTwins.map((twin) => ({ called: twin.name, conduct: twin.conduct as Partial<T> }));
  const all = [...variants.map((each) => ({ called: nameOf(each), conduct: each.conduct })), ...twins];
  const found = all.find(({ called }) => called === name);
  if (found !== undefined) return { ...right, ...found.conduct };
  const names = variants.map(nameOf);
  throw new TouchstoneError("usage", `there is no variant "${name}"`, {
    hint: `${closest(name, names)}there are: ${names.join(", ")}`,
  });
}

const agentHooks = ["deliver", "outbox", "assign", "worked", "prepare", "report", "clock"];

function partyFor({ side = "agent", variant }: LiveOptions): { party: Party; hooks: string[]; options: JsonObject } {
  const validity = validityBySchema();
  if (side === "hub") {
    const party = new Hub(conductOf(rightHub, hubVariants, variant), validity);
    return { party, hooks: ["deliver", "outbox", "assign"], options: {} };
  }
  if (side === "receiver") {
    const party = new MessageReceiver(conductOf(rightReceiver, receiverVariants, variant), validity);
    return { party, hooks: ["receive"], options: { ...added } };
  }
  const id = "specialist-code";
  const party = new Agent(id, conductOf(rightAgent, agentVariants, variant), validity);
  return { party, hooks: agentHooks, options: { id, yaml: true } };
}

function hooksOf(given: LiveOptions): { hooks: Record<string, Hook>; options: JsonObject } {
  const { party, hooks, options } = partyFor(given);
  const asked = hooks.map((hook): [string, Hook] => [hook, (parameters) => party.ask(hook, parameters)]);
  return { hooks: Object.fromEntries(asked), options };
}

const listed = <T>(side: string, variants: readonly Variant<T>[]) =>
  variants.map((variant) => ({ name: nameOf(variant), rule: variant.rule, side, says: variant.says }));

export const live: LiveReference = {
  serve: async (given) => serveHooks(hooksOf(given).hooks, given.port),
  async stage(given = {}) {
    return { setting: { side: given.side ?? "agent", ...hooksOf(given) }, close: async () => {} };
  },
  twins: agentTwins.map(({ name, freedoms }) => ({
    name,
    side: "agent",
    freedoms,
    options: { side: "agent", variant: name },
  })),
  variants: [...listed("agent", agentVariants), ...listed("hub", hubVariants), ...listed("receiver", receiverVariants)],
};
