import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { editSchemas, type Mutant, mutateModel } from "./mutant.ts";
import { listMutants } from "./mutants.ts";

const other = "https://example.org/other.schema.json";
const word = { type: "string", minLength: 3, pattern: "^[a-z]+$" };
const pair = { properties: { x: { $ref: "#/$defs/word" }, y: { $ref: "#/$defs/word" } } };
const schemaSets: [string, JsonObject[]][] = [
  [
    "in one document",
    [document({ properties: { a: { $ref: "#/$defs/pair" }, b: { $ref: "#/$defs/pair" } }, $defs: { pair, word } })],
  ],
  [
    "that is another document",
    [
      document({ properties: { a: { $ref: other }, b: { $ref: other } } }),
      { ...document({ ...pair, $defs: { word } }), $id: other },
    ],
  ],
  [
    "of draft-07",
    [
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        $id: id,
        properties: { a: { $ref: "#/definitions/pair" }, b: { $ref: "#/definitions/pair" } },
        definitions: {
          pair: { properties: { x: { $ref: "#/definitions/word" }, y: { $ref: "#/definitions/word" } } },
          word,
        },
      },
    ],
  ],
];

describe.each(schemaSets)("a mistake in one use of a definition %s", async (_, schemas) => {
  const model = await compileModel(schemas, id);
  const oneCopyMutants = listMutants(model, schemas).filter(({ operator }) => operator === "one-copy");
  const verdicts = (mutant: Mutant, data: Json): boolean[] => [
    isValid(mutateModel(model, mutant), data),
    compileAjv(editSchemas(schemas, mutant.edits), id, "quick")(data),
  ];
  const find = (mistake: string): Mutant | undefined => oneCopyMutants.find((mutant) => mutant.says === mistake);

  it.each([
    ["minLength is not checked", "no"],
    ["pattern is not checked", "NONE"],
    ["type is not checked", 1],
  ])("(%s) changes the verdict only there", (mistake, value) => {
    for (const path of ["a.x", "a.y", "b.x", "b.y"]) {
      const mutant = find(`${mistake}, in \`${path}\` alone`) as Mutant;
      for (const [outer, inner] of ["a.x", "a.y", "b.x", "b.y"].map(
        (usePath) => usePath.split(".") as [string, string],
      ))
        expect(verdicts(mutant, { [outer]: { [inner]: value } })).toEqual(
          path === `${outer}.${inner}` ? [true, true] : [false, false],
        );
    }
  });

  it("covers every mistake in the first two uses, and only removed assertions in the others", () => {
    const usesWith = (mistake: string) =>
      ["a.x", "a.y", "b.x", "b.y"].filter((path) => find(`${mistake}, in \`${path}\` alone`));
    expect(usesWith("minLength is 4 instead of 3")).toEqual(["a.x", "a.y"]);
    expect(usesWith("minLength is not checked")).toEqual(["a.x", "a.y", "b.x", "b.y"]);
  });
});

describe("a definition", () => {
  const oneCopyMutants = async (schema: JsonObject) => {
    const schemas = [document(schema)];
    return listMutants(await compileModel(schemas, id), schemas).filter(({ operator }) => operator === "one-copy");
  };

  it("does not have one-copy mutants if it is used once", async () => {
    expect(await oneCopyMutants({ properties: { a: { $ref: "#/$defs/word" } }, $defs: { word } })).toEqual([]);
  });

  it("is not copied if a schema inside it has a name", async () => {
    const use = { $ref: "#/$defs/named" };
    const mutantsOfCopies = await oneCopyMutants({ properties: { a: use, b: use }, $defs: { named } });
    expect(mutantsOfCopies.filter(({ keyword }) => keyword === "minimum")).toEqual([]);
  });
});

const node = { type: "object", required: ["name"], properties: { name: { minLength: 2 } } };
describe("a schema that is used within itself", () => {
  it.each<[string, boolean, JsonObject, string, (below: Json) => Json]>([
    [
      "by the whole document",
      true,
      { ...node, properties: { ...node.properties, parent: { $ref: "#" } } },
      "parent",
      (parent) => ({ name: "ab", parent }),
    ],
    [
      "by a definition",
      false,
      {
        $ref: "#/$defs/tree",
        $defs: { tree: { ...node, properties: { ...node.properties, below: { items: { $ref: "#/$defs/tree" } } } } },
      },
      "below.*",
      (below) => ({ name: "ab", below: [below] }),
    ],
  ])("%s is copied once, with a mutant at the first level", async (_, isDeep, schema, path, nest) => {
    const schemas = [document(schema)];
    const model = await compileModel(schemas, id);
    const oneCopyMutants = listMutants(model, schemas).filter(({ operator }) => operator === "one-copy");
    const find = (says: string) => oneCopyMutants.find((mutant) => mutant.says === says) as Mutant;
    const verdicts = (mutant: Mutant, data: Json): boolean[] => [
      isValid(mutateModel(model, mutant), data),
      compileAjv(editSchemas(schemas, mutant.edits), id, "quick")(data),
    ];
    const [bare, short] = [{}, { name: "a" }];
    const optionalName = find(`name is optional, in \`${path}\` alone`);
    for (const [data, isAccepted] of [
      [bare, false],
      [nest(bare), true],
      [nest(nest(bare)), isDeep],
      [nest(short), false],
    ] as const)
      expect(verdicts(optionalName, data)).toEqual([isAccepted, isAccepted]);
    const uncheckedLength = find(`minLength is not checked, in \`${path}.name\` alone`);
    expect([short, nest(short), nest(nest(short))].map((data) => verdicts(uncheckedLength, data)[1])).toEqual([
      false,
      true,
      isDeep,
    ]);
    const deepMutants = oneCopyMutants.filter(({ says }) => says.includes(`in \`${path}.${path}\``));
    expect(deepMutants.map(({ says }) => says.replace(/,.*/, ""))).toEqual([
      "the reference is not followed",
      "only the type of the referenced schema is checked",
    ]);
    const [dropped, typed] = deepMutants as [Mutant, Mutant];
    for (const [data, droppedAccepts, typedAccepts] of [
      [nest(bare), false, false],
      [nest(nest(bare)), true, true],
      [nest(nest(1)), true, false],
    ] as const) {
      expect(verdicts(dropped, data)).toEqual([droppedAccepts, droppedAccepts]);
      expect(verdicts(typed, data)).toEqual([typedAccepts, typedAccepts]);
    }
  });
});

const named = { type: "object", required: ["name"], properties: { name: { minLength: 2 } } };
const nested = (under: Json): JsonObject => ({ ...node, properties: { ...node.properties, under } });
describe.each<[string, JsonObject, string, (below: Json) => Json]>([
  ["by a member", nested({ $ref: "#" }), "under", (under) => ({ name: "ab", under })],
  [
    "by items of draft-07",
    { ...nested({ items: { $ref: "#" } }), $schema: "http://json-schema.org/draft-07/schema#" },
    "under.*",
    (under) => ({ name: "ab", under: [under] }),
  ],
  [
    "by one of two branches",
    { oneOf: [node, { type: "object", required: ["under"], properties: { under: { $ref: "#" } } }] },
    "under",
    (under) => ({ under }),
  ],
])("a schema that is used within itself %s", async (_, schema, path, nest) => {
  it("also has a mutant four levels below", async () => {
    const schemas = [document(schema)];
    const model = await compileModel(schemas, id);
    const place = `in \`${Array(4).fill(path).join(".")}\` alone`;
    const deepMutants = listMutants(model, schemas).filter(({ says }) => says.includes(place)) as [Mutant];
    expect(deepMutants).toHaveLength(1);
    const accepts = compileAjv(editSchemas(schemas, deepMutants[0].edits), id, "quick");
    for (const level of [1, 2, 3, 4]) {
      const data = Array.from({ length: level }).reduce<Json>((below) => nest(below), {});
      expect([isValid(model, data), isValid(mutateModel(model, deepMutants[0]), data), accepts(data)]).toEqual([
        false,
        level === 4,
        level === 4,
      ]);
    }
  });
});
