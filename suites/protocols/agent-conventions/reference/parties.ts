import { type Hook, type JsonObject, type LiveOptions, TouchstoneError } from "../../../../schemas/index.ts";
import { nameOf } from "../../../packs/reference/mistakes.ts";
import { Agent } from "./agent/agent.ts";
import { agentChoices } from "./agent/choices.ts";
import { type AgentConduct, rightConduct as rightAgent } from "./agent/conduct.ts";
import { agentVariants } from "./agent/variants.ts";
import { changeDecisions, type PartyDifference } from "./choices.ts";
import { hubChoices } from "./hub/choices.ts";
import { Hub, type HubConduct, rightHubConduct as rightHub } from "./hub/hub.ts";
import { hubVariants } from "./hub/variants.ts";
import type { PartyMistake } from "./party-mistakes.ts";
import {
  addedMember,
  MessageReceiver,
  receiverChoices,
  receiverVariants,
  rightReceiverConduct as rightReceiver,
} from "./receiver/receiver.ts";
import { agentSentWrongly, hubSentWrongly } from "./sent.ts";
import { validityBySchema } from "./validity.ts";

type NamedConduct = Pick<LiveOptions, "variant" | "choices">;

/** An object that answers hooks. */
interface Answerer {
  ask(hook: string, input: JsonObject): JsonObject | Promise<JsonObject>;
}

/** A started party of the conventions. */
export interface Party {
  hooks: Record<string, Hook>;
  options: JsonObject;
}

interface PartyKind<Decisions> {
  rightConduct: Decisions;
  variants: readonly PartyMistake<Decisions>[];
  choices: readonly PartyDifference<Decisions>[];
}

/** The conduct of a party: that of a named variant, with some choices; undefined for an unknown variant. */
function conductOf<Decisions extends object>(
  { rightConduct, variants, choices }: PartyKind<Decisions>,
  { variant, choices: choiceNames = [] }: NamedConduct,
): Decisions | undefined {
  const chosen = choiceNames.map((name) => choices.find((choice) => choice.name === name));
  const unknownIndex = chosen.indexOf(undefined);
  if (unknownIndex >= 0) throw new TouchstoneError("usage", `there is no choice ${choiceNames[unknownIndex]}`);
  const mistake = variants.find((partyMistake) => nameOf(partyMistake) === variant);
  if (variant !== undefined && mistake === undefined) return undefined;
  return changeDecisions(rightConduct, [
    ...chosen.filter((each) => each !== undefined),
    ...(mistake === undefined ? [] : [mistake]),
  ]);
}

function partyOf(answerer: Answerer, names: readonly string[], options: JsonObject = {}): Party {
  const hooks = names.map((name): [string, Hook] => [name, (input) => answerer.ask(name, input)]);
  return { hooks: Object.fromEntries(hooks), options };
}

function startAgent(named: NamedConduct): Party | undefined {
  const variants = [...agentVariants, ...agentSentWrongly];
  const conduct = conductOf<AgentConduct>({ rightConduct: rightAgent, variants, choices: agentChoices }, named);
  if (conduct === undefined) return undefined;
  const id = "specialist-code";
  const names = ["deliver", "outbox", "assign", "worked", "prepare", "report", "clock"];
  return partyOf(new Agent(id, conduct, validityBySchema()), names, { id, yaml: true });
}

function startHub(named: NamedConduct): Party | undefined {
  const variants = [...hubVariants, ...hubSentWrongly];
  const conduct = conductOf<HubConduct>({ rightConduct: rightHub, variants, choices: hubChoices }, named);
  return conduct && partyOf(new Hub(conduct, validityBySchema()), ["deliver", "outbox", "assign", "clock"]);
}

function startReceiver(named: NamedConduct): Party | undefined {
  const kind = { rightConduct: rightReceiver, variants: receiverVariants, choices: receiverChoices };
  const conduct = conductOf(kind, named);
  return conduct && partyOf(new MessageReceiver(conduct, validityBySchema()), ["receive"], { ...addedMember });
}

/** Starts the party of a side, or one of its variants, with choices. Undefined if the side does not have the variant. Throws a usage error for an unknown choice. */
export function startParty(side: string, conduct: NamedConduct = {}): Party | undefined {
  return side === "hub" ? startHub(conduct) : side === "receiver" ? startReceiver(conduct) : startAgent(conduct);
}
