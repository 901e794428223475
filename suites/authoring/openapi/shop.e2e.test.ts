import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Report, readPack } from "../../../schemas/index.ts";
import { runSuite } from "../../running/run/suite.ts";
import { makeVectors, writeTexts } from "../generate/make.ts";
import { packFrom } from "./index.ts";
import { description, type Mistake, pet, startShop } from "./shop.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "shop-"));
const pack = join(folder, "pack");

beforeAll(async () => {
  mkdirSync(pack);
  writeFileSync(join(folder, "shop.yaml"), description);
  writeFileSync(join(folder, "pet.yaml"), pet);
  const { texts } = await packFrom(join(folder, "shop.yaml"), { out: pack });
  writeTexts(pack, texts);
  await makeVectors(pack, { effort: 1 });
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function runAgainst(mistake?: Mistake): Promise<Report> {
  const server = await startShop(mistake);
  try {
    return await runSuite({
      protocols: [readPack(pack)],
      target: { kind: "http", url: server.url },
      seed: 1,
      timeoutMs: 60_000,
    });
  } finally {
    await server.close();
  }
}

/** The violated sites and rules, without the name of their schema. */
function violationsIn(report: Report): string[] {
  const results = report.runs.flatMap((run) => run.results).filter(({ outcome }) => outcome === "violates");
  return [
    ...new Set(results.map(({ document, site, rule }) => `${document} ${rule ?? site?.split("#")[1] ?? "text"}`)),
  ];
}

describe("a server that implements its OpenAPI document", () => {
  it("has no violations", async () => {
    const report = await runAgainst();
    expect(violationsIn(report)).toEqual([]);
    expect(report.counts).toMatchObject({ errored: 0, "timed-out": 0, "wrong-reason": 0 });
    expect(report.counts.conforms).toBeGreaterThan(350);
    expect(report.exitCode).toBe(0);
  }, 300_000);
});

describe("a server with a mistake", () => {
  it.each<[Mistake, string[]]>([
    [
      "ignores-max-items",
      ["create-pet /$defs/pet/properties/tags/maxItems", "update-pet /$defs/pet/properties/tags/maxItems"],
    ],
    [
      "takes-unknown-members",
      ["create-pet /$defs/pet/additionalProperties", "update-pet /$defs/pet/additionalProperties"],
    ],
    [
      "ignores-limit",
      ["maximum", "minimum", "type"].map((name) => `list-pets.parameters /properties/query/properties/limit/${name}`),
    ],
    ["answers-without-id", ["create-pet CREATE-PET-ANSWER-001"]],
    ["answers-without-location", ["create-pet CREATE-PET-HEADER-001"]],
    ["is-fine", ["get-health.parameters GET-HEALTH-ANSWER-001"]],
    ["counts-in-words", ["list-pets.parameters LIST-PETS-HEADER-001"]],
  ])(
    "violates exactly the assertions of its mistake: %s",
    async (mistake, expected) => {
      expect(violationsIn(await runAgainst(mistake)).sort()).toEqual(expected);
    },
    300_000,
  );

  it('violates only `type` if it accepts 1 for "1"', async () => {
    const violations = violationsIn(await runAgainst("coerces"));
    expect(violations).toContain("create-pet /$defs/pet/properties/name/type");
    expect(violations.every((violation) => violation.endsWith("/type"))).toBe(true);
  }, 300_000);
});
