import {
  type Enforcer,
  type JsonObject,
  nearestName,
  type Protocol,
  type RuledProtocol,
  type Service,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { createApp } from "./app.ts";
import { documentsOnly } from "./documents.ts";
import { locateSchemas } from "./locations.ts";
import { enforcersOf } from "./rules.ts";
import { type Served, serve } from "./serve.ts";
import { allVariants } from "./variants/index.ts";
import { lineFeeds } from "./variants/line-feeds.ts";
import { noFormats } from "./variants/no-formats.ts";
import type { Variant } from "./variants/variant.ts";

/** A variant as listed. A variant that still conforms must pass a suite. */
export interface VariantSummary {
  name: string;
  description: string;
  conforms: boolean;
}

/** A protocol with the service that its pack has for it, if any. */
export interface Referenced {
  protocol: RuledProtocol;
  service: Service | undefined;
}

/** Serves the protocol's reference implementation on a loopback port until it is closed. Throws a usage error for a variant that does not exist or would make no difference, and for a port that is not available. */
export async function startReference(
  referenced: Referenced,
  options: { variant?: string; port?: number } = {},
): Promise<Served> {
  const { protocol } = referenced;
  const service = referenced.service ?? documentsOnly(protocol);
  const misbehaved = service.variants?.find(({ name }) => name === options.variant);
  const isOther = misbehaved === undefined && options.variant !== undefined;
  const variant = isOther ? variantNamed(options.variant as string, referenced) : undefined;
  // A variant gets few requests, which need only a few schemas.
  const app = await createApp(protocol, misbehaved?.service ?? service, variant, options.variant === undefined);
  return serve(app, options.port);
}

/** The variants that make a difference to this protocol. */
export function listVariants(protocol: Protocol): VariantSummary[] {
  return differingVariants(protocol).map((variant) => ({
    name: variant.name,
    description: variant.description,
    conforms: variant.conforms?.(protocol.profile) ?? false,
  }));
}

/** The variants that accept valid messages but do not act as they should. */
export function conductVariants({ service }: Pick<Referenced, "service">): VariantSummary[] {
  return (service?.variants ?? []).map(({ name, description }) => ({ name, description, conforms: false }));
}

/** For each enforcer, the slip that makes a variant also ignore a rule that a schema or a strict reader would otherwise enforce. */
const slips: Record<Enforcer, Partial<Variant>> = {
  text: { lenientText: true },
  patterns: { ...lineFeeds },
  formats: { ...noFormats },
};

/** For each semantic rule, the variant that does not know it. */
export function ruleVariants(protocol: RuledProtocol): Variant[] {
  const enforcers = enforcersOf(protocol);
  // Not knowing a rule makes no difference if the rule allows both answers, or if the schema enforces it.
  const idle = protocol.rules.filter(({ check, verdict }) => verdict === "either" || check === "schema");
  const open = new Set(idle.map(({ id }) => id));
  const checkers = protocol.families.flatMap((family) => family.checkers);
  const rules = new Set(checkers.map(({ rule }) => rule).filter((rule) => !open.has(rule)));
  return [...rules].map((rule) => {
    const enforcer = enforcers[rule];
    const { name: _, touches, conforms, ...slip } = enforcer === undefined ? { name: "" } : slips[enforcer];
    return { ...slip, name: `without-${rule}`, description: `does not know ${rule}`, withoutRule: rule };
  });
}

/** The variants that make a difference to this protocol, without the variants that lack a single rule. */
export function differingVariants(protocol: Protocol): Variant[] {
  // Records and traces are not messages: none of their vectors is judged by the schema alone.
  const { documents } = protocol.profile;
  const isAsked = ({ $id }: JsonObject): boolean =>
    !documents.some(({ schema, role }) => schema === $id && (role === "record" || role === "trace"));
  const subschemas = [...locateSchemas(protocol.schemas.filter(isAsked)).at.values()];
  const hasRules = !("families" in protocol) || (protocol as RuledProtocol).families.length > 0;
  return allVariants.filter(
    ({ touches, schemaOnly }) =>
      (hasRules || schemaOnly !== true) && (touches === undefined || subschemas.some((schema) => touches(schema))),
  );
}

/** A variant by its name. Throws a usage error for a variant that is unknown or makes no difference. */
export function variantNamed(name: string, { protocol, service }: Referenced): Variant {
  const there = [...differingVariants(protocol), ...(name.startsWith("without-") ? ruleVariants(protocol) : [])];
  const found = there.find((variant) => variant.name === name);
  if (found !== undefined) return found;
  const names = there.map((variant) => variant.name);
  const acting = conductVariants({ service }).map((variant) => variant.name);
  const also = acting.length === 0 ? "" : `; and those of conduct, such as ${acting[0]}`;
  const idle = allVariants.some((variant) => variant.name === name);
  throw new TouchstoneError(
    "usage",
    idle
      ? `the variant "${name}" makes no difference for ${protocol.name}`
      : `unknown variant "${name}" of the reference`,
    {
      hint: `${idle ? "" : nearestName(name, [...names, ...acting])}variants of ${protocol.name}: ${names.join(", ")}${also}`,
    },
  );
}
