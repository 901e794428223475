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

/** Finds the readings of the specification that accept an instance although the schema refuses it, and the readings that do not. `parent` is the valid instance that it was made from. */
export type FindLiftingReadings = (instance: Json, parent?: Json, rule?: string) => Reading[];

/**
 * Compiles a validator for each reading of a protocol that lifts parts of a document's schema. A reading does not accept an instance that a semantic rule
 * refuses, unless the rule also refuses the valid instance that it was made from.
 */
export async function liftingReadingsFor(
  protocol: Pick<RuledProtocol, "profile" | "schemas" | "rules" | "families" | "seal">,
  document: Document,
): Promise<FindLiftingReadings> {
  const { schemas } = protocol;
  const readings = liftingReadings(protocol, document);
  // Schemas remain valid after a removal, so the quick compilation is enough.
  const judges = await Promise.all(
    readings.map(async (reading) => ({
      reading,
      oracle: await oracleFor(withoutAssertions(schemas, reading.lifts ?? []), document.schema, "quick"),
    })),
  );
  // Messages are signed last, so the instance is signed before rules judge it.
  const refusingRules = (instance: Json, ownRule: string | undefined): string[] =>
    findings(protocol, document.name, protocol.seal?.(instance) ?? instance).flatMap(({ rule, level }) =>
      level === "MUST" && rule !== ownRule ? [rule] : [],
    );
  return (instance, parent, ownRule) => {
    const acceptingJudges = judges.filter(({ reading, oracle }) => {
      const isAccepted = (value: Json): boolean => oracle.judge(value).verdict === "valid";
      return isAccepted(instance) || (reading.nulls === "absent" && isAccepted(withoutNulls(instance)));
    });
    if (acceptingJudges.length === 0) return [];
    const earlierRules = parent === undefined ? [] : refusingRules(parent, ownRule);
    const isRefused = refusingRules(instance, ownRule).some((rule) => !earlierRules.includes(rule));
    return isRefused ? [] : allReadings(acceptingJudges.map(({ reading }) => reading));
  };
}

/**
 * Returns a check for packs that treat formats as annotations: whether some reading refuses an instance only because of its formats, although the schema
 * refuses it for another reason. A receiver with this reading that ignores formats accepts the instance.
 */
export function formatCheckUnderReadings(
  protocol: Pick<RuledProtocol, "foreign" | "profile" | "schemas">,
  document: Document,
): (instance: Json) => boolean {
  const { foreign, profile, schemas } = protocol;
  // Only for users' packs, because the levels of published vectors must not change.
  const readings = foreign === true && profile.formats === "annotate" ? liftingReadings(protocol, document) : [];
  if (readings.length === 0) return () => false;
  const acceptsAnnotated = compileAjv(schemas, document.schema, "annotating");
  const underReadings = readings.map(({ lifts = [] }) => {
    const liftedSchemas = withoutAssertions(schemas, lifts);
    const [annotating, asserting] = [
      compileAjv(liftedSchemas, document.schema, "annotating"),
      compileAjv(liftedSchemas, document.schema, "lenient"),
    ];
    return (instance: Json): boolean => annotating(instance) && !asserting(instance);
  });
  return (instance) =>
    !acceptsAnnotated(instance) && underReadings.some((failsOnlyFormats) => failsOnlyFormats(instance));
}

function liftingReadings(
  { profile, schemas }: Pick<RuledProtocol, "profile" | "schemas">,
  document: Document,
): (NamedReading & { of: Contradiction })[] {
  const usedIds = schemasUsed(schemas, document.schema).map(({ $id }) => `${$id}#`);
  const touches = (place: string): boolean => usedIds.some((id) => place.startsWith(id));
  return namedReadings(profile).filter(
    ({ lifts = [], nulls }) => nulls === "absent" || lifts.map(placeOfLift).some(touches),
  );
}

/** Copies an instance without the members that are null. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(members.map(([name, each]) => [name, withoutNulls(each)]));
}

/** Lists the readings that accept an instance, after the other readings of the same contradiction. */
function allReadings(acceptingReadings: readonly (NamedReading & { of: Contradiction })[]): Reading[] {
  const [first] = acceptingReadings;
  if (first === undefined) return [];
  const refusingReadings = first.of.readings.filter(({ name }) =>
    acceptingReadings.every((each) => each.name !== name),
  );
  return [
    ...refusingReadings.map(({ name, says }): Reading => ({ verdict: "invalid", by: [name], why: says })),
    ...acceptingReadings.map(({ name, says }): Reading => ({ verdict: "valid", by: [name], why: says })),
  ];
}

/** Removes the lifted assertions from schemas, or changes their values. Later entries of a list are changed first, so that no location moves. */
function withoutAssertions(schemas: readonly JsonObject[], lifts: readonly Lift[]): JsonObject[] {
  return schemas.map((schema) => {
    const changes = lifts
      .filter((lift) => placeOfLift(lift).startsWith(`${schema.$id}#`))
      .map((lift): Change => {
        const path = placeOfLift(lift).slice(placeOfLift(lift).indexOf("#") + 1);
        return typeof lift === "string" ? { op: "remove", path } : { op: "replace", path, value: lift.to };
      })
      .sort((first, second) => (first.path < second.path ? 1 : -1));
    const relaxedSchema = applyChanges(schema, changes);
    if (relaxedSchema === undefined)
      throw new Error(`${String(schema.$id)} has nothing at one of ${changes.map(({ path }) => path).join(", ")}`);
    return relaxedSchema as JsonObject;
  });
}

/** Explains why the violation of an assertion is disputed: a rule leaves it open, a reading lifts it, or validators disagree. */
export function disputeReason({ profile, rules }: Pick<RuledProtocol, "profile" | "rules">, site: string): string {
  const rule = ruleAt(rules, site);
  if (rule?.verdict === "either") return `${rule.id} leaves it open, so that both answers are right`;
  const places = namedReadings(profile).flatMap(({ lifts = [] }) => lifts.map(placeOfLift));
  return places.some((place) => site === place || site.startsWith(`${place}/`))
    ? "a reading of the specification lifts it, so that only runs with a reading decide it"
    : "the validators do not agree on what breaks it";
}
