import { describe, expect, it } from "vitest";
import { protocolNamed } from "../../../../../../schemas/index.ts";
import { variantNameOf } from "../../../../../packs/reference/mistakes.ts";
import { hubVariants } from "./index.ts";

const { rules } = protocolNamed("ahcp");

describe("the variants of the hub", () => {
  it("have unique names, and each breaks a rule of the protocol", () => {
    const names = hubVariants.map(variantNameOf);
    expect(new Set(names).size).toBe(names.length);
    for (const { rule } of hubVariants) expect(rules.find(({ id }) => id === rule)?.id).toBe(rule);
  });

  it("break every rule about the hub's conduct, except for planned rules", () => {
    const brokenRules = new Set(hubVariants.map(({ rule }) => rule));
    const missing = rules
      .filter(({ check, binds }) => ["stateful", "delivery"].includes(check) && binds.includes("hub"))
      .filter(({ id, status }) => !brokenRules.has(id) && !("planned" in status))
      .map(({ id }) => id);
    expect(missing).toEqual([]);
  });

  it("are grouped by rule", () => {
    const rulesInOrder = hubVariants.map(({ rule }) => rule).filter((rule, index, rules) => rule !== rules[index - 1]);
    expect(new Set(rulesInOrder).size).toBe(rulesInOrder.length);
  });

  it("have a description that continues “a hub that”", () => {
    for (const { says } of hubVariants) expect(says).toMatch(/^[a-z].*[^.]$/);
  });
});
