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
import { type Served, serve } from "../../../../packs/reference/serve.ts";
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
  /** Its own decisions instead of the right ones. */
  policy?: Partial<HubPolicy>;
  /** The protocol that it speaks, if that extends this one. */
  extended?: ExtendedHub;
}

/** A hub of a protocol that extends this one. */
export interface ExtendedHub {
  protocol: Protocol;
  /** Its decisions, which choices and variants may change. */
  right: HubPolicy;
  /** Its last word on decisions that choices leave open. */
  amends?(chosen: HubPolicy): Partial<HubPolicy>;
  /** The service around that of this protocol, and the hub behind both, once it is open. */
  service(before: Service, hub: () => RunningHub): Service;
  /** Its operations beside those of this protocol. */
  operations?: RunningHub["extraOperations"];
}

export interface StartedHub extends Served {
  /** The operations of `/operator/NAME`, for direct calls. */
  operator: Readonly<Record<string, (given?: JsonObject) => Promise<JsonObject>>>;
}

/** Serves a hub on a loopback port until it is closed. Throws a usage error for a port that cannot be used, and for an unknown variant. */
export async function startHub({
  port,
  variant,
  choices = [],
  policy,
  extended,
  ...given
}: HubOptions = {}): Promise<StartedHub> {
  const protocol = await ruled(extended?.protocol ?? protocolNamed("ahcp"));
  const broken = hubVariants.find((hubVariant) => nameOf(hubVariant) === variant);
  const twin = hubTwins.find(({ name }) => name === variant);
  const other =
    broken === undefined && twin === undefined && variant !== undefined
      ? variantNamed(variant, { protocol, service: undefined })
      : undefined;
  const made = choicesNamed([...(twin?.choices ?? []), ...choices]);
  const limits = Object.assign({}, given.limits, ...made.map((choice) => choice.limits), twin?.limits);
  const settings = { ...given, limits };
  let opened: RunningHub | undefined;
  const service = serviceOf((context) => {
    const chosen = choosePolicy(extended?.right ?? rightHubPolicy, made);
    opened = openHub(context, settings, broken?.policy ?? policy, { ...chosen, ...extended?.amends?.(chosen) });
    opened.extraOperations = extended?.operations;
    return opened;
  });
  const app = made.reduce(
    (handler, { around }) => around?.(handler) ?? handler,
    await createApp(protocol, extended?.service(service, () => opened as RunningHub) ?? service, other),
  );
  const idleMs = made.find((choice) => choice.idleMs !== undefined)?.idleMs;
  const served = await serve(app, port, idleMs === undefined ? {} : { idleMs });
  const hub = opened as unknown as RunningHub;
  const operator = Object.fromEntries(
    Object.entries({ ...operations, ...hub.extraOperations }).map(([name, operation]) => [
      name,
      async (given = {}) => operation(hub, given),
    ]),
  );
  return { ...served, operator };
}

/** The choices in the order of their application. Throws a usage error for an unknown name, and for two choices of one factor. */
function choicesNamed(names: readonly string[]): HubChoice[] {
  const known = hubChoices.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TouchstoneError("usage", `unknown choice "${unknown}"`, {
      hint: `${nearestName(unknown, known)}there are: ${known.join(", ")}`,
    });
  const made = hubChoices.filter(({ name }) => names.includes(name));
  for (const { name, factor = name } of made) {
    const other = made.find((hubChoice) => hubChoice.name !== name && (hubChoice.factor ?? hubChoice.name) === factor);
    if (other !== undefined)
      throw new TouchstoneError("usage", `the choices "${name}" and "${other.name}" exclude each other`, {
        hint: "make one of them",
      });
  }
  return made;
}
