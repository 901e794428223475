import { type JsonObject, protocolNamed } from "../../../../../schemas/index.ts";
import { createApp } from "../../../../reference/app.ts";
import { type Served, serve } from "../../../../reference/serve.ts";
import { variantNamed } from "../../../../reference/start.ts";
import type { Hub, Policy } from "./hub.ts";
import { openHub } from "./open.ts";
import { operations } from "./operator.ts";
import { serviceOf } from "./routes.ts";
import type { Settings } from "./settings.ts";
import { hubTwins } from "./twins.ts";
import { hubVariants } from "./variants/index.ts";
import { nameOf } from "./variants/variant.ts";

export interface HubOptions extends Settings {
  /** Port on the loopback interface; absent or 0 takes a free one. */
  port?: number;
  /** A variant of the hub or of the reference, see `list variants`. */
  variant?: string;
  /** Decisions of its own, in place of the right ones. */
  policy?: Partial<Policy>;
}

export interface StartedHub extends Served {
  /** What stands at `/operator/NAME`, to be called directly. */
  operator: Readonly<Record<string, (given?: JsonObject) => Promise<JsonObject>>>;
}

/** Serves a hub on a loopback port until it is closed. Throws a usage error for a port that cannot be had and for a variant that there is not. */
export async function startHub({ port, variant, policy, ...settings }: HubOptions = {}): Promise<StartedHub> {
  const { families } = await import("../../rules/index.ts");
  const protocol = { ...protocolNamed("ahcp"), families };
  const broken = hubVariants.find((each) => nameOf(each) === variant) ?? hubTwins.find(({ name }) => name === variant);
  const other =
    broken === undefined && variant !== undefined ? variantNamed(variant, { protocol, service: undefined }) : undefined;
  let opened: Hub | undefined;
  const service = serviceOf((context) => {
    opened = openHub(context, settings, broken?.policy ?? policy);
    return opened;
  });
  const served = await serve(await createApp(protocol, service, other), port);
  const hub = opened as unknown as Hub;
  const operator = Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, async (given = {}) => operation(hub, given)]),
  );
  return { ...served, operator };
}
