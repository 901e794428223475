import type { Protocol } from "../../../schemas/index.ts";

/** Explains, for each sample that the vectors do not contain unchanged, how and why they differ from it. */
export async function findUnused(protocol: Protocol): Promise<string[]> {
  const { compileModel, isValid, settleSample } = await import("../../../generators/index.ts");
  const notes: string[] = [];
  for (const { name, schema, samples = [] } of protocol.profile.documents) {
    if (samples.length === 0) continue;
    const model = await compileModel(protocol.schemas, schema);
    for (const [index, original] of samples.entries()) {
      const { sample, replaced } = settleSample(model, original);
      const sampleName = `sample ${index + 1} of ${name}`;
      for (const { at, value, replacement, multipleOf } of replaced)
        notes.push(
          `${sampleName}: in vectors ${at} is ${replacement}, not ${value}: validators that calculate in binary fractions refuse ${value} as a multiple of ${multipleOf}, so no vector with it would be certain`,
        );
      if (!isValid(model, sample))
        notes.push(
          `${sampleName} is not a vector as it is: validators disagree about it; its undisputed values are used`,
        );
    }
  }
  return notes;
}
