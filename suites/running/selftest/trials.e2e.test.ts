import { expect, it } from "vitest";
import { protocolNamed } from "../../../schemas/index.ts";
import { live } from "../../protocols/agent-conventions/reference/live.ts";
import { tryAll } from "./trials.ts";

const protocol = protocolNamed("agent-conventions");
const [hub, receiver] = ["hub", "receiver"].map((side) => live.variants.filter((variant) => variant.side === side));

it("runs mutants in separate processes, and returns the results in the given order", async () => {
  const variants = [...(receiver ?? []), ...(hub ?? [])];
  const progressTexts: string[] = [];
  const detected = await tryAll(protocol, variants, 1, (done, total) => void progressTexts.push(`${done} of ${total}`));
  expect(detected).toEqual(
    variants.map(({ name: variant, rule }) => ({ variant, rule, killed: true, falsePositives: [] })),
  );
  expect(progressTexts).toEqual(variants.map((_, index) => `${index + 1} of ${variants.length}`));
});

it("names a mutant that could not be run", async () => {
  const [firstVariant] = receiver ?? [];
  if (firstVariant === undefined) throw new Error("no mutant of a receiver");
  await expect(tryAll(protocol, [{ ...firstVariant, name: "nobody" }], 1)).rejects.toMatchObject({
    kind: "internal",
    where: "nobody",
  });
});
