import {
  type JsonObject,
  nearestName,
  type Protocol,
  protocolNamed,
  type Service,
  TouchstoneError,
} from "../../../../../schemas/index.ts";
import { ruled } from "../../../../packs/pack/load.ts";
import { createApp } from "../../../../packs/reference/app.ts";
import { nameOf } from "../../../../packs/reference/mistakes.ts";
import { noteReads } from "../../../../packs/reference/reads.ts";
import { type ReferenceServer, serve } from "../../../../packs/reference/serve.ts";
import { variantNamed } from "../../../../packs/reference/start.ts";
import { choosePolicy, type HubChoice } from "./choices/choice.ts";
import { hubChoices } from "./choices/index.ts";
import type { HubPolicy, RunningHub } from "./hub.ts";
import { openHub } from "./open.ts";
import { operations } from "./operator.ts";
import { rightHubPolicy } from "./policy.ts";
import { serviceOf } from "./routes.ts";
import type { HubSettings } from "./settings.ts";
import { hubTwins } from "./twins.ts";
import { hubVariants } from "./variants/index.ts";

export interface HubOptions extends HubSettings {
  /** Port on the loopback interface; absent or 0 means a free one. */
  port?: number;
  /** A variant of the hub or of the reference, see `list variants`. */
  variant?: string;
  /** The names of permitted differences: see `choices/`. */
  choices?: readonly string[];
  /** Decisions that replace those of the correct hub. */
  policy?: Partial<HubPolicy>;
  /** The protocol that it speaks, if that extends this one. */
  extended?: ExtendedHub;
}

/** A hub of a protocol that extends this one. */
export interface ExtendedHub {
  protocol: Protocol;
  /** Its correct decisions, which choices and variants may change. */
  correctPolicy: HubPolicy;
  /** Changes the policy after all choices. */
  amendPolicy?(chosenPolicy: HubPolicy): Partial<HubPolicy>;
  /** Wraps the service of this protocol. `hub` returns the hub behind both once it is open. */
  service(innerService: Service, hub: () => RunningHub): Service;
  /** Its operations beside those of this protocol. */
  operations?: RunningHub["extraOperations"];
  /** The same as `meets` of a started hub, for a choice of its own; undefined for other choices. */
  meets?(choice: string): boolean | undefined;
}

export interface StartedHub extends ReferenceServer {
  /** The operations of `/operator/NAME`, for direct calls. */
  operator: Readonly<Record<string, (otherSettings?: JsonObject) => Promise<JsonObject>>>;
  /** Whether a choice could have changed what the hub has done so far. */
  meets(choice: string): boolean;
}

/** Serves a hub on a loopback port until it is closed. Throws a usage error if the port cannot be used, or the variant is unknown. */
export async function startHub({
  port,
  variant,
  choices = [],
  policy,
  extended,
  ...otherSettings
}: HubOptions = {}): Promise<StartedHub> {
  const protocol = await ruled(extended?.protocol ?? protocolNamed("ahcp"));
  const broken = hubVariants.find((hubVariant) => nameOf(hubVariant) === variant);
  const twin = hubTwins.find(({ name }) => name === variant);
  const otherVariant =
    broken === undefined && twin === undefined && variant !== undefined
      ? variantNamed(variant, { protocol, service: undefined })
      : undefined;
  const choicesMade = choicesNamed([...(twin?.choices ?? []), ...choices]);
  const limits = Object.assign({}, otherSettings.limits, ...choicesMade.map((choice) => choice.limits), twin?.limits);
  const settings = { ...otherSettings, limits };
  let openedHub: RunningHub | undefined;
  let askedFor: AskedFor = { decisions: new Set(), changes: new Set() };
  const service = serviceOf((context) => {
    const chosenPolicy = choosePolicy(extended?.correctPolicy ?? rightHubPolicy, choicesMade);
    openedHub = openHub(context, settings, broken?.policy ?? policy, {
      ...chosenPolicy,
      ...extended?.amendPolicy?.(chosenPolicy),
    });
    openedHub.extraOperations = extended?.operations;
    askedFor = noteChoices(openedHub);
    return openedHub;
  });
  const app = choicesMade.reduce(
    (handler, { around }) => around?.(handler) ?? handler,
    await createApp(protocol, extended?.service(service, () => openedHub as RunningHub) ?? service, otherVariant),
  );
  const idleMs = choicesMade.find((choice) => choice.idleMs !== undefined)?.idleMs;
  const served = await serve(app, port, idleMs === undefined ? {} : { idleMs });
  const hub = openedHub as unknown as RunningHub;
  const operator = Object.fromEntries(
    Object.entries({ ...operations, ...hub.extraOperations }).map(([name, operation]) => [
      name,
      async (otherSettings = {}) => operation(hub, otherSettings),
    ]),
  );
  const meets = (name: string): boolean =>
    extended?.meets?.(name) ?? isMet(name, askedFor, extended?.correctPolicy ?? rightHubPolicy);
  return { ...served, operator, meets };
}

/** The decisions that a hub was asked for, and the choices that would have changed one of its answers. */
interface AskedFor {
  decisions: ReadonlySet<string>;
  changes: ReadonlySet<string>;
}

/** Notes from now on what a hub is asked for. */
function noteChoices(hub: RunningHub): AskedFor {
  const changes = new Set<string>();
  const { policy } = hub;
  const { members, read } = noteReads<HubPolicy>({
    ...policy,
    reply(plainReply, subject) {
      const reply = policy.reply(plainReply, subject);
      for (const choice of hubChoices)
        if (choice.changes !== undefined && choice.changes(reply, subject) !== reply) changes.add(choice.name);
      return reply;
    },
  });
  hub.policy = members;
  return { decisions: read, changes };
}

/** Whether a choice changes every answer, an answer that was given, or a decision that was asked for. */
function isMet(name: string, { decisions, changes }: AskedFor, base: HubPolicy): boolean {
  const choice = hubChoices.find((hubChoice) => hubChoice.name === name);
  const { around, idleMs, limits, policy } = choice ?? {};
  if ([around, idleMs, limits].some((part) => part !== undefined)) return true;
  if (choice?.changes !== undefined) return changes.has(name);
  return policy === undefined || Object.keys(policy(base)).some((decision) => decisions.has(decision));
}

/** The choices in the order of their application. Throws a usage error for an unknown name, and for two choices of one factor. */
function choicesNamed(names: readonly string[]): HubChoice[] {
  const knownNames = hubChoices.map(({ name }) => name);
  const unknown = names.find((name) => !knownNames.includes(name));
  if (unknown !== undefined)
    throw new TouchstoneError("usage", `unknown choice "${unknown}"`, {
      hint: `${nearestName(unknown, knownNames)}there are: ${knownNames.join(", ")}`,
    });
  const choicesMade = hubChoices.filter(({ name }) => names.includes(name));
  for (const { name, factor = name } of choicesMade) {
    const rival = choicesMade.find(
      (hubChoice) => hubChoice.name !== name && (hubChoice.factor ?? hubChoice.name) === factor,
    );
    if (rival !== undefined)
      throw new TouchstoneError("usage", `the choices "${name}" and "${rival.name}" exclude each other`, {
        hint: "make one of them",
      });
  }
  return choicesMade;
}
