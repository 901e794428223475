import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, measured in seconds of the processor or of waiting: they begin first, so that at the end no processor waits for
 * the other. Without this list a machine that runs the tests for the first time would only know how large files are.
 */
export const longest: readonly string[] = [
  "scripts/docs.test.ts",
  "suites/openapi/command.e2e.test.ts",
  "suites/protocols/waits.e2e.test.ts",
  "suites/protocols/ahcp/scenarios/variants.e2e.test.ts",
  "suites/protocols/snap/twin/twin.e2e.test.ts",
  "suites/protocols/ahcp/scenarios/twins.e2e.test.ts",
  "suites/protocols/aaep/scenarios/breakdown.e2e.test.ts",
  "suites/protocols/aaep/scenarios/reference.test.ts",
  "suites/protocols/snap/scenarios/variants.e2e.test.ts",
  "suites/cli/generate.e2e.test.ts",
  "suites/cli/mcp.e2e.test.ts",
  "suites/protocols/agentformat/scenarios/command.e2e.test.ts",
  "suites/protocols/aaep/twin/twin.e2e.test.ts",
  "suites/pack/example.e2e.test.ts",
  "suites/batch/batch.e2e.test.ts",
];

/** What begins first: the longest files in their order, then those that start servers and processes, then the rest as Vitest has it. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place !== -1 ? place : longest.length + (moduleId.endsWith(".e2e.test.ts") ? 0 : 1);
    };
    return usual.sort((a, b) => rank(a) - rank(b));
  }
}
