import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home } from "../../schemas/index.ts";
import { hasExamples, walkPage } from "../docs.ts";
import { pageTimeoutMs, slowPages } from "./slow.fixture.ts";

const name = "suites/packs/pack/README.md";

it("every command of the guide prints the shown output", { timeout: pageTimeoutMs }, async () => {
  expect(slowPages).toContain(name);
  const { complaints } = await walkPage(readFileSync(join(home, name), "utf8"), hasExamples(name));
  expect(complaints, `npx tsx scripts/docs.ts --write ${name}`).toEqual([]);
});
