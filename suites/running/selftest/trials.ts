import type { LiveVariant, Protocol } from "../../../schemas/index.ts";
import type { Detected } from "../scenarios/selftest.ts";
import { overProcesses } from "./workers.ts";

/** Tries broken references in as many processes as there are processors, and then, one by one, the references that concurrency could affect. Returns the results in the given order. Throws an internal error if a process ends or a trial fails. */
export async function tryAll(
  { name, version }: Protocol,
  variants: readonly LiveVariant[],
  seed: number,
  onTried: (done: number, total: number) => void = () => {},
): Promise<Detected[]> {
  const outcomes = await overProcesses({
    kind: "variant",
    protocol: `${name}@${version}`,
    seed,
    given: variants,
    isAlone: ({ alone }) => alone === true,
    nameOf: (variant) => variant.name,
    onDone: (_, done) => onTried(done, variants.length),
  });
  return outcomes.flatMap((outcome) => outcome ?? []);
}
