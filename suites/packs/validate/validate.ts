import {
  type Document,
  documentNamed,
  type Json,
  type Level,
  levels,
  type Protocol,
  pointer,
  protocolNamed,
  type Reason,
  type Violation,
} from "../../../schemas/index.ts";
import { abbreviateValue } from "../../base/text/difference.ts";
import { ruled } from "../pack/load.ts";
import { shapeFor } from "./shape.ts";
import { correctSpelling } from "./spelling.ts";

/** Finds the faults of instances of one protocol's documents. */
export type DocumentValidator = (document: Document, instance: Json) => Violation[];

/** Judges by the schemas and the rules, or by the rules alone: records have our own schemas, which are not binding. */
export interface DocumentJudges {
  whole: DocumentValidator;
  rules: DocumentValidator;
}

/** A validator by the schemas and by every semantic rule. If a document contains parts with their own schemas, those are judged as well. */
export async function validatorFor(data: Protocol): Promise<DocumentValidator> {
  return (await judgesFor(data)).whole;
}

/** Returns both judges: by the schemas and the rules, and by the rules alone. */
export async function judgesFor(data: Protocol): Promise<DocumentJudges> {
  const protocol = await ruled(data);
  const judge = await shapeFor(protocol);
  const { findings, formatHolds, liftingReadingsFor, levelOfVerdict, rulesOfAuthor } = await import(
    "../../../generators/index.ts"
  );
  const written = { ...protocol, rules: rulesOfAuthor(protocol.rules) };
  /** A message that its schema refuses is invalid even if the rule is only advice: it counts as much as the vector of this fault. */
  const levelOf = ({ site, keyword }: Reason): Level => {
    const { isOpen, isLenient } = levelOfVerdict(written, { site, via: [], fault: keyword ?? "schema" });
    const isNote = keyword === "format" && protocol.profile.formats === "annotate";
    return isOpen ? "MAY" : isLenient || isNote ? "SHOULD" : "MUST";
  };
  /** Validators disagree about the format of this text: as in a run, that is not a failure. */
  const isDisputed = ({ site, at = "", keyword }: Reason, instance: Json): boolean => {
    const format = keyword === "format" && site !== undefined ? valueAt(protocol, site) : undefined;
    const value = pointer.at(at, instance);
    return typeof format === "string" && typeof value === "string" && formatHolds(format, value) === undefined;
  };
  const rules: DocumentValidator = (document, instance) => findings(written, document.name, instance);
  const { documents } = protocol.profile;
  const lifted = new Map(
    await Promise.all(
      documents.map(async (document) => [document, await liftingReadingsFor(protocol, document)] as const),
    ),
  );
  const validateAlone: DocumentValidator = (document, instance) => {
    const meant = correctSpelling(protocol.profile, instance);
    const reasons = judge(document, meant);
    const takers = reasons.length === 0 ? [] : (lifted.get(document)?.(meant) ?? []);
    const by = takers.filter(({ verdict }) => verdict === "valid").flatMap((taker) => taker.by);
    const open = by.length === 0 ? "" : `, unless the specification is read as ${by.join(", ")}`;
    const found = reasons.map((reason) => {
      const disputed = isDisputed(reason, instance);
      const level = disputed ? "NOTE" : by.length > 0 ? "MAY" : levelOf(reason);
      const { why, ...rest } = fromReason(reason, level, meant);
      return { ...rest, why: `${why}${disputed ? ": disputed, since validators differ on it" : open}` };
    });
    const beyond = rules(document, instance);
    /** A rule about a text says more than its wrong format does. */
    const isSaid = ({ keyword }: Reason, { at, level }: Violation): boolean =>
      keyword === "format" &&
      beyond.some((violation) => violation.at === at && levels.indexOf(violation.level) <= levels.indexOf(level));
    return [...found.filter((each, index) => !isSaid(reasons[index] as Reason, each)), ...beyond];
  };
  const validateWhole: DocumentValidator = (document, instance) => [
    ...validateAlone(document, instance),
    ...parts(protocol, document, instance).flatMap(({ at, part, value }) =>
      validateAlone(part, value).map((violation) => ({ ...violation, at: `${at}${violation.at}` })),
    ),
  ];
  return { whole: validateWhole, rules };
}

/** Compiling a schema is slower than judging a thousand messages. */
const compiled = new WeakMap<Protocol, Promise<DocumentValidator>>();
const named = new Map<string, Protocol>();

/** The faults of one instance. Throws a usage error for an unknown protocol or document. */
export async function validate(protocol: string | Protocol, document: string, instance: Json): Promise<Violation[]> {
  const known = typeof protocol === "string" ? (named.get(protocol) ?? protocolNamed(protocol)) : protocol;
  if (typeof protocol === "string") named.set(protocol, known);
  const validator = compiled.get(known) ?? validatorFor(known);
  compiled.set(known, validator);
  return (await validator)(documentNamed(known, document), instance);
}

/** Keywords with a message that names the member. */
const naming = ["required", "dependentRequired", "additionalProperties", "unevaluatedProperties", "propertyNames"];

function fromReason(
  { at = "", message = "is not valid", keyword = "", rule, site }: Reason,
  level: Level,
  instance: Json,
): Violation {
  const value = naming.includes(keyword) ? undefined : pointer.at(at, instance);
  // The whole document would be too long for a message.
  const found = value === undefined || at === "" ? "" : `is ${abbreviateValue(value)}, and `;
  return {
    at,
    why: `${found}${message}`,
    level,
    ...(rule === undefined ? {} : { rule }),
    ...(site === undefined ? {} : { site }),
  };
}

/** The part of one of the protocol's schemas at a location. */
function valueAt({ schemas }: Protocol, location: string): Json | undefined {
  const hash = location.indexOf("#");
  const schema = schemas.find(({ $id }) => $id === location.slice(0, hash));
  return schema === undefined ? undefined : pointer.at(location.slice(hash + 1), schema);
}

/** The parts of a document that the profile assigns to a schema by their members. */
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
