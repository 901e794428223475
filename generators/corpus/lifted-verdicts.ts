import {
  type Change,
  type Contradiction,
  type Document,
  isObject,
  type Json,
  type JsonObject,
  type Lift,
  type NamedReading,
  namedReadings,
  placeOfLift,
  type Reading,
  type RuledProtocol,
  ruleAt,
  schemasUsed,
} from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { oracleFor } from "../oracle/oracle.ts";
import { findings } from "../rules/check.ts";

/** Finds the readings that accept an instance although the schema of a document refuses it, if the specification leaves the choice. `from` is the valid instance from which it was made. */
export type FindLiftingReadings = (instance: Json, from?: Json, rule?: string) => Reading[];

/**
 * The readings of a protocol that lift parts of a document's schema, each with a validator. A reading does not accept an instance that another rule
 * refuses under any reading, unless the rule also refuses the valid instance from which it was made.
 */
export async function liftingReadingsFor(
  protocol: Pick<RuledProtocol, "profile" | "schemas" | "rules" | "families" | "seal">,
  document: Document,
): Promise<FindLiftingReadings> {
  const { schemas } = protocol;
  const lifting = liftingReadings(protocol, document);
  // Sound schemas remain sound after a removal.
  const voters = await Promise.all(
    lifting.map(async (reading) => ({
      reading,
      oracle: await oracleFor(withoutAssertions(schemas, reading.lifts ?? []), document.schema, "quick"),
    })),
  );
  // A signature is made after everything else.
  const refusingRules = (instance: Json, own: string | undefined): string[] =>
    findings(protocol, document.name, protocol.seal?.(instance) ?? instance).flatMap(({ rule, level }) =>
      level === "MUST" && rule !== own ? [rule] : [],
    );
  return (instance, from, own) => {
    const accepting = voters.filter(({ reading, oracle }) => {
      const isAccepted = (value: Json): boolean => oracle.judge(value).verdict === "valid";
      return isAccepted(instance) || (reading.nulls === "absent" && isAccepted(withoutNulls(instance)));
    });
    if (accepting.length === 0) return [];
    const earlierRules = from === undefined ? [] : refusingRules(from, own);
    const isRefused = refusingRules(instance, own).some((rule) => !earlierRules.includes(rule));
    return isRefused ? [] : allReadings(accepting.map(({ reading }) => reading));
  };
}

/**
 * Whether, under some reading, only wrong formats remain in an instance that the schema refuses, in a pack that treats formats as annotations. Then a
 * receiver with this reading that ignores formats accepts the instance.
 */
export function formatsLeftFor(
  protocol: Pick<RuledProtocol, "foreign" | "profile" | "schemas">,
  document: Document,
): (instance: Json) => boolean {
  const { foreign, profile, schemas } = protocol;
  // Only for users' packs: the levels of published vectors stay as they are.
  const lifting = foreign === true && profile.formats === "annotate" ? liftingReadings(protocol, document) : [];
  if (lifting.length === 0) return () => false;
  const acceptsAnnotated = compileAjv(schemas, document.schema, "annotating");
  const underReadings = lifting.map(({ lifts = [] }) => {
    const liftedSchemas = withoutAssertions(schemas, lifts);
    const [annotating, asserting] = [
      compileAjv(liftedSchemas, document.schema, "annotating"),
      compileAjv(liftedSchemas, document.schema, "lenient"),
    ];
    return (instance: Json): boolean => annotating(instance) && !asserting(instance);
  });
  return (instance) => !acceptsAnnotated(instance) && underReadings.some((isByFormats) => isByFormats(instance));
}

function liftingReadings(
  { profile, schemas }: Pick<RuledProtocol, "profile" | "schemas">,
  document: Document,
): (NamedReading & { of: Contradiction })[] {
  const used = schemasUsed(schemas, document.schema).map(({ $id }) => `${$id}#`);
  const touches = (place: string): boolean => used.some((id) => place.startsWith(id));
  return namedReadings(profile).filter(
    ({ lifts = [], nulls }) => nulls === "absent" || lifts.map(placeOfLift).some(touches),
  );
}

/** An instance without the members that are null. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(members.map(([name, each]) => [name, withoutNulls(each)]));
}

/** The readings that accept an instance, after the readings of the same text that do not. */
function allReadings(accepting: readonly (NamedReading & { of: Contradiction })[]): Reading[] {
  const [first] = accepting;
  if (first === undefined) return [];
  const others = first.of.readings.filter(({ name }) => accepting.every((each) => each.name !== name));
  return [
    ...others.map(({ name, says }): Reading => ({ verdict: "invalid", by: [name], why: says })),
    ...accepting.map(({ name, says }): Reading => ({ verdict: "valid", by: [name], why: says })),
  ];
}

/** Schemas without some assertions, or with other values for them. Later entries of a list come first, so that no location moves. */
function withoutAssertions(schemas: readonly JsonObject[], lifts: readonly Lift[]): JsonObject[] {
  return schemas.map((schema) => {
    const changes = lifts
      .filter((lift) => placeOfLift(lift).startsWith(`${schema.$id}#`))
      .map((lift): Change => {
        const path = placeOfLift(lift).slice(placeOfLift(lift).indexOf("#") + 1);
        return typeof lift === "string" ? { op: "remove", path } : { op: "replace", path, value: lift.to };
      })
      .sort((one, other) => (one.path < other.path ? 1 : -1));
    const left = applyChanges(schema, changes);
    if (left === undefined)
      throw new Error(`${String(schema.$id)} has nothing at one of ${changes.map(({ path }) => path).join(", ")}`);
    return left as JsonObject;
  });
}

/** Why the violation of an assertion is disputed: a rule leaves it open, a reading lifts it, or validators differ. */
export function whyDisputed({ profile, rules }: Pick<RuledProtocol, "profile" | "rules">, site: string): string {
  const rule = ruleAt(rules, site);
  if (rule?.verdict === "either") return `${rule.id} leaves it open, so that both answers are right`;
  const places = namedReadings(profile).flatMap(({ lifts = [] }) => lifts.map(placeOfLift));
  return places.some((place) => site === place || site.startsWith(`${place}/`))
    ? "a reading of the specification lifts it, so that only runs with a reading decide it"
    : "the validators do not agree on what breaks it";
}
