import { type Endpoint, isObject, type Json, type JsonObject, type Parameter } from "../../../schemas/index.ts";
import { skipUnwritable } from "../../targets/http/parameters.ts";
import type { Parameters } from "./parameters.ts";
import type { SourcePlace } from "./source.ts";

/** Finds instances of one schema. */
export interface SampleMaker {
  /** Finds any valid instance; undefined if none is found. */
  any(): Json | undefined;
  /** Whether an object with this string as the value of a member is valid. */
  allowsText(name: string, text: string): boolean;
  /** The valid examples, and the places of the invalid ones. */
  samples(
    examples: readonly { place: SourcePlace; value: Json }[],
  ): Promise<{ samples: Json[]; refused: SourcePlace[] }>;
  /** Values for all parameters with examples, and for the required ones: examples first, and otherwise generated ones. Also the examples that are refused. */
  parameters(parameters: Parameters): { values: JsonObject; requiredValues: JsonObject; refused: SourcePlace[] };
}

const maxSamples = 20;
const maxDraws = 60;

/** An endpoint with these parameters. */
function endpointWith(parameters: Parameter[]): Endpoint {
  const inPath = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => `/{${name}}`);
  return { method: "GET", path: inPath.join(""), carries: "parameters", parameters };
}

/** Compiles a schema into a maker of samples. */
export async function makerOf(schema: JsonObject): Promise<SampleMaker> {
  const { compileModel, identifier, isValid, oracleFor, randomFrom, samplerFor } = await import(
    "../../../generators/index.ts"
  );
  const id = identifier(schema);
  const model = await compileModel([schema], id);
  let oracle: Awaited<ReturnType<typeof oracleFor>> | undefined;
  /** Returns the first result that `find` derives from a number of draws; undefined if nothing can be drawn. */
  const drawFirst = <T>(count: number, find: (sample: Json | undefined) => T | undefined): T | undefined => {
    try {
      const sampler = samplerFor(model);
      const random = randomFrom(1);
      for (let draw = 0; draw < count; draw += 1) {
        const drawn = sampler.next(random);
        const result = find(isValid(model, drawn) ? drawn : undefined);
        if (result !== undefined) return result;
      }
    } catch {
      // No value satisfies the schema.
    }
    return undefined;
  };
  const anySample = (): Json | undefined => drawFirst(1, (sample) => sample);
  return {
    any: anySample,
    allowsText(name, text) {
      const sample = anySample();
      return isObject(sample) && isValid(model, { ...sample, [name]: text });
    },
    async samples(examples) {
      if (examples.length === 0) return { samples: [], refused: [] };
      oracle ??= await oracleFor([schema], id, "lenient");
      const { judge } = oracle;
      const validExamples = examples.filter(({ value }) => judge(value).verdict === "valid");
      const refused = examples.filter((example) => !validExamples.includes(example)).map(({ place }) => place);
      return { samples: validExamples.slice(0, maxSamples).map(({ value }) => value), refused };
    },
    parameters({ parameters: parameterList, given, examples, required }) {
      const sample = anySample();
      const requiredFrom = (sources: readonly (Json | undefined)[]): JsonObject => {
        const values: JsonObject = {};
        for (const key of required) {
          const [where = "", name = ""] = [key.slice(0, key.indexOf(" ")), key.slice(key.indexOf(" ") + 1)];
          const value = sources
            .map((source) => memberOf(source, where, name))
            .find((candidate) => candidate !== undefined);
          if (value !== undefined) values[where] = { ...(values[where] as JsonObject), [name]: value };
        }
        return values;
      };
      // An example counts as its author wrote it. A generated value must be read in the same way by all servers. An example may contradict its own schema.
      const isReadAlike = (values: JsonObject, sources: readonly (Json | undefined)[]): boolean => {
        const withoutSource = parameterList.filter((parameter) =>
          sources.every((source) => memberOf(source, parameter.in, parameter.name) === undefined),
        );
        return (
          isValid(model, values) &&
          skipUnwritable(endpointWith(withoutSource), pickValues(withoutSource, values), new Set()) === undefined
        );
      };
      const fallback = requiredFrom([given, sample]);
      const requiredValues =
        drawFirst(maxDraws, (drawnSample) => {
          const choices = [[given], []].map((sources) => ({
            sources,
            values: requiredFrom([...sources, drawnSample]),
          }));
          return choices.find(({ sources, values }) => isReadAlike(values, sources))?.values;
        }) ?? (isValid(model, fallback) ? fallback : requiredFrom([sample]));
      const allValues: JsonObject = { ...requiredValues };
      for (const [where, values] of Object.entries(given))
        allValues[where] = { ...(allValues[where] as JsonObject), ...(values as JsonObject) };
      // An example can only be judged beside valid values for the other parameters.
      const refused = (isValid(model, requiredValues) ? examples : []).filter(
        ({ in: where, name }) =>
          !isValid(model, {
            ...requiredValues,
            [where]: { ...(requiredValues[where] as JsonObject), [name]: memberOf(given, where, name) as Json },
          }),
      );
      return {
        values: [allValues, requiredValues].find((values) => isValid(model, values)) ?? {},
        requiredValues,
        refused: refused.map(({ place }) => place),
      };
    },
  };
}

function memberOf(value: Json | undefined, where: string, name: string): Json | undefined {
  const section = isObject(value) ? value[where] : undefined;
  return isObject(section) && Object.hasOwn(section, name) ? section[name] : undefined;
}

/** The values of some parameters. */
function pickValues(parameters: readonly Parameter[], values: JsonObject): JsonObject {
  const pickedValues: JsonObject = {};
  for (const { in: where, name } of parameters) {
    const value = memberOf(values, where, name);
    if (value !== undefined)
      pickedValues[where] = { ...(pickedValues[where] as JsonObject | undefined), [name]: value };
  }
  return pickedValues;
}
