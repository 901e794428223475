import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  freedomsOf,
  groundsOf,
  home,
  protocolNamed,
  readPack,
  ruleLine,
  rulesWithLines,
  withCode,
} from "../../../schemas/index.ts";
import { compareRules, describeCounts, describeRenames, describeRule } from "../../authoring/compare/rules.ts";
import { refuseWrongCases } from "../../authoring/generate/cases.ts";
import { mayLoad } from "./code.ts";
import { packOf, ruled } from "./load.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));

const parent = {
  "profile.json": {
    protocol: "shop",
    documents: [
      { file: "schemas/order.schema.json", endpoint: "/orders", samples: [{ total: 3, "total-of": "x" }] },
      { file: "schemas/receipt.schema.json", endpoint: "/receipts" },
    ],
    http: { signature: "shop-mark" },
    errors: [{ code: "full", meaning: "The shop is full." }],
    readings: [
      { id: "total-rounded", says: "a total may be rounded" },
      { id: "total-exact", says: "a total is exact" },
    ],
  },
  "schemas/order.schema.json": {
    $id: "https://shop.example/v1/order.schema.json",
    type: "object",
    required: ["total"],
    properties: { total: { type: "integer", minimum: 0 }, paid: { type: "integer" }, by: { enum: ["total"] } },
  },
  "schemas/receipt.schema.json": {
    $id: "https://shop.example/v1/receipt.schema.json",
    properties: { order: { $ref: "order.schema.json#/properties/total" } },
  },
  "fixtures.yaml": "order: { total: 3, paid: 3 }\n",
  "rules/order.yaml": `rules:
  SHOP-SUM-001:
    statement: What is \`paid\` is the \`total\` of the order, as SHOP-SUM-002 and Shop-Mark say.
    document: order
    check: { equal: { /paid: /total } }
    valid:
      all: { from: order, says: pays the total }
      text: { says: is a text, text: '{"total":1,"paid":1}' }
    invalid:
      part: { says: pays less, set: { /paid: 2 } }
  SHOP-SUM-002:
    statement: The total is not negative.
    sites: { order.schema.json: [/properties/total/minimum] }
  SHOP-GET-001:
    statement: An order is read back.
    scenarios:
      read-back:
        says: it is read back
        steps:
          - send: { path: /orders, headers: { Shop-Mark: a }, body: { total: 3 } }
            expect: [{ rule: SHOP-GET-001, equal: { /total: 3 } }]
`,
  "positions.json": {
    $schema: "positions.schema.json",
    protocol: "shop",
    version: "1",
    sources: [{ mark: "", title: "Shop", url: "https://shop.example" }],
    positions: [{ id: "A-01", issue: "Whether the `total` is a number.", position: "It is." }],
  },
  "freedoms.json": {
    $schema: "freedoms.schema.json",
    protocol: "shop",
    version: "1",
    freedoms: [
      { id: "round", clause: "1", rules: ["SHOP-SUM-001"], strict: "a", lenient: "b", shows: "conduct" },
      { id: "other", clause: "1", rules: ["SHOP-SUM-002"], strict: "a", lenient: "b", shows: "conduct" },
    ],
    settled: [],
  },
};

const rename = {
  ids: { "SHOP-": "MART-" },
  members: { total: "amount" },
  headers: { "Shop-Mark": "Mart-Mark" },
  paths: { "/orders": "/v2/orders" },
  texts: { "shop.example/v1": "mart.example/v2" },
};

type Files = Readonly<Record<string, unknown>>;
let packCount = 0;

function writeFiles(name: string, files: Files): string {
  const at = join(folder, String(packCount), name);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(at, file)), { recursive: true });
    writeFileSync(join(at, file), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  return at;
}

/** Writes the pack above and one that extends it; returns the folder of the latter. */
function writeChild(extension: Files, files: Files = {}): string {
  packCount += 1;
  writeFiles("shop", parent);
  const profile = { protocol: "mart", version: "2", extends: { pack: "../shop", ...extension }, documents: [] };
  return writeFiles("mart", { "profile.json": profile, ...files });
}

describe("a pack that extends another", () => {
  it("inherits documents, schemas, rules, cases, fixtures and grounds under the new names", async () => {
    const protocol = readPack(writeChild({ rename }));
    expect(mayLoad(protocol)).toBe(true);
    const { profile, schemas, rules } = protocol;
    expect(profile).toMatchObject({
      protocol: "mart",
      documents: [
        { name: "order", endpoint: { path: "/v2/orders" }, samples: [{ amount: 3, "total-of": "x" }] },
        { name: "receipt" },
      ],
      http: { signature: "mart-mark" },
      errors: [{ code: "full" }],
    });
    expect(schemas[0]).toMatchObject({
      $id: "https://mart.example/v2/order.schema.json",
      required: ["amount"],
      properties: { amount: { minimum: 0 }, by: { enum: ["total"] } },
    });
    expect(JSON.stringify(schemas[1])).toContain("order.schema.json#/properties/amount");
    expect(rules).toMatchObject([
      {
        id: "MART-SUM-001",
        statement: "What is `paid` is the `amount` of the order, as MART-SUM-002 and Mart-Mark say.",
      },
      { id: "MART-SUM-002", sites: ["https://mart.example/v2/order.schema.json#/properties/amount/minimum"] },
      { id: "MART-GET-001", status: { covered: "scenarios" } },
    ]);
    const ruledProtocol = await ruled(protocol);
    const [family] = ruledProtocol.families;
    expect(family?.cases).toMatchObject([
      {
        rule: "MART-SUM-001",
        valid: [{ data: { amount: 3, paid: 3 } }, { text: '{"amount":1,"paid":1}' }],
        invalid: [{ name: "part", change: [{ path: "/paid", value: 2 }] }],
      },
    ]);
    const breaches = family?.checkers[0]?.check?.({ amount: 3, total: 2, paid: 2 }, "order") ?? [];
    expect([...breaches]).toMatchObject([{ at: "/paid" }]);
    expect([...(family?.checkers[0]?.check?.({ amount: 3, total: 2, paid: 3 }, "order") ?? [])]).toEqual([]);
    await refuseWrongCases(ruledProtocol);
    expect(groundsOf(protocol)?.positions[0]?.issue).toBe("Whether the `amount` is a number.");
    expect(freedomsOf(protocol).map((freedom) => freedom.rules)).toEqual([["MART-SUM-001"], ["MART-SUM-002"]]);
    const packScenarios = await (await packOf(protocol)).scenarios?.();
    expect(packScenarios?.scenarios.map(({ name, rules: ruleIds }) => [name, ruleIds])).toEqual([
      ["read-back", ["MART-GET-001"]],
    ]);
  });

  it("may change, add and remove rules and documents, and compare reports the changes", async () => {
    const files = {
      "rules/more.yaml": `rules:
  MART-SUM-001: { overrides: true, level: SHOULD }
  MART-NEW-001: { statement: It is new., document: order, check: { present: [/amount] } }
`,
    };
    const gone = { rules: ["SHOP-SUM-002"], documents: ["receipt"], readings: ["total-rounded"] };
    const protocol = readPack(writeChild({ rename, gone }, files));
    expect(protocol.profile.documents.map(({ name }) => name)).toEqual(["order"]);
    expect(protocol.profile.readings?.map(({ id }) => id)).toEqual(["total-exact"]);
    expect(freedomsOf(protocol).map(({ id }) => id)).toEqual(["round"]);
    const { families } = await ruled(protocol);
    expect(families.flatMap(({ checkers }) => checkers.map(({ rule }) => rule)).sort()).toEqual([
      "MART-NEW-001",
      "MART-SUM-001",
    ]);
    const shop = readPack(join(folder, String(packCount), "shop"));
    expect(compareRules(shop, protocol)).toMatchObject({
      same: 1,
      renamed: 1,
      rename,
      rules: [
        { rule: "MART-SUM-001", was: "SHOP-SUM-001", state: "changed", level: "SHOULD", parts: ["level"] },
        { rule: "MART-NEW-001", state: "new" },
        { rule: "SHOP-SUM-002", state: "gone" },
      ],
    });
    expect(compareRules(protocol, shop)).toMatchObject({
      same: 1,
      renamed: 1,
      rename: { ids: { "MART-": "SHOP-" }, members: { amount: "total" } },
      rules: [
        { rule: "SHOP-SUM-001", was: "MART-SUM-001", state: "changed", level: "MUST" },
        { rule: "SHOP-SUM-002", state: "new" },
        { rule: "MART-NEW-001", state: "gone" },
      ],
    });
  });

  it("may replace the schema of a document, and keep the names of document and file", () => {
    const order = { $id: "https://mart.example/order.json", type: "object", properties: { total: { maximum: 9 } } };
    const documents = [{ name: "order", file: "schemas/order.schema.json" }];
    const extension = { pack: "../shop", gone: { rules: ["SHOP-SUM-002"] } };
    const packWith = (schema: Files, extendsEntry: Files): ReturnType<typeof readPack> => {
      const profile = { protocol: "mart", extends: extendsEntry, documents };
      return readPack(writeChild({}, { "profile.json": profile, "schemas/order.schema.json": schema }));
    };
    const hasParentSchema = ({ schemas }: ReturnType<typeof readPack>): boolean =>
      schemas.some(({ $id }) => $id === "https://shop.example/v1/order.schema.json");
    const withReceipt = packWith(order, extension);
    expect(withReceipt.profile.documents[0]).toMatchObject({
      name: "order",
      schema: order.$id,
      endpoint: { path: "/orders" },
    });
    // The receipt refers to the parent's order.
    expect(hasParentSchema(withReceipt)).toBe(true);
    const withoutReceipt = { ...extension, gone: { ...extension.gone, documents: ["receipt"] } };
    expect(hasParentSchema(packWith(order, withoutReceipt))).toBe(false);
    expect(
      hasParentSchema(packWith({ ...order, $ref: "https://shop.example/v1/order.schema.json" }, withoutReceipt)),
    ).toBe(true);
    expect(() => packWith(order, { pack: "../shop", gone: { documents: ["receipt"] } })).toThrow(
      /SHOP-SUM-002.*no schema of the pack has that/s,
    );
  });

  it("inherits the cases of a rule except the ones listed under lacks, and adds its own samples and cases", async () => {
    const files = {
      "rules/more.yaml": `rules:
  MART-SUM-001:
    overrides: true
    lacks: [text]
    document: order
    valid:
      none: { from: order, says: is free, set: { /amount: 0, /paid: 0 } }
`,
    };
    const at = writeChild({ rename }, files);
    const file = join(at, "profile.json");
    const profile = JSON.parse(readFileSync(file, "utf8"));
    profile.documents = [{ name: "order", moreSamples: [{ amount: 4 }] }];
    writeFileSync(file, JSON.stringify(profile));
    const protocol = readPack(at);
    expect(protocol.profile.documents[0]?.samples).toEqual([{ amount: 3, "total-of": "x" }, { amount: 4 }]);
    const { families } = await ruled(protocol);
    const cases = families.flatMap((family) => family.cases).filter(({ rule }) => rule === "MART-SUM-001");
    expect(cases.flatMap(({ valid }) => valid.map(({ name }) => name)).sort()).toEqual(["all", "none"]);
    expect(cases.flatMap(({ invalid }) => invalid.map(({ name }) => name))).toEqual(["part"]);
  });

  it("signs inherited cases again if its code can", async () => {
    const code = `export const pack = { rules: async () => ({ families: [], resign: (mine, before, document) =>
      document === "order" && before.total !== undefined ? [{ op: "add", path: "/mark", value: mine.amount * 2 }] : [] }) };`;
    const protocol = withCode(readPack(writeChild({ rename }, { "index.mjs": code })), "given");
    const { families } = await ruled(protocol);
    expect(families.flatMap((family) => family.cases)).toMatchObject([
      {
        valid: [{ data: { amount: 3, paid: 3, mark: 6 } }, { name: "text" }],
        invalid: [
          {
            change: [
              { path: "/paid", value: 2 },
              { path: "/mark", value: 6 },
            ],
          },
        ],
      },
    ]);
  });

  it("is read again after its parent has changed", () => {
    const at = writeChild({ rename });
    expect(readPack(at).rules[0]?.level).toBe("MUST");
    const file = join(folder, String(packCount), "shop/rules/order.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("document: order", "document: order\n    level: SHOULD"));
    expect(readPack(at).rules[0]?.level).toBe("SHOULD");
  });

  it("inherits only the statement of a rule that the extension lists as stated", async () => {
    const stated = [{ why: "its bytes are signed", rules: ["SHOP-SUM-001"] }];
    const protocol = readPack(writeChild({ rename, stated }));
    expect(protocol.rules[0]).toMatchObject({ id: "MART-SUM-001", status: { planned: "its bytes are signed" } });
    expect((await ruled(protocol)).families.flatMap(({ checkers }) => checkers)).toEqual([]);
  });

  it("may extend a built-in protocol without its coded scenarios, and locates the definition of each rule", () => {
    packCount += 1;
    const names = { ids: { "AHCP-": "MART-" }, members: { ahcp_version: "mart_version" } };
    const at = writeFiles("mart", { "profile.json": { extends: { pack: "ahcp@0.3", rename: names }, documents: [] } });
    const protocol = readPack(at);
    expect(protocol.rules).toHaveLength(protocolNamed("ahcp").rules.length);
    expect(protocol.rules.find(({ id }) => id === "MART-VER-002")?.status).toEqual({
      planned: expect.stringMatching(/scenarios .* those of ahcp/),
    });
    const rulesWithPlaces = rulesWithLines(protocol);
    const lines = rulesWithPlaces.map(({ family, at: place }) => ruleLine(family, place));
    expect(new Set(lines).size).toBe(rulesWithPlaces.length);
    expect(lines[0]).toMatch(/ahcp\/0\.3\/rules\/envelope\.yaml:\d+$/);
  });

  it("loads the code of its parent only with the user's permission", async () => {
    const at = writeChild({}, {});
    const shop = join(folder, String(packCount), "shop");
    writeFileSync(
      join(shop, "index.mjs"),
      'export const pack = { rules: [{ checkers: [{ rule: "SHOP-OWN-001", check: () => [{ at: "/total", why: "is own" }] }] }] };\n',
    );
    const protocol = readPack(at);
    expect(mayLoad(protocol)).toBe(false);
    const { families, rules } = await ruled(withCode(protocol, "given"));
    const checker = families.flatMap(({ checkers }) => checkers).find(({ rule }) => rule === "SHOP-OWN-001");
    expect([...(checker?.check?.({}, "order") ?? [])]).toEqual([{ at: "/total", why: "is own" }]);
    expect(rules.map(({ id }) => id)).toContain("SHOP-OWN-001");
  });

  it.each<[mistake: string, extension: Files, files: Files, message: RegExp]>([
    ["a parent that does not exist", { pack: "../shp" }, {}, /mart\/profile\.json:5:13.*there is no pack "\.\.\/shp"/s],
    ["a parent by an absolute path", { pack: "/shop" }, {}, /profile\.json:5:13.*absolute path/s],
    [
      "a member that the parent does not have",
      { rename: { members: { totl: "amount" } } },
      {},
      /profile\.json:8:\d+.*the rename names nothing: shop has no member "totl"/s,
    ],
    [
      "an id that the parent does not have",
      { rename: { ids: { "SHOPS-": "MART-" } } },
      {},
      /profile\.json:8:\d+.*no rule whose id begins with "SHOPS-"/s,
    ],
    [
      "two names that become one",
      { rename: { members: { total: "sum", paid: "sum" } } },
      {},
      /profile\.json:9:\d+.*"total" and "paid" both become "sum"/s,
    ],
    [
      "a member that gets the name of another",
      { rename: { members: { total: "paid" } } },
      {},
      /profile\.json:8:\d+.*"total" becomes "paid", but shop has another member of that name/s,
    ],
    [
      "the removal of an unknown rule",
      { gone: { rules: ["SHOP-SUM-003"] } },
      {},
      /profile\.json.*no rule "SHOP-SUM-003"/s,
    ],
    ["the removal of an unknown reading", { gone: { readings: ["total-cut"] } }, {}, /no reading "total-cut"/],
    ["the removal of an unknown document", { gone: { documents: ["ordr"] } }, {}, /no document "ordr".*order/s],
    [
      "an override of an unknown rule",
      { rename },
      { "rules/more.yaml": "rules:\n  MART-SUM-009:\n    overrides: true\n    level: MAY\n" },
      /more\.yaml:3:16.*there is no rule MART-SUM-009 to override/s,
    ],
    [
      "a rule of the parent that is stated again",
      { rename },
      { "rules/more.yaml": "rules:\n  MART-SUM-001:\n    statement: Again.\n" },
      /more\.yaml:3:5.*which the pack extends, has the rule MART-SUM-001.*overrides: true/s,
    ],
    [
      "a rule whose assertion was removed",
      { rename },
      {
        "profile.json": {
          protocol: "mart",
          extends: { pack: "../shop", rename },
          documents: [{ name: "order", file: "schemas/order.schema.json" }],
        },
        "schemas/order.schema.json": { $id: "https://mart.example/v2/order.schema.json", properties: { amount: {} } },
      },
      /profile\.json.*the rule MART-SUM-002, which is inherited unchanged, is stated at .*amount\/minimum/s,
    ],
  ])("refuses %s", (_, extension, files, message) => {
    const at = writeChild(extension, files);
    expect(() => readPack(at)).toThrow(message);
  });

  it("refuses packs that extend each other, and an override without a parent", () => {
    const at = writeChild({});
    const profile = { documents: [], extends: { pack: "../mart" } };
    writeFiles("shop", { "profile.json": profile });
    expect(() => readPack(at)).toThrow(/the packs extend each other: mart → shop → mart/);
    const folderOfPack = writeFiles("alone", {
      ...parent,
      "rules/own.yaml": "rules:\n  A-B-001: { overrides: true }\n",
    });
    expect(() => readPack(folderOfPack)).toThrow(/own\.yaml:2:.*the pack extends no other/s);
  });
});

describe("the example of the guide", () => {
  it("is a valid pack whose cases hold, and compare prints the output in the guide", async () => {
    const guide = readFileSync(join(home, "suites/packs/pack/README.md"), "utf8");
    const [, chapter = ""] = /## A second version: (.*?)\n## /s.exec(guide) ?? [];
    packCount += 1;
    // If the guide shows a file twice, the later text counts.
    const blocks = guide.matchAll(/`((?:order|order-2)(?:\/[\w.-]+)*\.\w+(?:\.\w+)?)`[^`\n]*:\n\n```\w+\n(.*?)```/gs);
    const filesInGuide = Object.fromEntries([...blocks].map(([, file = "", text = ""]) => [file, text]));
    const { "order.schema.json": schema, ...files } = filesInGuide;
    writeFiles(".", { ...files, "order/schemas/order.schema.json": schema });
    const protocol = withCode(readPack(join(folder, String(packCount), "order-2")), "given");
    await refuseWrongCases(await ruled(protocol));
    const rules = compareRules(readPack(join(folder, String(packCount), "order")), protocol);
    if (rules === undefined) throw new Error("the packs have rules");
    const lines = [describeCounts(rules), `renamed: ${describeRenames(rules)}`, ...rules.rules.map(describeRule)];
    for (const line of lines) expect(chapter).toContain(line);
  });
});
