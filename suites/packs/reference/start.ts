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
import { serviceForDocuments } from "./documents.ts";
import { locateSchemas } from "./locations.ts";
import { enforcersOf } from "./rules.ts";
import { type ReferenceServer, serve } from "./serve.ts";
import { allVariants } from "./variants/index.ts";
import { lineFeeds } from "./variants/line-feeds.ts";
import { noFormats } from "./variants/no-formats.ts";
import type { Variant } from "./variants/variant.ts";

/** A variant as `list` shows it. A conforming variant differs from the reference in a way that the suite must accept. */
export interface VariantSummary {
  name: string;
  description: string;
  conforms: boolean;
}

/** A protocol with its reference service, if its pack has one. */
export interface ReferencedProtocol {
  protocol: RuledProtocol;
  service: Service | undefined;
}

/** Serves the protocol's reference implementation on a loopback port until it is closed. Throws a usage error for a variant that does not exist or would make no difference, and for a port that is not available. */
export async function startReference(
  referenced: ReferencedProtocol,
  options: { variant?: string; port?: number } = {},
): Promise<ReferenceServer> {
  const { protocol } = referenced;
  const service = referenced.service ?? serviceForDocuments(protocol);
  const conductVariant = service.variants?.find(({ name }) => name === options.variant);
  const isJudgementVariant = conductVariant === undefined && options.variant !== undefined;
  const variant = isJudgementVariant ? variantNamed(options.variant as string, referenced) : undefined;
  // A variant gets few requests, which need only a few schemas.
  const app = await createApp(protocol, conductVariant?.service ?? service, variant, options.variant === undefined);
  return serve(app, options.port);
}

/** Summaries of the variants that make a difference for this protocol. */
export function listVariants(protocol: Protocol): VariantSummary[] {
  return differingVariants(protocol).map((variant) => ({
    name: variant.name,
    description: variant.description,
    conforms: variant.conforms?.(protocol.profile) ?? false,
  }));
}

/** The variants that judge messages correctly but act wrongly. */
export function conductVariants({ service }: Pick<ReferencedProtocol, "service">): VariantSummary[] {
  return (service?.variants ?? []).map(({ name, description }) => ({ name, description, conforms: false }));
}

/** For each enforcer, the change that makes a variant ignore it. Otherwise a variant without the rule would still enforce it. */
const enforcerLapses: Record<Enforcer, Partial<Variant>> = {
  text: { lenientText: true },
  patterns: { ...lineFeeds },
  formats: { ...noFormats },
};

/** For each semantic rule, a variant that does not know it. */
export function ruleVariants(protocol: RuledProtocol): Variant[] {
  const enforcers = enforcersOf(protocol);
  // Not knowing a rule makes no difference if the rule allows both answers, or if the schema enforces it.
  const withoutEffect = protocol.rules.filter(({ check, verdict }) => verdict === "either" || check === "schema");
  const withoutEffectIds = new Set(withoutEffect.map(({ id }) => id));
  const checkers = protocol.families.flatMap((family) => family.checkers);
  const rules = new Set(checkers.map(({ rule }) => rule).filter((rule) => !withoutEffectIds.has(rule)));
  return [...rules].map((rule) => {
    const enforcer = enforcers[rule];
    const { name: _, affects, conforms, ...lapse } = enforcer === undefined ? { name: "" } : enforcerLapses[enforcer];
    return { ...lapse, name: `without-${rule}`, description: `does not know ${rule}`, withoutRule: rule };
  });
}

/** The variants that make a difference for this protocol, except those that lack a single rule. */
export function differingVariants(protocol: Protocol): Variant[] {
  // Records and traces are not messages, so none of their vectors is judged by the schema alone.
  const { documents } = protocol.profile;
  const describesMessages = ({ $id }: JsonObject): boolean =>
    !documents.some(({ schema, role }) => schema === $id && (role === "record" || role === "trace"));
  const subschemas = [...locateSchemas(protocol.schemas.filter(describesMessages)).schemasByLocation.values()];
  const hasRules = !("families" in protocol) || (protocol as RuledProtocol).families.length > 0;
  return allVariants.filter(
    ({ affects, schemaOnly }) =>
      (hasRules || schemaOnly !== true) && (affects === undefined || subschemas.some((schema) => affects(schema))),
  );
}

/** A variant by its name. Throws a usage error for a variant that is unknown or makes no difference. */
export function variantNamed(name: string, { protocol, service }: ReferencedProtocol): Variant {
  const available = [...differingVariants(protocol), ...(name.startsWith("without-") ? ruleVariants(protocol) : [])];
  const variant = available.find((variant) => variant.name === name);
  if (variant !== undefined) return variant;
  const names = available.map((variant) => variant.name);
  const conductNames = conductVariants({ service }).map((variant) => variant.name);
  const conductHint = conductNames.length === 0 ? "" : `; and variants of conduct, such as ${conductNames[0]}`;
  const makesNoDifference = allVariants.some((variant) => variant.name === name);
  throw new TouchstoneError(
    "usage",
    makesNoDifference
      ? `the variant "${name}" makes no difference for ${protocol.name}`
      : `unknown variant "${name}" of the reference`,
    {
      hint: `${makesNoDifference ? "" : nearestName(name, [...names, ...conductNames])}variants of ${protocol.name}: ${names.join(", ")}${conductHint}`,
    },
  );
}
