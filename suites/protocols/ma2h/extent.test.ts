import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home, protocolNamed, type RulesFile } from "../../../schemas/index.ts";

it("defines only its 227 new and 25 changed rules, and inherits the other 214 from AHCP", () => {
  const inheritedIds = protocolNamed("ahcp").rules.map(({ id }) => id.replace("AHCP-", "MA2H-"));
  const rulesText = readFileSync(join(home, "schemas/ma2h/0.5/rules.json"), "utf8");
  const ownIds = (JSON.parse(rulesText) as RulesFile).rules.map(({ id }) => id);
  const changedIds = ownIds.filter((id) => inheritedIds.includes(id));
  expect([inheritedIds.length, changedIds.length, ownIds.length - changedIds.length]).toEqual([239, 25, 227]);
});
