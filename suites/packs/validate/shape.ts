import type { ErrorObject } from "ajv/dist/2020.js";
import { type Document, isObject, type Json, type Protocol, pointer, type Reason } from "../../../schemas/index.ts";
import { type CompiledSchema, compiledFor } from "../reference/validator.ts";
import { branchesOf, candidateBranches, findDiscriminators, layersOf } from "./branches.ts";

/** Finds the faults of an instance by a schema, each once. */
export type ShapeJudge = (document: Document, instance: Json) => Reason[];

/** Reports, for a choice between schemas, only the errors of the intended schema; and for a fault only its own error, not its consequences. */
export async function shapeFor(protocol: Protocol): Promise<ShapeJudge> {
  const compiled = await compiledFor(protocol);
  return (document, instance) => {
    try {
      return tellErrors(compiled, errorsAt(compiled, document.schema, instance)).map(compiled.reasonOf);
    } catch (error) {
      // A recursive schema follows the instance, and the stack may be exhausted first.
      if (error instanceof RangeError) return [{ at: "", message: "is nested too deeply" }];
      throw error;
    }
  };
}

function errorsAt({ ajvOf }: CompiledSchema, site: string, instance: Json): ErrorObject[] {
  const [id = "", place] = site.split("#");
  const ajv = ajvOf(id);
  const $ref = place === undefined ? site : `${id}#${encodeURI(place)}`;
  const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
  return validate(instance) ? [] : [...(validate.errors ?? [])];
}

/** The errors that are independent faults. Errors of branches come before the error of the choice between them. */
function tellErrors(compiled: CompiledSchema, errors: readonly ErrorObject[]): ErrorObject[] {
  let left = errors.filter(({ keyword, propertyName }) => keyword !== "if" && propertyName === undefined);
  for (const choice of [...left].reverse()) {
    if (!["anyOf", "oneOf"].includes(choice.keyword) || !left.includes(choice)) continue;
    left = chooseErrors(compiled, choice, left);
  }
  return left.filter((error) => !isConsequence(compiled, error, left));
}

/** Decides one choice: the errors of other branches are removed. */
function chooseErrors(compiled: CompiledSchema, choice: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] {
  const { instancePath, data } = choice;
  const branches = branchesOf(choice, compiled.locations);
  const errorsOf = (site: string): ErrorObject[] =>
    errorsAt(compiled, site, data as Json).map((error) => ({
      ...error,
      instancePath: `${instancePath}${error.instancePath}`,
    }));
  const others = withoutErrors(
    compiled,
    errors.filter((error) => error !== choice),
    branches.flatMap(({ site }) => errorsOf(site)),
  );
  const named = findDiscriminators(branches, compiled.locations).map((name) => pointer.append(instancePath, name));
  const open = candidateBranches(branches, data as Json, compiled.locations);
  // Of several branches, the ones accepting the distinguishing members.
  const apt = open.filter(({ site }) => !errorsOf(site).some((error) => named.includes(error.instancePath)));
  const [branch, another] = open.length > 1 ? apt : open;
  const faults = branch === undefined || another !== undefined ? [] : tellErrors(compiled, errorsOf(branch.site));
  if (faults.length > 0) return [...others, ...faults];
  return others.some((error) => named.includes(error.instancePath)) ? others : [...others, choice];
}

/** A list without a given number of errors of each kind. */
function withoutErrors(
  { locations }: CompiledSchema,
  errors: readonly ErrorObject[],
  out: readonly ErrorObject[],
): ErrorObject[] {
  const key = ({ instancePath, keyword, parentSchema, params }: ErrorObject): string =>
    JSON.stringify([instancePath, keyword, locations.of.get(parentSchema), params]);
  const counts = new Map<string, number>();
  for (const errorObject of out) counts.set(key(errorObject), (counts.get(key(errorObject)) ?? 0) + 1);
  return errors.filter((error) => {
    const count = counts.get(key(error)) ?? 0;
    counts.set(key(error), count - 1);
    return count <= 0;
  });
}

/** A member counts as not evaluated only because the schema that would evaluate it fails. */
function isConsequence({ locations }: CompiledSchema, error: ErrorObject, all: readonly ErrorObject[]): boolean {
  if (error.keyword !== "unevaluatedProperties") return false;
  const { instancePath, params, parentSchema, data } = error;
  const layers = layersOf(parentSchema as Json, locations);
  const choices = layers.flatMap(({ oneOf, anyOf }) => [oneOf, anyOf]).filter((each) => Array.isArray(each));
  const branches = choices.flatMap((choice) => {
    const open = candidateBranches(
      choice.map((schema) => ({ schema, site: "" })),
      data as Json,
      locations,
    );
    return open.flatMap(({ schema }) => layersOf(schema, locations));
  });
  const isDeclared = [...layers, ...branches].some(
    ({ properties }) => isObject(properties) && Object.hasOwn(properties, String(params.unevaluatedProperty)),
  );
  return (
    isDeclared && all.some((errorObject) => errorObject !== error && errorObject.instancePath.startsWith(instancePath))
  );
}
