import { type Endpoint, isObject, type Json, type JsonObject, type Parameter } from "../../../schemas/index.ts";
import { skipUnwritable } from "../../targets/http/parameters.ts";
import type { Parameters } from "./parameters.ts";
import type { SourcePlace } from "./source.ts";

/** Finds instances of one schema. */
export interface SampleMaker {
  /** Any valid instance; undefined if none is found. */
  any(): Json | undefined;
  /** Whether any text like this one is valid for a member of an object. */
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
  /** The first of several draws that gives a value; undefined if nothing can be drawn. */
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
    parameters({ parameters: written, given, examples, required }) {
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
        const withoutSource = written.filter((parameter) =>
          sources.every((source) => memberOf(source, parameter.in, parameter.name) === undefined),
        );
        return (
          isValid(model, values) &&
          skipUnwritable(endpointWith(withoutSource), pickValues(withoutSource, values), new Set()) === undefined
        );
      };
      const fallback = requiredFrom([given, sample]);
      const needed =
        drawFirst(maxDraws, (next) => {
          const choices = [[given], []].map((sources) => ({ sources, values: requiredFrom([...sources, next]) }));
          return choices.find(({ sources, values }) => isReadAlike(values, sources))?.values;
        }) ?? (isValid(model, fallback) ? fallback : requiredFrom([sample]));
      const whole: JsonObject = { ...needed };
      for (const [where, values] of Object.entries(given))
        whole[where] = { ...(whole[where] as JsonObject), ...(values as JsonObject) };
      // Only with valid values for the other parameters can an example be judged.
      const refused = (isValid(model, needed) ? examples : []).filter(
        ({ in: where, name }) =>
          !isValid(model, {
            ...needed,
            [where]: { ...(needed[where] as JsonObject), [name]: memberOf(given, where, name) as Json },
          }),
      );
      return {
        values: [whole, needed].find((values) => isValid(model, values)) ?? {},
        requiredValues: needed,
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
  const picked: JsonObject = {};
  for (const { in: where, name } of parameters) {
    const value = memberOf(values, where, name);
    if (value !== undefined) picked[where] = { ...(picked[where] as JsonObject | undefined), [name]: value };
  }
  return picked;
}
