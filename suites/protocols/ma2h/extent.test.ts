import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home, protocolNamed, type RulesFile } from "../../../schemas/index.ts";

it("writes none of the 214 rules again that are AHCP's in other names", () => {
  const before = protocolNamed("ahcp").rules.map(({ id }) => id.replace("AHCP-", "MA2H-"));
  const file = readFileSync(join(home, "schemas/ma2h/0.5/rules.json"), "utf8");
  const own = (JSON.parse(file) as RulesFile).rules.map(({ id }) => id);
  const changed = own.filter((id) => before.includes(id));
  expect([before.length, changed.length, own.length - changed.length]).toEqual([239, 25, 227]);
});
