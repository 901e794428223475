import { describe, expect, it } from "vitest";
import { home } from "../schemas/index.ts";
import { ceilings, phrases, proseOf, ratesOf, type Sort, slack } from "./prose.ts";
import { readTree, type Tree } from "./tree.ts";

describe("the uses of each phrase per thousand words of this tree", () => {
  const rates = ratesOf(readTree(home));
  const rows = Object.entries(ceilings).flatMap(([sort, sortCeilings]) =>
    Object.entries(sortCeilings).map(
      ([phrase, ceiling]) => [sort, phrase, ceiling] as [Sort, keyof typeof sortCeilings, number],
    ),
  );

  it.each(rows)("%s: %s", (sort, phrase, ceiling) => {
    const rate = rates[sort][phrase];
    expect(rate, `${phrases[phrase][1]}: npx tsx scripts/prose.ts ${sort} "${phrase}" lists them`).toBeLessThanOrEqual(
      ceiling,
    );
    expect(rate, "lower the ceiling in scripts/prose.ts").toBeGreaterThanOrEqual(ceiling * (1 - slack) - 0.2);
  });
});

const tree: Tree = new Map([
  [
    "vectors/a/1.0/b/valid.json",
    '{\n    {"id":"a/1.0/b/valid/c","description":"what is here is \\"what is there\\" in `what was`","data":{"description":"what is"}},\n}',
  ],
  ["schemas/a/1.0/rules/b.yaml", "says: tells nobody\n"],
  ["README.md", "Whoever reads.\n```sh\nwhat is this\n```\n"],
  ["suites/a.ts", '/** It stands. */\nconst a = "takes what is there"; // anew\nconst b = "takes it";\n'],
  [
    "suites/a.test.ts",
    '// whoever\nit.each([1])("stands: %s", () => {});\ndescribe("anew", () => it("is", () => f("b")));\n',
  ],
]);

it("prose includes descriptions, rules, pages, comments, test titles and long literals, without code and quoted values", () => {
  const texts = Object.entries(proseOf(tree)).map(([sort, sortCeilings]) => [
    sort,
    sortCeilings.map(({ text }) => text),
  ]);
  expect(Object.fromEntries(texts)).toEqual({
    vectors: ['what is here is "" in ``'],
    rules: ["says: tells nobody\n"],
    texts: ["takes what is there"],
    pages: ["Whoever reads.\n\n"],
    comments: [" It stands. \nanew"],
    titles: ["stands: %s\nanew\nis"],
  });
});

it("a rate is the number of uses per thousand words", () => {
  const { rules, vectors, texts, pages, comments, titles } = ratesOf(tree);
  expect(rules.tells).toBeCloseTo(1000 / 3);
  expect(rules.somebody).toBeCloseTo(1000 / 3);
  expect(vectors["what is"]).toBeCloseTo(1000 / 7);
  expect([texts["what is"], texts.takes, texts.anew]).toEqual([250, 250, 0]);
  expect(pages.whatever).toBe(500);
  expect([comments.stands, comments.anew, comments["is no"]]).toEqual([1000 / 3, 1000 / 3, 0]);
  expect([titles.stands, titles.anew]).toEqual([250, 250]);
});
