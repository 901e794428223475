import {
  type Document,
  documentNamed,
  type Json,
  type Level,
  type Protocol,
  pointer,
  protocolNamed,
  type Reason,
} from "../../schemas/index.ts";
import { judgeFor } from "../reference/validator.ts";

/** One thing that is wrong with an instance, or that its author is advised against. */
export interface Found {
  /** JSON Pointer into the instance. */
  at: string;
  why: string;
  level: Level;
  /** Id of the rule; not every assertion of a schema belongs to one. */
  rule?: string;
  /** Location of the assertion that fails: `SCHEMA_ID#/json/pointer`. */
  site?: string;
}

/** Finds what is wrong with instances of one protocol's documents. */
export type Validator = (document: Document, instance: Json) => Found[];

/**
 * A validator by the schemas and by every rule beyond them. Where a document travels in parts that have schemas of their own, those are
 * judged as well.
 */
export async function validatorFor(protocol: Protocol): Promise<Validator> {
  const judge = await judgeFor(protocol);
  const { findings } = await import("../../generators/index.ts");
  const alone: Validator = (document, instance) => [
    ...judge(document, instance).map((reason) => fromReason(protocol, reason)),
    ...findings(protocol, document.name, instance),
  ];
  return (document, instance) => [
    ...alone(document, instance),
    ...parts(protocol, document, instance).flatMap(({ at, part, value }) =>
      alone(part, value).map((found) => ({ ...found, at: `${at}${found.at}` })),
    ),
  ];
}

/** What is wrong with one instance. Throws a usage error for a protocol or document that there is not. */
export async function validate(protocol: string | Protocol, document: string, instance: Json): Promise<Found[]> {
  const known = typeof protocol === "string" ? protocolNamed(protocol) : protocol;
  const validator = await validatorFor(known);
  return validator(documentNamed(known, document), instance);
}

function fromReason({ rules }: Protocol, { at = "", message = "is not valid", rule, site }: Reason): Found {
  const level = rules.find(({ id }) => id === rule)?.level ?? "MUST";
  return { at, why: message, level, ...(rule === undefined ? {} : { rule }), ...(site === undefined ? {} : { site }) };
}

/** The parts of a document that the profile's further steps judge by a schema which members choose. */
function parts(
  { profile }: Protocol,
  document: Document,
  instance: Json,
): { at: string; part: Document; value: Json }[] {
  const [first, ...steps] = profile.steps ?? [];
  if (first?.schema !== document.schema) return [];
  return steps.flatMap(({ at, by = [], schema, schemas = {} }) => {
    const key = by.map((each) => String(pointer.at(each, instance))).join(" ");
    const id = schema ?? (Object.hasOwn(schemas, key) ? schemas[key] : undefined);
    const part = profile.documents.find((each) => each.schema === id);
    const value = pointer.at(at, instance);
    return part === undefined || value === undefined ? [] : [{ at, part, value }];
  });
}
