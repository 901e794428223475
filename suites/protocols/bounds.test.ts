import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home, protocolsNamed } from "../../schemas/index.ts";
import { packOf } from "../packs/pack/load.ts";
import { sharedBounds } from "../running/scenarios/bounds.ts";

it.each(protocolsNamed("all"))("the guide of $name lists the time bounds of its scenarios", async (protocol) => {
  const { bounds = [] } = (await (await packOf(protocol)).scenarios?.()) ?? {};
  const page = readFileSync(join(home, "suites", "protocols", protocol.name, "README.md"), "utf8");
  const rows = page.split("\n").filter((line) => /^\| `[a-z-]+` \| .* \| [0-9]+ s \|$/.test(line));
  const expectedRows = [...bounds, ...sharedBounds].map(
    ({ name, says, seconds }) => `| \`${name}\` | ${says} | ${seconds} s |`,
  );
  expect(bounds.length).toBeGreaterThan(0);
  expect(rows).toEqual(expectedRows);
});
