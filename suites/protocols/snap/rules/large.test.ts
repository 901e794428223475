import { expect, it } from "vitest";
import { semanticVectors } from "../../../../generators/index.ts";
import { protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { growDocument } from "./large.ts";

const protocol = await ruled(protocolNamed("snap"));
const document = protocol.profile.documents.find(({ name }) => name === "large");

it.each([
  ["SNAP-PAY-018", 1_048_576],
  ["SNAP-PART-008", 1_048_576],
  ["SNAP-CARD-013", 65_536],
])("%s has one valid vector that would be too large with escaped HTML", (rule, limit) => {
  if (document === undefined) throw new Error("there is no document `large`");
  const sizes = semanticVectors(protocol, document)
    .filter((vector) => vector.rule === rule && vector.valid === true)
    .map(({ data = null }) => JSON.stringify(growDocument(data, "large")[0]))
    .map((text) => [text.length, text.replaceAll("<", "\\u003c").length] as const);
  // The difference must exceed the size of the surrounding document.
  expect(sizes.filter(([plain, escaped]) => plain <= limit && escaped > limit + 1000).length).toBe(1);
});
