import { expect, it } from "vitest";
import type { Json, Result, Vector } from "../../../schemas/index.ts";
import { result } from "../../results/sample.fixture.ts";
import type { RunCase } from "./case.ts";
import { commonFeatures } from "./separation.ts";

/** Searches valid messages for features that separate refused messages from accepted ones. */
function findSeparation(messages: readonly Json[], isRefused: (message: Json) => boolean, raw: readonly string[] = []) {
  const vectors = [
    ...messages.map((data, index) => ({ id: `v${index}`, data })),
    ...raw.map((text, index) => ({ id: `r${index}`, raw: text })),
  ];
  const cases = vectors.map((vector) => ({ vector: vector as unknown as Vector })) as RunCase[];
  const refusedResult: Partial<Result> = { outcome: "violates", answer: { verdict: "rejected", reasons: [] } };
  const results = vectors.map(
    ({ id }, index): Result =>
      result({ id, ...(index >= messages.length || isRefused(messages[index] as Json) ? refusedResult : {}) }),
  );
  return commonFeatures(cases, results);
}

const services = ["economy", "standard", "express"];
const orders = Array.from({ length: 30 }, (_, n) => ({
  service: services[n % 3] as string,
  note: `n${n}`,
  lines: [{ n }, ...(n % 2 === 0 ? [{ gift: `g${n}` }] : [])],
  ...(n < 15 ? { tag: n } : {}),
}));
const isEconomy = (message: Json): boolean => (message as { service: string }).service === "economy";

it("finds a value that all refused messages have and no accepted one", () => {
  const have = [{ at: "/service", value: "economy" }];
  expect(findSeparation(orders, isEconomy)).toEqual([
    { document: "note", refused: 10, accepted: 20, by: "refused", have },
  ]);
});

it("finds a member that only refused messages have, in any item of a list", () => {
  const hasGift = (message: Json): boolean => JSON.stringify(message).includes("gift");
  expect(findSeparation(orders, hasGift)).toMatchObject([{ by: "refused", have: [{ at: "/lines/*/gift" }] }]);
});

it("finds a member that all accepted messages have and refused ones lack", () => {
  expect(findSeparation(orders, (message) => !Object.hasOwn(message as object, "tag"))).toMatchObject([
    { by: "accepted", refused: 15, accepted: 15, have: [{ at: "/tag" }] },
  ]);
});

it("reports nothing if there is one exception, too few messages, or a message that is not JSON", () => {
  expect(findSeparation(orders, (message) => isEconomy(message) && message !== orders[0])).toEqual([]);
  expect(findSeparation(orders, (message) => isEconomy(message) || message === orders[1])).toEqual([]);
  expect(findSeparation(orders.slice(0, 12), isEconomy)).toEqual([]);
  expect(findSeparation(orders.slice(0, 15), isEconomy)).toHaveLength(1);
  expect(findSeparation(orders, isEconomy, ['{"service": "economy"}'])).toMatchObject([{ refused: 11 }]);
  expect(findSeparation(orders, isEconomy, ["service: economy"])).toEqual([]);
  expect(findSeparation(orders, () => false)).toEqual([]);
});
