import { expect, it } from "vitest";
import { median, round, table } from "./table.ts";

it("computes the median", () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([])]).toEqual([2, 2.5, Number.NaN]);
});

it("rounds to readable figures", () => {
  expect([4.98765, 0.00123456, 123.4, 45678, Number.NaN].map(round)).toEqual(["4.99", "0.00123", "123", "45,678", "-"]);
});

it("aligns names to the left and numbers to the right", () => {
  expect(
    table(
      ["name", "n"],
      [
        ["a", "10"],
        ["long name", "5"],
      ],
    ),
  ).toBe("name        n\na          10\nlong name   5");
});
