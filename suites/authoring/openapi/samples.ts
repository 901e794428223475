import { type Endpoint, isObject, type Json, type JsonObject, type Parameter } from "../../../schemas/index.ts";
import { skipUnwritable } from "../../targets/http/parameters.ts";
import type { Parameters } from "./parameters.ts";
import type { SourcePlace } from "./source.ts";

/** Finds instances of one schema. */
export interface SampleMaker {
  /** Any valid instance; undefined if none is found. */
  any(): Json | undefined;
  /** Whether any text like this one is valid for a member of an object. */
  takes(name: string, text: string): boolean;
  /** The valid examples, and the places of the invalid ones. */
  samples(
    examples: readonly { place: SourcePlace; value: Json }[],
  ): Promise<{ samples: Json[]; refused: SourcePlace[] }>;
  /** Values for all parameters with examples, and for the required ones: examples first, and otherwise generated ones. Also the examples that are refused. */
  parameters(parameters: Parameters): { whole: JsonObject; needed: JsonObject; refused: SourcePlace[] };
}

const maxSamples = 20;
const maxDraws = 60;

/** An endpoint with these parameters. */
function routeFor(parameters: Parameter[]): Endpoint {
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
  const drawFirst = <T>(count: number, find: (made: Json | undefined) => T | undefined): T | undefined => {
    try {
      const sampler = samplerFor(model);
      const random = randomFrom(1);
      for (let draw = 0; draw < count; draw += 1) {
        const made = sampler.next(random);
        const found = find(isValid(model, made) ? made : undefined);
        if (found !== undefined) return found;
      }
    } catch {
      // No value satisfies the schema.
    }
    return undefined;
  };
  const anySample = (): Json | undefined => drawFirst(1, (made) => made);
  return {
    any: anySample,
    takes(name, text) {
      const made = anySample();
      return isObject(made) && isValid(model, { ...made, [name]: text });
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
      const made = anySample();
      const neededFrom = (sources: readonly (Json | undefined)[]): JsonObject => {
        const found: JsonObject = {};
        for (const each of required) {
          const [where = "", name = ""] = [each.slice(0, each.indexOf(" ")), each.slice(each.indexOf(" ") + 1)];
          const value = sources.map((source) => memberOf(source, where, name)).find((found) => found !== undefined);
          if (value !== undefined) found[where] = { ...(found[where] as JsonObject), [name]: value };
        }
        return found;
      };
      // An example counts as its author wrote it. A generated value must be read in the same way by all servers. An example may contradict its own schema.
      const isAlike = (values: JsonObject, sources: readonly (Json | undefined)[]): boolean => {
        const own = written.filter((parameter) =>
          sources.every((source) => memberOf(source, parameter.in, parameter.name) === undefined),
        );
        return (
          isValid(model, values) &&
          skipUnwritable(routeFor(own), valuesOfParameters(own, values), new Set()) === undefined
        );
      };
      const shown = neededFrom([given, made]);
      const needed =
        drawFirst(maxDraws, (next) => {
          const choices = [[given], []].map((sources) => ({ sources, values: neededFrom([...sources, next]) }));
          return choices.find(({ sources, values }) => isAlike(values, sources))?.values;
        }) ?? (isValid(model, shown) ? shown : neededFrom([made]));
      const whole: JsonObject = { ...needed };
      for (const [where, values] of Object.entries(given))
        whole[where] = { ...(whole[where] as JsonObject), ...(values as JsonObject) };
      // With valid values for the other parameters, it shows whether an example is valid.
      const refused = (isValid(model, needed) ? examples : []).filter(
        ({ in: where, name }) =>
          !isValid(model, {
            ...needed,
            [where]: { ...(needed[where] as JsonObject), [name]: memberOf(given, where, name) as Json },
          }),
      );
      return {
        whole: isValid(model, whole) ? whole : isValid(model, needed) ? needed : {},
        needed,
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
function valuesOfParameters(parameters: readonly Parameter[], values: JsonObject): JsonObject {
  const found: JsonObject = {};
  for (const { in: where, name } of parameters) {
    const value = memberOf(values, where, name);
    if (value !== undefined) found[where] = { ...(found[where] as JsonObject | undefined), [name]: value };
  }
  return found;
}
