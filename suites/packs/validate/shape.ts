import type { ErrorObject } from "ajv/dist/2020.js";
import { type Document, isObject, type Json, type Protocol, pointer, type Reason } from "../../../schemas/index.ts";
import { type CompiledSchemas, compiledFor } from "../reference/validator.ts";
import { branchesOf, candidateBranches, findDiscriminators, layersOf } from "./branches.ts";

/** Returns the faults of an instance by a document's schema, each fault once. */
export type ShapeJudge = (document: Document, instance: Json) => Reason[];

/** Returns a judge that reports each fault once: for a choice between schemas only the errors of the intended schema, and for a fault only its own error, not its consequences. */
export async function shapeFor(protocol: Protocol): Promise<ShapeJudge> {
  const compiled = await compiledFor(protocol);
  return (document, instance) => {
    try {
      return independentErrors(compiled, errorsAt(compiled, document.schema, instance)).map(compiled.reasonOf);
    } catch (error) {
      // A recursive schema follows the instance down, which may exhaust the stack.
      if (error instanceof RangeError) return [{ at: "", message: "is nested too deeply" }];
      throw error;
    }
  };
}

function errorsAt({ ajvOf }: CompiledSchemas, site: string, instance: Json): ErrorObject[] {
  const [id = "", place] = site.split("#");
  const ajv = ajvOf(id);
  const $ref = place === undefined ? site : `${id}#${encodeURI(place)}`;
  const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
  return validate(instance) ? [] : [...(validate.errors ?? [])];
}

/** The errors that are independent faults. Errors of branches come before the error of the choice between them. */
function independentErrors(compiled: CompiledSchemas, errors: readonly ErrorObject[]): ErrorObject[] {
  let remaining = errors.filter(({ keyword, propertyName }) => keyword !== "if" && propertyName === undefined);
  for (const choice of [...remaining].reverse()) {
    if (!["anyOf", "oneOf"].includes(choice.keyword) || !remaining.includes(choice)) continue;
    remaining = chooseErrors(compiled, choice, remaining);
  }
  return remaining.filter((error) => !isConsequence(compiled, error, remaining));
}

/** Resolves one `anyOf` or `oneOf`: removes the errors of branches that the sender did not intend. */
function chooseErrors(compiled: CompiledSchemas, choice: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] {
  const { instancePath, data } = choice;
  const branches = branchesOf(choice, compiled.locations);
  const errorsOf = (site: string): ErrorObject[] =>
    errorsAt(compiled, site, data as Json).map((error) => ({
      ...error,
      instancePath: `${instancePath}${error.instancePath}`,
    }));
  const errorsElsewhere = withoutErrors(
    compiled,
    errors.filter((error) => error !== choice),
    branches.flatMap(({ site }) => errorsOf(site)),
  );
  const discriminators = findDiscriminators(branches, compiled.locations).map((name) =>
    pointer.append(instancePath, name),
  );
  const candidates = candidateBranches(branches, data as Json, compiled.locations);
  // Candidates that accept the values of the distinguishing members.
  const matching = candidates.filter(
    ({ site }) => !errorsOf(site).some((error) => discriminators.includes(error.instancePath)),
  );
  const [branch, secondBranch] = candidates.length > 1 ? matching : candidates;
  const faults =
    branch === undefined || secondBranch !== undefined ? [] : independentErrors(compiled, errorsOf(branch.site));
  if (faults.length > 0) return [...errorsElsewhere, ...faults];
  return errorsElsewhere.some((error) => discriminators.includes(error.instancePath))
    ? errorsElsewhere
    : [...errorsElsewhere, choice];
}

/** The errors that are left after removing each error of another list once. */
function withoutErrors(
  { locations }: CompiledSchemas,
  errors: readonly ErrorObject[],
  removed: readonly ErrorObject[],
): ErrorObject[] {
  const keyOf = ({ instancePath, keyword, parentSchema, params }: ErrorObject): string =>
    JSON.stringify([instancePath, keyword, locations.locationsBySchema.get(parentSchema), params]);
  const counts = new Map<string, number>();
  for (const error of removed) counts.set(keyOf(error), (counts.get(keyOf(error)) ?? 0) + 1);
  return errors.filter((error) => {
    const count = counts.get(keyOf(error)) ?? 0;
    counts.set(keyOf(error), count - 1);
    return count <= 0;
  });
}

/** Whether a member counts as unevaluated only because the schema that would evaluate it fails. */
function isConsequence({ locations }: CompiledSchemas, error: ErrorObject, allErrors: readonly ErrorObject[]): boolean {
  if (error.keyword !== "unevaluatedProperties") return false;
  const { instancePath, params, parentSchema, data } = error;
  const layers = layersOf(parentSchema as Json, locations);
  const choices = layers
    .flatMap(({ oneOf, anyOf }) => [oneOf, anyOf])
    .filter((alternatives) => Array.isArray(alternatives));
  const branches = choices.flatMap((choice) => {
    const candidates = candidateBranches(
      choice.map((schema) => ({ schema, site: "" })),
      data as Json,
      locations,
    );
    return candidates.flatMap(({ schema }) => layersOf(schema, locations));
  });
  const isDeclared = [...layers, ...branches].some(
    ({ properties }) => isObject(properties) && Object.hasOwn(properties, String(params.unevaluatedProperty)),
  );
  return (
    isDeclared &&
    allErrors.some((otherError) => otherError !== error && otherError.instancePath.startsWith(instancePath))
  );
}
