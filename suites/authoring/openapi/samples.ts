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
  const generators = await import("../../../generators/index.ts");
  const model = await generators.compileModel([schema], generators.identifier(schema));
  return new ModelSamples(generators, schema, model);
}

type GeneratorModule = typeof import("../../../generators/index.ts");

class ModelSamples implements SampleMaker {
  readonly #generators: GeneratorModule;
  readonly #schema: JsonObject;
  readonly #model: Awaited<ReturnType<GeneratorModule["compileModel"]>>;
  #oracle: ReturnType<GeneratorModule["oracleFor"]> | undefined;

  constructor(
    generators: GeneratorModule,
    schema: JsonObject,
    model: Awaited<ReturnType<GeneratorModule["compileModel"]>>,
  ) {
    this.#generators = generators;
    this.#schema = schema;
    this.#model = model;
  }

  any(): Json | undefined {
    return this.#drawFirst(1, (sample) => sample);
  }

  allowsText(name: string, text: string): boolean {
    const sample = this.any();
    return isObject(sample) && this.#isValid({ ...sample, [name]: text });
  }

  async samples(
    examples: readonly { place: SourcePlace; value: Json }[],
  ): Promise<{ samples: Json[]; refused: SourcePlace[] }> {
    if (examples.length === 0) return { samples: [], refused: [] };
    const { identifier, oracleFor } = this.#generators;
    this.#oracle ??= oracleFor([this.#schema], identifier(this.#schema), "lenient");
    const { judge } = await this.#oracle;
    const validExamples = examples.filter(({ value }) => judge(value).verdict === "valid");
    const refused = examples.filter((example) => !validExamples.includes(example)).map(({ place }) => place);
    return { samples: validExamples.slice(0, maxSamples).map(({ value }) => value), refused };
  }

  parameters(parameters: Parameters): { values: JsonObject; requiredValues: JsonObject; refused: SourcePlace[] } {
    const { given, examples } = parameters;
    const requiredValues = this.#requiredValues(parameters);
    const allValues: JsonObject = { ...requiredValues };
    for (const [where, values] of Object.entries(given))
      allValues[where] = { ...(allValues[where] as JsonObject), ...(values as JsonObject) };
    // An example can only be judged beside valid values for the other parameters.
    const refused = (this.#isValid(requiredValues) ? examples : []).filter(
      ({ in: where, name }) =>
        !this.#isValid({
          ...requiredValues,
          [where]: { ...(requiredValues[where] as JsonObject), [name]: memberOf(given, where, name) as Json },
        }),
    );
    return {
      values: [allValues, requiredValues].find((values) => this.#isValid(values)) ?? {},
      requiredValues,
      refused: refused.map(({ place }) => place),
    };
  }

  /** Returns values for the required parameters: examples first, and otherwise drawn ones. */
  #requiredValues({ parameters, given, required }: Parameters): JsonObject {
    const sample = this.any();
    const drawnValues = this.#drawFirst(maxDraws, (drawnSample) => {
      const choices = [[given], []].map((sources) => ({
        sources,
        values: pickRequired(required, [...sources, drawnSample]),
      }));
      return choices.find(({ sources, values }) => this.#isReadAlike(values, parameters, sources))?.values;
    });
    if (drawnValues !== undefined) return drawnValues;
    const fallback = pickRequired(required, [given, sample]);
    return this.#isValid(fallback) ? fallback : pickRequired(required, [sample]);
  }

  /**
   * Whether the values are valid, and all servers read the generated ones in the same way. Values that are in `sources`, such as examples, are
   * not generated: they count as their author wrote them.
   */
  #isReadAlike(values: JsonObject, parameters: readonly Parameter[], sources: readonly (Json | undefined)[]): boolean {
    const generated = parameters.filter((parameter) =>
      sources.every((source) => memberOf(source, parameter.in, parameter.name) === undefined),
    );
    return (
      this.#isValid(values) &&
      skipUnwritable(endpointWith(generated), pickValues(generated, values), new Set()) === undefined
    );
  }

  #isValid(value: Json): boolean {
    return this.#generators.isValid(this.#model, value);
  }

  /** Returns the first result that `find` derives from a number of draws; undefined if nothing can be drawn. */
  #drawFirst<T>(count: number, find: (sample: Json | undefined) => T | undefined): T | undefined {
    try {
      const sampler = this.#generators.samplerFor(this.#model);
      const random = this.#generators.randomFrom(1);
      for (let draw = 0; draw < count; draw += 1) {
        const drawn = sampler.next(random);
        const result = find(this.#isValid(drawn) ? drawn : undefined);
        if (result !== undefined) return result;
      }
    } catch {
      // No value satisfies the schema.
    }
    return undefined;
  }
}

/** Picks a value for each required parameter, given as `IN NAME`, from the first source that has one. */
function pickRequired(required: Iterable<string>, sources: readonly (Json | undefined)[]): JsonObject {
  const values: JsonObject = {};
  for (const key of required) {
    const [where, name] = [key.slice(0, key.indexOf(" ")), key.slice(key.indexOf(" ") + 1)];
    const value = sources.map((source) => memberOf(source, where, name)).find((candidate) => candidate !== undefined);
    if (value !== undefined) values[where] = { ...(values[where] as JsonObject), [name]: value };
  }
  return values;
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
