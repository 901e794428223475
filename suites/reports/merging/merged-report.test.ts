import { expect, it } from "vitest";
import { reportOf, result } from "../../results/sample.fixture.ts";
import { combine } from "./merged-report.ts";

it("lasts as long as some report ran: parallel runs count once, and gaps do not count", () => {
  const at = (started: string, durationMs: number) => reportOf([result({ id: "v" })], { started, durationMs });
  const [first, within, over, later] = [
    at("2026-01-15T09:30:00.000Z", 10_000),
    at("2026-01-15T09:30:02.000Z", 3_000),
    at("2026-01-15T09:30:08.000Z", 5_000),
    at("2026-01-16T09:30:00.000Z", 2_000),
  ];
  expect(combine([later, over, first, within]).durationMs).toBe(15_000);
});
