import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The slowest files, measured in seconds of the processor or of waiting: they begin first, so that at the end no processor waits for the
 * other. Without this list a machine that runs the tests for the first time would only know how large files are.
 */
export const slowTestPatterns: readonly RegExp[] = [
  /selftest\/drawn\.e2e/,
  /protocols\/waits\.e2e/,
  /scenarios\/reference\.test/,
  /scripts\/(docs|docs\/ci|docs\/implementer)\.test/,
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

/** Quick files are kept for this part of the slow ones, so that the last of these do not wait alone. */
const mixedShare = 0.8;

/**
 * Slow files wait, and quick files need the processor. They are mixed, so that some workers wait while others work. Slow files are those of the list, in
 * its order, and then other e2e files; quick files keep the order of Vitest.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = slowTestPatterns.findIndex((longestTest) => longestTest.test(moduleId));
      return place !== -1 ? place : slowTestPatterns.length + (moduleId.endsWith(".e2e.test.ts") ? 0 : 1);
    };
    const slow = usual.filter((file) => rank(file) <= slowTestPatterns.length).sort((a, b) => rank(a) - rank(b));
    const quick = usual.filter((file) => rank(file) > slowTestPatterns.length);
    return interleaveFiles(slow, quick);
  }
}

/** The slow ones, the first two at once, and after each other one as many quick ones as there are for it. */
export function interleaveFiles<File>(slow: readonly File[], quick: readonly File[]): File[] {
  const each = slow.length === 0 ? 0 : Math.floor((quick.length * mixedShare) / slow.length);
  const left = [...quick];
  const mix = slow.flatMap((file, index) => [file, ...(index < 2 ? [] : left.splice(0, each))]);
  return [...mix, ...left];
}
