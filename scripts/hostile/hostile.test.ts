import { describe, expect, it } from "vitest";
import { attacks } from "./attacks.ts";
import { play } from "./play.ts";

describe("a run survives an attack by its target or the machine", () => {
  it.concurrent.each(attacks.filter(({ isLarge }) => isLarge !== true).map((attack) => [attack.name, attack] as const))(
    "%s",
    async (_, attack) => {
      const { complaints } = await play(attack);
      expect(complaints).toEqual([]);
    },
    120_000,
  );
});
