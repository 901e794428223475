import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { type Check, right, validator, vectorsOf } from "../testing/hand-written.fixture.ts";

const always: Check = () => true;

/** The keyword as it is, but at one location of an instance. */
const only = (where: string, keyword: string, wrong: Check): Readonly<Record<string, Check>> => ({
  [keyword]: (value, asserted, at, beside, visit) =>
    (at === where ? wrong : (right[keyword] as Check))(value, asserted, at, beside, visit),
});

type Wrong = Readonly<Record<string, Check>>;

const word: JsonObject = { type: "string", minLength: 3, maxLength: 6, pattern: "^[a-z]+$" };
const use = { $ref: "#/$defs/word" };

const schemas: [string, JsonObject, Record<string, Wrong>][] = [
  [
    "a definition that is used four times",
    {
      type: "object",
      properties: { one: use, two: use, all: { type: "array", items: use }, last: use },
      $defs: { word },
    },
    Object.fromEntries([
      ...["/one", "/two", "/all/0", "/last"].flatMap((at) =>
        ["type", "minLength", "maxLength", "pattern"].map((keyword): [string, Wrong] => [
          `does not check ${keyword} in ${at}`,
          only(at, keyword, always),
        ]),
      ),
      ["allows one character more in /two", only("/two", "maxLength", (value) => [...String(value)].length < 8)],
    ]),
  ],
];

describe.each(schemas)("of %s", async (_, schema, mistakes) => {
  const vectors = await vectorsOf(schema);
  const differing = (accepts: (data: Json) => boolean) => vectors.filter(({ data, valid }) => accepts(data) !== valid);

  it("no vector accuses who is right", () => {
    expect(differing(validator(schema)).map(({ id }) => id)).toEqual([]);
  });

  it.each(Object.entries(mistakes))("some vector finds who %s", (_, wrong) => {
    expect(differing(validator(schema, wrong))).not.toEqual([]);
  });
});
