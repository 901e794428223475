import type { LiveVariant, Protocol } from "../../../schemas/index.ts";
import type { Detected } from "../scenarios/selftest.ts";
import { overProcesses } from "./workers.ts";

/** Tries broken references over as many processes as there are processors, and afterwards one by one the trials that concurrency could affect; returns them in the given order. Throws an internal error when a process ends or a trial fails. */
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
  return outcomes.flatMap((each) => each ?? []);
}
