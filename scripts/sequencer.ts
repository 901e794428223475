import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, measured in seconds of the processor or of waiting: they begin first, so that at the end no processor waits for
 * the other. Without this list a machine that runs the tests for the first time would only know how large files are.
 */
export const longest: readonly RegExp[] = [
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

/** What begins first: the longest files in their order, then those that start servers and processes, then the rest as Vitest has it. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((each) => each.test(moduleId));
      return place !== -1 ? place : longest.length + (moduleId.endsWith(".e2e.test.ts") ? 0 : 1);
    };
    return usual.sort((a, b) => rank(a) - rank(b));
  }
}
