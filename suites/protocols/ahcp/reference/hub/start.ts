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
import { variantNameOf } from "../../../../packs/reference/mistakes.ts";
import { recordReads } from "../../../../packs/reference/reads.ts";
import { type ReferenceServer, serve } from "../../../../packs/reference/serve.ts";
import { variantNamed } from "../../../../packs/reference/start.ts";
import { choosePolicy, type HubChoice } from "./choices/choice.ts";
import { hubChoices } from "./choices/index.ts";
import type { HubPolicy, RunningHub } from "./hub.ts";
import { openHub } from "./open.ts";
import { operations } from "./operator.ts";
import { correctHubPolicy } from "./policy.ts";
import { serviceOf } from "./routes.ts";
import type { HubSettings } from "./settings.ts";
import { hubTwins } from "./twins.ts";
import { hubVariants } from "./variants/index.ts";

export interface HubOptions extends HubSettings {
  /** Port on the loopback interface; absent or 0 means a free one. */
  port?: number;
  /** A variant of the hub or of the reference, see `list variants`. */
  variant?: string;
  /** The names of choices, which are permitted differences: see `choices/`. */
  choices?: readonly string[];
  /** Decisions that replace those of the correct hub. */
  policy?: Partial<HubPolicy>;
  /** A hub of another protocol that is based on AHCP. The default is AHCP itself. */
  extended?: ExtendedHub;
}

/** A hub of a protocol based on AHCP. */
export interface ExtendedHub {
  protocol: Protocol;
  /** The decisions that the protocol requires. Choices and variants may change them. */
  correctPolicy: HubPolicy;
  /** Changes the policy after all choices. */
  amendPolicy?(chosenPolicy: HubPolicy): Partial<HubPolicy>;
  /** Wraps the AHCP service. Once the hub is open, `hub` returns it. */
  service(innerService: Service, hub: () => RunningHub): Service;
  /** Operations that the protocol adds to those of AHCP. */
  operations?: RunningHub["extraOperations"];
  /** Like `meets` of a started hub, for the protocol's own choices; undefined for all others. */
  meets?(choice: string): boolean | undefined;
}

export interface StartedHub extends ReferenceServer {
  /** The operations served at `/operator/NAME`, for direct calls. */
  operator: Readonly<Record<string, (input?: JsonObject) => Promise<JsonObject>>>;
  /** Whether this choice could have changed the hub's behaviour so far. */
  meets(choice: string): boolean;
}

/** Starts a hub on a loopback port. Throws a usage error if the port cannot be used, or if a variant or choice is unknown. */
export async function startHub({
  port,
  variant,
  choices = [],
  policy,
  extended,
  ...otherSettings
}: HubOptions = {}): Promise<StartedHub> {
  const protocol = await ruled(extended?.protocol ?? protocolNamed("ahcp"));
  const brokenVariant = hubVariants.find((hubVariant) => variantNameOf(hubVariant) === variant);
  const twin = hubTwins.find(({ name }) => name === variant);
  const otherVariant =
    brokenVariant === undefined && twin === undefined && variant !== undefined
      ? variantNamed(variant, { protocol, service: undefined })
      : undefined;
  const choicesMade = choicesNamed([...(twin?.choices ?? []), ...choices]);
  const limits = Object.assign({}, otherSettings.limits, ...choicesMade.map((choice) => choice.limits), twin?.limits);
  const settings = { ...otherSettings, limits };
  let openedHub: RunningHub | undefined;
  let choiceEffects: ChoiceEffects = { decisions: new Set(), changes: new Set() };
  const service = serviceOf((context) => {
    const chosenPolicy = choosePolicy(extended?.correctPolicy ?? correctHubPolicy, choicesMade);
    openedHub = openHub(context, settings, brokenVariant?.policy ?? policy, {
      ...chosenPolicy,
      ...extended?.amendPolicy?.(chosenPolicy),
    });
    openedHub.extraOperations = extended?.operations;
    choiceEffects = recordEffects(openedHub);
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
      async (input = {}) => operation(hub, input),
    ]),
  );
  const meets = (name: string): boolean =>
    extended?.meets?.(name) ?? couldHaveChanged(name, choiceEffects, extended?.correctPolicy ?? correctHubPolicy);
  return { ...served, operator, meets };
}

/** The decisions that a hub has made so far, and the choices that would have changed one of its answers. */
interface ChoiceEffects {
  decisions: ReadonlySet<string>;
  changes: ReadonlySet<string>;
}

/** Starts to record which decisions the hub makes, and which choices would change its answers. */
function recordEffects(hub: RunningHub): ChoiceEffects {
  const changes = new Set<string>();
  const { policy } = hub;
  const { members, readNames } = recordReads<HubPolicy>({
    ...policy,
    reply(plainReply, subject) {
      const reply = policy.reply(plainReply, subject);
      for (const choice of hubChoices)
        if (choice.changes !== undefined && choice.changes(reply, subject) !== reply) changes.add(choice.name);
      return reply;
    },
  });
  hub.policy = members;
  return { decisions: readNames, changes };
}

/** Whether a choice affects all answers, an answer already sent, or a decision already made. */
function couldHaveChanged(name: string, { decisions, changes }: ChoiceEffects, base: HubPolicy): boolean {
  const choice = hubChoices.find((hubChoice) => hubChoice.name === name);
  const { around, idleMs, limits, policy } = choice ?? {};
  if ([around, idleMs, limits].some((part) => part !== undefined)) return true;
  if (choice?.changes !== undefined) return changes.has(name);
  return policy === undefined || Object.keys(policy(base)).some((decision) => decisions.has(decision));
}

/** The choices with these names, in the order of application. Throws a usage error for an unknown name, or for two choices of one factor. */
function choicesNamed(names: readonly string[]): HubChoice[] {
  const knownNames = hubChoices.map(({ name }) => name);
  const unknown = names.find((name) => !knownNames.includes(name));
  if (unknown !== undefined)
    throw new TouchstoneError("usage", `unknown choice "${unknown}"`, {
      hint: `${nearestName(unknown, knownNames)}choices: ${knownNames.join(", ")}`,
    });
  const choicesMade = hubChoices.filter(({ name }) => names.includes(name));
  for (const { name, factor = name } of choicesMade) {
    const rival = choicesMade.find(
      (hubChoice) => hubChoice.name !== name && (hubChoice.factor ?? hubChoice.name) === factor,
    );
    if (rival !== undefined)
      throw new TouchstoneError("usage", `the choices "${name}" and "${rival.name}" exclude each other`, {
        hint: "use only one of them",
      });
  }
  return choicesMade;
}
