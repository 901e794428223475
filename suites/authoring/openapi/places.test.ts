import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readPack, sourceIn } from "../../../schemas/index.ts";
import { writeTexts } from "../generate/make.ts";
import { packFrom } from "./index.ts";
import { description, pet } from "./shop.fixture.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "touchstone-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("assertions have the places of the author's files, as long as these are unchanged", async () => {
  writeFileSync(join(folder, "shop.yaml"), description);
  writeFileSync(join(folder, "pet.yaml"), pet);
  const pack = join(folder, "pack");
  const { texts } = await packFrom(join(folder, "shop.yaml"), { out: pack });
  writeTexts(pack, texts);
  const placeOf = (location: string): string => {
    const { file = "", line, column } = sourceIn(readPack(pack), `schema:/${location}`) ?? {};
    return `${file.slice(folder.length + 1)}:${line}:${column}`;
  };
  const tags = "create-pet.schema.json#/$defs/pet/properties/tags/maxItems";
  expect(placeOf(tags)).toBe("pet.yaml:8:59");
  expect(placeOf("create-pet.schema.json#/$defs/pet/required/0")).toMatch(/^pet\.yaml:2:/);
  expect(placeOf("list-pets.parameters.schema.json#/properties/query/properties/limit/maximum")).toMatch(
    /^shop\.yaml:14:/,
  );
  writeFileSync(join(folder, "pet.yaml"), `# new\n${pet}`);
  writeFileSync(join(pack, "profile.json"), `${texts.get("profile.json")}\n`);
  expect(placeOf(tags)).toMatch(/^pack\/schemas\/create-pet\.schema\.json:\d/);
});
