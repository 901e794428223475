import { expect, it } from "vitest";
import { formatHolds } from "../formats/check.ts";
import { formatMakers } from "./format.ts";
import { randomFrom } from "./random.ts";

it.each(Object.entries(formatMakers))(
  "draws varied %s texts that every reader of the format accepts",
  (format, make) => {
    const random = randomFrom(2);
    const texts = Array.from({ length: 3000 }, () => make?.(random) ?? "");
    expect(texts.filter((text) => formatHolds(format, text) !== true)).toEqual([]);
    expect(new Set(texts).size).toBeGreaterThan(40);
  },
);
