import { expect, it } from "vitest";
import { protocolsNamed } from "../../schemas/index.ts";
import { packOf } from "../packs/pack/load.ts";

/** The exports that the modules of these parts may have. Most are optional, so a misspelt name would otherwise go unnoticed. */
const allowedExports = {
  session: ["session", "recorded", "isUnordered", "isHeldLive", "provoked"],
  answers: ["answers", "isHeldLive", "provoked"],
  scenarios: ["scenarios", "takesCommand", "bounds"],
} as const;

it.each(protocolsNamed("all"))("the parts of $name have only known exports", async (protocol) => {
  const pack = await packOf(protocol);
  const parts = Object.keys(allowedExports) as (keyof typeof allowedExports)[];
  const exported = await Promise.all(parts.map(async (part) => Object.keys((await pack[part]?.()) ?? {})));
  const unknownExports = parts.flatMap((part, index) =>
    (exported[index] ?? []).filter((name) => !(allowedExports[part] as readonly string[]).includes(name)),
  );
  expect(unknownExports).toEqual([]);
  expect(exported.flat().length).toBeGreaterThan(1);
});
