import { createHash } from "node:crypto";
import type { ScenarioContext } from "../../../../schemas/index.ts";

/** Draws values for the runs of scenarios: the same values for the same seed. */
export interface Draw {
  /** An integer, both bounds included. */
  integer(minimum: number, maximum: number): number;
  one<Each>(list: readonly Each[]): Each;
  /** The same members in another order. */
  shuffled<Each>(list: readonly Each[]): Each[];
  /** A word of lower-case letters. */
  word(): string;
  /** This many different aliases, without words of the language. */
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
  const pick: Draw["one"] = (list) => list[integer(0, list.length - 1)] as (typeof list)[number];
  const word = (): string => Array.from({ length: integer(3, 7) }, () => pick([...letters])).join("");
  return {
    integer,
    one: pick,
    word,
    shuffled: (list) => {
      const remaining = [...list];
      return list.map(() => remaining.splice(integer(0, remaining.length - 1), 1)[0] as (typeof list)[number]);
    },
    aliases(count) {
      const aliases = new Set<string>();
      while (aliases.size < count) {
        const form = pick<(text: string) => string>([
          (text) => text,
          (text) => `${text}_${integer(1, 9)}`,
          (text) => `_${text}`,
          (text) => text.replace(/^./, (first) => first.toUpperCase()),
        ]);
        const alias = form(word());
        if (!["parent", "last", "first", "merge"].includes(alias.toLowerCase())) aliases.add(alias);
      }
      return [...aliases];
    },
  };
}
