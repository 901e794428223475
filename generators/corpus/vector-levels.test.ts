import { expect, it } from "vitest";
import {
  isObject,
  type Json,
  type Level,
  type RuledProtocol,
  type RuleFamily,
  type Vector,
} from "../../schemas/index.ts";
import { withLevel } from "./vector-levels.ts";

/** A link without a scheme breaks the rule; one with any scheme should be another link. */
const link: RuleFamily = {
  name: "link",
  checkers: [
    {
      rule: "SHOP-URL-001",
      documents: ["order"],
      check: (each) => {
        const level: Level = isObject(each) && String(each.link).includes(":") ? "SHOULD" : "MUST";
        return [{ at: "/link", why: "is no link", level }];
      },
    },
  ],
  cases: [],
};
const protocol = (family: RuleFamily): RuledProtocol =>
  ({ rules: [{ id: "SHOP-URL-001", level: "MUST" }], families: [family] }) as unknown as RuledProtocol;
const refused = (data: Json): Vector => ({
  id: "shop/1/order/invalid/link",
  description: "no link",
  valid: false,
  data,
  rule: "SHOP-URL-001",
  level: "SHOULD",
  needs: ["format-assertion"],
  tags: [],
});
const kept = protocol({ ...link, enforcedBy: { "SHOP-URL-001": "formats" } });

it("counts as much as the rule that looks at the text itself", () => {
  const { level, ...rest } = refused({ link: "desk" });
  expect(withLevel(kept, "order", refused({ link: "desk" }))).toEqual(rest);
  expect(level).toBe("SHOULD");
});

it("counts like a note on a format if the rule says no more, or if formats do not enforce it", () => {
  for (const [rules, data] of [
    [kept, { link: "https://a b" }],
    [protocol(link), { link: "desk" }],
  ] as const)
    expect(withLevel(rules, "order", refused(data)).level).toBe("SHOULD");
});
