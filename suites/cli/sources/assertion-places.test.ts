import { expect, it } from "vitest";
import type { Report } from "../../../schemas/index.ts";
import { sourcesOf } from "./assertion-places.ts";

const example = "./suites/packs/pack/example";

function reportOn(protocol: string, version: string, options: { protocol: string }): Report {
  const results = [{ id: `${protocol}/${version}/x/invalid/x`, outcome: "violates" }];
  return { runs: [{ protocol, version, results, options }] } as unknown as Report;
}

it("places a message that breaks several assertions at the beginning of its schema's file", async () => {
  const { describedAt } = await sourcesOf(reportOn("order", "1", { protocol: example }));
  const id = "order/1/receipt/invalid/total/empty-value/as-if-it-were-absent";
  expect(describedAt?.({ id })).toMatchObject({
    file: expect.stringMatching(/receipt\.schema\.json$/),
    line: 1,
    column: 1,
  });
  expect(describedAt?.({ id, rule: "ORDER-UNKNOWN" })).toBeUndefined();
  expect(describedAt?.({ id, site: "order.schema.json#/type" })).toBeUndefined();
  expect(describedAt?.({ id: "order/1/nothing/invalid/x" })).toBeUndefined();
});

it("shows no place in a built-in schema", async () => {
  const { describedAt } = await sourcesOf(reportOn("ahcp", "0.3", { protocol: "ahcp" }));
  expect(describedAt?.({ id: "ahcp/0.3/message/invalid/title/missing" })).toBeUndefined();
});
