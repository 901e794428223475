import { expect, it } from "vitest";
import { protocolsNamed } from "../../schemas/index.ts";
import { packOf } from "../packs/pack/load.ts";

/** What the modules of these parts may export: a name that is misspelt would be missing without a word, since most are optional. */
const members = {
  session: ["session", "recorded", "isUnordered", "isHeldLive", "provoked"],
  answers: ["answers", "isHeldLive", "provoked"],
  scenarios: ["scenarios", "takesCommand", "bounds"],
} as const;

it.each(protocolsNamed("all"))("the parts of $name export what a pack may have", async (protocol) => {
  const pack = await packOf(protocol);
  const parts = Object.keys(members) as (keyof typeof members)[];
  const exported = await Promise.all(parts.map(async (part) => Object.keys((await pack[part]?.()) ?? {})));
  const strange = parts.flatMap((part, index) =>
    (exported[index] ?? []).filter((name) => !(members[part] as readonly string[]).includes(name)),
  );
  expect(strange).toEqual([]);
  expect(exported.flat().length).toBeGreaterThan(1);
});
