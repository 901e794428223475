import type { Hook, JsonObject } from "../../../../schemas/index.ts";
import { Agent } from "./agent/agent.ts";
import { type Conduct, right as rightAgent } from "./agent/conduct.ts";
import { agentTwins } from "./agent/twins.ts";
import { agentVariants, type Variant } from "./agent/variants.ts";
import { Hub, type HubConduct, right as rightHub } from "./hub/hub.ts";
import { hubTwins } from "./hub/twins.ts";
import { hubVariants } from "./hub/variants.ts";
import { added, MessageReceiver, receiverVariants, right as rightReceiver } from "./receiver/receiver.ts";
import { agentSentWrongly, hubSentWrongly } from "./sent.ts";
import { validityBySchema } from "./validity.ts";

/** Somebody who answers hooks. */
interface Answerer {
  ask(hook: string, given: JsonObject): JsonObject;
}

/** A party of the conventions, as it is started. */
export interface Party {
  hooks: Record<string, Hook>;
  options: JsonObject;
}

/** What a variant is called on the command line. */
export function nameOf({ rule, name }: Pick<Variant<unknown>, "rule" | "name">): string {
  return `breaks-${rule}${name === undefined ? "" : `-${name}`}`;
}

/** How a party is to act; undefined for an unknown name. */
function conductOf<T>(right: T, variants: readonly Variant<T>[], name: string | undefined): T | undefined {
  if (name === undefined) return right;
  const found = variants.find((each) => nameOf(each) === name);
  return found === undefined ? undefined : { ...right, ...found.conduct };
}

function party(answerer: Answerer, names: readonly string[], options: JsonObject = {}): Party {
  const hooks = names.map((name): [string, Hook] => [name, (given) => answerer.ask(name, given)]);
  return { hooks: Object.fromEntries(hooks), options };
}

function agent(name: string | undefined): Party | undefined {
  const twin = agentTwins.find((each) => each.name === name);
  const conduct =
    twin === undefined
      ? conductOf<Conduct>(rightAgent, [...agentVariants, ...agentSentWrongly], name)
      : { ...rightAgent, ...twin.conduct };
  if (conduct === undefined) return undefined;
  const id = "specialist-code";
  const names = ["deliver", "outbox", "assign", "worked", "prepare", "report", "clock"];
  return party(new Agent(id, conduct, validityBySchema()), names, { id, yaml: true });
}

function hub(name: string | undefined): Party | undefined {
  const twin = hubTwins.find((each) => each.name === name);
  const conduct =
    twin === undefined
      ? conductOf<HubConduct>(rightHub, [...hubVariants, ...hubSentWrongly], name)
      : { ...rightHub, ...twin.conduct };
  return conduct && party(new Hub(conduct, validityBySchema()), ["deliver", "outbox", "assign"]);
}

function receiver(name: string | undefined): Party | undefined {
  const conduct = conductOf(rightReceiver, receiverVariants, name);
  return conduct && party(new MessageReceiver(conduct, validityBySchema()), ["receive"], { ...added });
}

/** Starts the party of a side, or a variant of it; undefined for a variant that it has not. */
export function startParty(side: string, variant?: string): Party | undefined {
  return side === "hub" ? hub(variant) : side === "receiver" ? receiver(variant) : agent(variant);
}
