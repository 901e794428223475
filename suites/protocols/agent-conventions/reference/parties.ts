import { type Hook, type JsonObject, type LiveOptions, TouchstoneError } from "../../../../schemas/index.ts";
import { variantNameOf } from "../../../packs/reference/mistakes.ts";
import { Agent } from "./agent/agent.ts";
import { agentChoices } from "./agent/choices.ts";
import { type AgentConduct, correctConduct as correctAgent } from "./agent/conduct.ts";
import { agentVariants } from "./agent/variants.ts";
import { changeDecisions, type PartyDifference } from "./choices.ts";
import { hubChoices } from "./hub/choices.ts";
import { correctHubConduct as correctHub, Hub, type HubConduct } from "./hub/hub.ts";
import { hubVariants } from "./hub/variants.ts";
import { agentMessageVariants, hubMessageVariants } from "./message-variants.ts";
import type { PartyMistake } from "./party-mistakes.ts";
import {
  addedMember,
  correctReceiverConduct as correctReceiver,
  MessageReceiver,
  receiverChoices,
  receiverVariants,
} from "./receiver/receiver.ts";
import { validityBySchema } from "./validity.ts";

type NamedConduct = Pick<LiveOptions, "variant" | "choices">;

/** Answers the calls of hooks. */
interface HookHandler {
  ask(hook: string, input: JsonObject): JsonObject | Promise<JsonObject>;
}

/** A started party: its hooks, and the options for its scenarios. */
export interface Party {
  hooks: Record<string, Hook>;
  options: JsonObject;
}

interface PartyKind<Decisions> {
  correctConduct: Decisions;
  variants: readonly PartyMistake<Decisions>[];
  choices: readonly PartyDifference<Decisions>[];
}

/** The conduct of a variant with some choices; undefined for an unknown variant. Throws a usage error for an unknown choice. */
function conductOf<Decisions extends object>(
  { correctConduct, variants, choices }: PartyKind<Decisions>,
  { variant, choices: choiceNames = [] }: NamedConduct,
): Decisions | undefined {
  const chosen = choiceNames.map((name) => choices.find((choice) => choice.name === name));
  const unknownIndex = chosen.indexOf(undefined);
  if (unknownIndex >= 0) throw new TouchstoneError("usage", `there is no choice ${choiceNames[unknownIndex]}`);
  const mistake = variants.find((partyMistake) => variantNameOf(partyMistake) === variant);
  if (variant !== undefined && mistake === undefined) return undefined;
  return changeDecisions(correctConduct, [
    ...chosen.filter((choice) => choice !== undefined),
    ...(mistake === undefined ? [] : [mistake]),
  ]);
}

function partyOf(handler: HookHandler, names: readonly string[], options: JsonObject = {}): Party {
  const hooks = names.map((name): [string, Hook] => [name, (input) => handler.ask(name, input)]);
  return { hooks: Object.fromEntries(hooks), options };
}

function startAgent(named: NamedConduct): Party | undefined {
  const variants = [...agentVariants, ...agentMessageVariants];
  const conduct = conductOf<AgentConduct>({ correctConduct: correctAgent, variants, choices: agentChoices }, named);
  if (conduct === undefined) return undefined;
  const id = "specialist-code";
  const names = ["deliver", "outbox", "assign", "worked", "prepare", "report", "clock"];
  return partyOf(new Agent(id, conduct, validityBySchema()), names, { id, yaml: true });
}

function startHub(named: NamedConduct): Party | undefined {
  const variants = [...hubVariants, ...hubMessageVariants];
  const conduct = conductOf<HubConduct>({ correctConduct: correctHub, variants, choices: hubChoices }, named);
  return conduct && partyOf(new Hub(conduct, validityBySchema()), ["deliver", "outbox", "assign", "clock"]);
}

function startReceiver(named: NamedConduct): Party | undefined {
  const kind = { correctConduct: correctReceiver, variants: receiverVariants, choices: receiverChoices };
  const conduct = conductOf(kind, named);
  return conduct && partyOf(new MessageReceiver(conduct, validityBySchema()), ["receive"], { ...addedMember });
}

/**
 * Starts the party of a side, or one of its variants, with choices. Returns undefined if the side does not have the variant.
 * Throws a usage error for an unknown choice.
 */
export function startParty(side: string, conduct: NamedConduct = {}): Party | undefined {
  if (side === "hub") return startHub(conduct);
  return side === "receiver" ? startReceiver(conduct) : startAgent(conduct);
}
