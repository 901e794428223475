import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { protocolsNamed } from "../catalogue.ts";
import { builtTexts, hasFamilies } from "./built-files.ts";

const packsWithFamilies = protocolsNamed("all").filter(({ folder }) => hasFamilies(folder));
const copy = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(copy, { recursive: true }));

it.each(packsWithFamilies)("the built rules of $name are up to date (otherwise run `npm run rules`)", ({ folder }) => {
  for (const [name, builtText] of builtTexts(folder))
    expect(readFileSync(join(folder, name), "utf8"), name).toBe(builtText);
});

describe("a change to a rule file", () => {
  const sourcePack = packsWithFamilies.find((protocol) =>
    existsSync(join(protocol.folder, "rules", "acknowledgment.yaml")),
  );
  const folder = join(copy, "pack");
  cpSync(sourcePack?.folder as string, folder, { recursive: true });
  const file = join(folder, "rules", "status.yaml");
  const text = readFileSync(file, "utf8");
  const textsAfter = (from: string | RegExp, to: string): Map<string, string> => {
    writeFileSync(file, text.replace(from, to));
    return builtTexts(folder);
  };

  it("changes the built rules", () => {
    const texts = textsAfter(/statement: \S+/, "statement: Something");
    expect(texts.get("rules.json")).toContain('"statement": "Something');
    expect(texts.get("rules.json")).not.toBe(readFileSync(join(folder, "rules.json"), "utf8"));
    expect(texts.get("families.json")).toBe(readFileSync(join(folder, "families.json"), "utf8"));
    expect(textsAfter(/says: is another than the type says/, "says: is another").get("families.json")).not.toBe(
      texts.get("families.json"),
    );
  });

  it("keeps the order of published vectors, and refuses unknown or repeated documents and rules in it", () => {
    const order = join(folder, "order.yaml");
    const orderText = readFileSync(order, "utf8");
    expect(textsAfter("", "").get("families.json")).toContain('"exchange": ["CONV-BASE-014","CONV-ACK-006"');
    for (const [invalidText, message] of [
      [orderText.replace("exchange:", "exchanges:"), /order\.yaml:2:\d+.*unknown document "exchanges"/s],
      [orderText.replace("CONV-ACK-006", "CONV-ACK-999/case"), /order\.yaml:2:\d+.*unknown rule "CONV-ACK-999"/s],
      [orderText.replace("CONV-ACK-006", "CONV-ACK-007"), /order\.yaml:2:\d+.*listed twice/s],
    ] as const) {
      writeFileSync(order, invalidText);
      expect(() => builtTexts(folder)).toThrow(message);
    }
    writeFileSync(order, orderText);
  });

  it("is refused with its line if it breaks the format, or if a site does not exist", () => {
    expect(() => textsAfter(/ {4}statement:/, "    statements:")).toThrow(/status\.yaml:\d+:\d+/);
    expect(() => textsAfter(/\/properties\/status\]/, "/properties/state]")).toThrow(
      /status\.yaml:\d+:\d+ \(#\/rules\/\S+\/sites\/status\.schema\.json\/\d\)/,
    );
  });
});
