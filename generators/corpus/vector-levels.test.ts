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

/** The rule refuses every link: with level MUST if it has no scheme, and with SHOULD otherwise. */
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
const refusedLink = (data: Json): Vector => ({
  id: "shop/1/order/invalid/link",
  description: "no link",
  valid: false,
  data,
  rule: "SHOP-URL-001",
  level: "SHOULD",
  needs: ["format-assertion"],
  tags: [],
});
const enforcedProtocol = protocol({ ...link, enforcedBy: { "SHOP-URL-001": "formats" } });

it("removes the level SHOULD if a rule of level MUST refuses the string too", () => {
  const { level, ...rest } = refusedLink({ link: "desk" });
  expect(withLevel(enforcedProtocol, "order", refusedLink({ link: "desk" }))).toEqual(rest);
  expect(level).toBe("SHOULD");
});

it("keeps the level SHOULD if the rule refuses with SHOULD, or if formats do not enforce the rule", () => {
  for (const [rules, data] of [
    [enforcedProtocol, { link: "https://a b" }],
    [protocol(link), { link: "desk" }],
  ] as const)
    expect(withLevel(rules, "order", refusedLink(data)).level).toBe("SHOULD");
});
