import { createHash } from "node:crypto";
import type { ScenarioContext } from "../../../../schemas/index.ts";

/** Draws random values for scenarios, which are the same for the same seed. */
export interface Draw {
  /** An integer, both bounds included. */
  integer(minimum: number, maximum: number): number;
  pick<Item>(list: readonly Item[]): Item;
  /** The same items in random order. */
  shuffled<Item>(list: readonly Item[]): Item[];
  /** A word of lower-case letters. */
  word(): string;
  /** This many different aliases, none of them reserved. */
  aliases(count: number): string[];
}

const letters = "abcdefghijklmnopqrstuvwxyz";

/** Draws from the seed of a scenario. */
export function drawFrom(context: Pick<ScenarioContext, "fresh">): Draw {
  const seed = context.fresh("draw");
  let drawCount = 0;
  const integer = (minimum: number, maximum: number): number => {
    const digest = createHash("sha256").update(`${seed}/${++drawCount}`).digest();
    return minimum + (digest.readUInt32BE(0) % (maximum - minimum + 1));
  };
  const pick: Draw["pick"] = (list) => list[integer(0, list.length - 1)] as (typeof list)[number];
  const word = (): string => Array.from({ length: integer(3, 7) }, () => pick([...letters])).join("");
  return {
    integer,
    pick,
    word,
    shuffled: (list) => {
      const remaining = [...list];
      return list.map(() => remaining.splice(integer(0, remaining.length - 1), 1)[0] as (typeof list)[number]);
    },
    aliases(count) {
      const aliases = new Set<string>();
      while (aliases.size < count) {
        const spell = pick<(text: string) => string>([
          (text) => text,
          (text) => `${text}_${integer(1, 9)}`,
          (text) => `_${text}`,
          (text) => text.replace(/^./, (first) => first.toUpperCase()),
        ]);
        const alias = spell(word());
        if (!["parent", "last", "first", "merge"].includes(alias.toLowerCase())) aliases.add(alias);
      }
      return [...aliases];
    },
  };
}
