import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The slowest files, by processor time or waiting time. They begin first, so that no processor is idle at the end. Without this list, Vitest
 * would only know the sizes of files at the first run on a machine.
 */
export const slowTestPatterns: readonly RegExp[] = [
  /selftest\/drawn\.e2e/,
  /protocols\/waits\.e2e/,
  /scenarios\/reference\.test/,
  /scripts\/(docs|docs\/ci|docs\/implementer|docs\/pack)\.test/,
  /scenarios\/agent\/agent\.test/,
  /html\/page\.e2e/,
  /openapi\/command\.e2e/,
  /scenarios\/variants\.e2e/,
  /twin\/twin\.e2e/,
  /scenarios\/twins\.e2e/,
  /walks\/walks\.e2e/,
  /bindings\.e2e/,
  /scenarios\/breakdown\.e2e/,
  /cli\/(generate|mcp)\.e2e/,
  /scenarios\/command\.e2e/,
  /pack\/example\.e2e/,
  /batch\.e2e/,
  /scripts\/(counts|start-up)\.test/,
];

/** The share of quick files that are mixed with slow ones. The rest follows, so that the last slow files do not wait alone. */
const mixedShare = 0.8;

/**
 * Slow files mostly wait, and quick files need the processor. They are mixed, so that some workers wait while others work. Slow files are the
 * listed ones, in order, followed by other e2e files. Quick files keep the order of Vitest.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const filesOfVitest = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = slowTestPatterns.findIndex((longestTest) => longestTest.test(moduleId));
      return index !== -1 ? index : slowTestPatterns.length + (moduleId.endsWith(".e2e.test.ts") ? 0 : 1);
    };
    const slowFiles = filesOfVitest
      .filter((file) => rank(file) <= slowTestPatterns.length)
      .sort((a, b) => rank(a) - rank(b));
    const quickFiles = filesOfVitest.filter((file) => rank(file) > slowTestPatterns.length);
    return interleaveFiles(slowFiles, quickFiles);
  }
}

/** Mixes quick files into the slow ones: none after the first two, and equally many after each of the others. */
export function interleaveFiles<File>(slow: readonly File[], quick: readonly File[]): File[] {
  const quickPerSlow = slow.length === 0 ? 0 : Math.floor((quick.length * mixedShare) / slow.length);
  const remainingQuick = [...quick];
  const mix = slow.flatMap((file, index) => [file, ...(index < 2 ? [] : remainingQuick.splice(0, quickPerSlow))]);
  return [...mix, ...remainingQuick];
}
