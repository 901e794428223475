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

/** Two judges: by schemas and rules, and by rules alone. Records need the second, because their schemas are ours and not binding. */
export interface DocumentJudges {
  whole: DocumentValidator;
  rules: DocumentValidator;
}

/** Returns a validator that applies the schemas and every semantic rule. It also judges the parts of a document that have their own schemas. */
export async function validatorFor(baseProtocol: Protocol): Promise<DocumentValidator> {
  return (await judgesFor(baseProtocol)).whole;
}

/** Returns both judges: by the schemas and the rules, and by the rules alone. */
export async function judgesFor(baseProtocol: Protocol): Promise<DocumentJudges> {
  const protocol = await ruled(baseProtocol);
  const judge = await shapeFor(protocol);
  const { findings, formatHolds, liftingReadingsFor, levelOfVerdict, rulesOfAuthor } = await import(
    "../../../generators/index.ts"
  );
  const authoredProtocol = { ...protocol, rules: rulesOfAuthor(protocol.rules) };
  /** The level of a fault in the schema. It is the level of the vector with this fault, even if the rule is only advice. */
  const levelOf = ({ site, keyword }: Reason): Level => {
    const { isOpen, isLenient } = levelOfVerdict(authoredProtocol, { site, via: [], fault: keyword ?? "schema" });
    const isNote = keyword === "format" && protocol.profile.formats === "annotate";
    if (isOpen) return "MAY";
    return isLenient || isNote ? "SHOULD" : "MUST";
  };
  /** Whether validators disagree about the format of this string. As in a run, that is not a failure. */
  const isDisputed = ({ site, at = "", keyword }: Reason, instance: Json): boolean => {
    const format = keyword === "format" && site !== undefined ? valueAt(protocol, site) : undefined;
    const value = pointer.at(at, instance);
    return typeof format === "string" && typeof value === "string" && formatHolds(format, value) === undefined;
  };
  const rules: DocumentValidator = (document, instance) => findings(authoredProtocol, document.name, instance);
  const { documents } = protocol.profile;
  const readingsByDocument = new Map(
    await Promise.all(
      documents.map(async (document) => [document, await liftingReadingsFor(protocol, document)] as const),
    ),
  );
  const validateAlone: DocumentValidator = (document, instance) => {
    const corrected = correctSpelling(protocol.profile, instance);
    const reasons = judge(document, corrected);
    const readings = reasons.length === 0 ? [] : (readingsByDocument.get(document)?.(corrected) ?? []);
    const acceptingReadings = readings.filter(({ verdict }) => verdict === "valid").flatMap((reading) => reading.by);
    const exception =
      acceptingReadings.length === 0 ? "" : `, unless the specification is read as ${acceptingReadings.join(", ")}`;
    const schemaViolations = reasons.map((reason) => {
      const hasDisputedFormat = isDisputed(reason, instance);
      const levelOfFault = acceptingReadings.length > 0 ? "MAY" : levelOf(reason);
      const level = hasDisputedFormat ? "NOTE" : levelOfFault;
      const { why, ...rest } = fromReason(reason, level, corrected);
      return { ...rest, why: `${why}${hasDisputedFormat ? ": disputed, since validators differ on it" : exception}` };
    });
    const ruleViolations = rules(document, instance);
    const uncovered = schemaViolations.filter(
      (violation, index) => reasons[index]?.keyword !== "format" || !isCoveredByRule(violation, ruleViolations),
    );
    return [...uncovered, ...ruleViolations];
  };
  const validateWhole: DocumentValidator = (document, instance) => [
    ...validateAlone(document, instance),
    ...partsOf(protocol, document, instance).flatMap(({ at, part, value }) =>
      validateAlone(part, value).map((violation) => ({ ...violation, at: `${at}${violation.at}` })),
    ),
  ];
  return { whole: validateWhole, rules };
}

/** Whether a rule also reports the string with the wrong format. The finding of the rule says more, so only that one is kept. */
function isCoveredByRule({ at, level }: Violation, ruleViolations: readonly Violation[]): boolean {
  return ruleViolations.some(
    (violation) => violation.at === at && levels.indexOf(violation.level) <= levels.indexOf(level),
  );
}

/** Cached, because compiling a schema is slower than judging a thousand messages. */
const validators = new WeakMap<Protocol, Promise<DocumentValidator>>();
const protocolsByName = new Map<string, Protocol>();

/** The faults of one instance. Throws a usage error for an unknown protocol or document. */
export async function validate(protocol: string | Protocol, document: string, instance: Json): Promise<Violation[]> {
  const resolvedProtocol =
    typeof protocol === "string" ? (protocolsByName.get(protocol) ?? protocolNamed(protocol)) : protocol;
  if (typeof protocol === "string") protocolsByName.set(protocol, resolvedProtocol);
  const validator = validators.get(resolvedProtocol) ?? validatorFor(resolvedProtocol);
  validators.set(resolvedProtocol, validator);
  return (await validator)(documentNamed(resolvedProtocol, document), instance);
}

/** Keywords with an error message that names the member. */
const memberKeywords = [
  "required",
  "dependentRequired",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
];

function fromReason(
  { at = "", message = "is not valid", keyword = "", rule, site }: Reason,
  level: Level,
  instance: Json,
): Violation {
  const value = memberKeywords.includes(keyword) ? undefined : pointer.at(at, instance);
  // The whole document would be too long for a message.
  const valuePhrase = value === undefined || at === "" ? "" : `is ${abbreviateValue(value)}, and `;
  return {
    at,
    why: `${valuePhrase}${message}`,
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
function partsOf(
  { profile }: Protocol,
  document: Document,
  instance: Json,
): { at: string; part: Document; value: Json }[] {
  const [first, ...steps] = profile.steps ?? [];
  if (first?.schema !== document.schema) return [];
  return steps.flatMap(({ at, by = [], schema, schemas = {} }) => {
    const key = by.map((place) => String(pointer.at(place, instance))).join(" ");
    const id = schema ?? (Object.hasOwn(schemas, key) ? schemas[key] : undefined);
    const part = profile.documents.find((candidate) => candidate.schema === id);
    const value = pointer.at(at, instance);
    return part === undefined || value === undefined ? [] : [{ at, part, value }];
  });
}
