import { describe, expect, it } from "vitest";
import { protocolsNamed, type TargetConfig } from "../../../schemas/index.ts";
import { isWhole } from "../../../schemas/part.fixture.ts";
import { builtPathOf } from "../../base/process/built.fixture.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { isIn } from "./shard.ts";
import { runSuite } from "./suite.ts";

const file = builtPathOf("suites/running/run/semantic.fixture.ts");
const targets: TargetConfig[] = [
  { kind: "module", file },
  { kind: "command", command: `"${process.execPath}" "${file}" serve` },
  { kind: "reference" },
];

/** All protocols would need minutes, so a usual run tests two. */
const runsAll = isWhole;
const testedProtocols = protocolsNamed("all").filter(
  ({ name }) => runsAll || name === "ahcp" || name === "agent-conventions",
);

describe("vectors of semantic rules", () => {
  it.each(testedProtocols)(
    "$name: have the same results through every kind of target",
    { timeout: 300_000 },
    async (protocol) => {
      const only = [`${protocol.name}/${protocol.version}/*/semantic/**`];
      const shard = { index: 1, count: runsAll ? 1 : 24 };
      // Only values are run: raw texts need a target that receives texts.
      const askedVectors = loadVectors(protocol)
        .files.flatMap(({ tests }) => tests)
        .filter(({ id, data }) => id.split("/")[3] === "semantic" && data !== undefined && isIn(shard, { id }));
      const outcomes: Map<string, string>[] = [];
      for (const target of targets) {
        const { runs } = await runSuite({ protocols: [protocol], target, only, shard, timeoutMs: 60_000 });
        outcomes.push(new Map(runs.flatMap(({ results }) => results.map(({ id, outcome }) => [id, outcome]))));
      }
      const outcomesByVector = askedVectors.map(({ id }) => [id, ...outcomes.map((outcome) => outcome.get(id))]);
      expect(outcomesByVector.filter(([, ...each]) => new Set(each).size > 1)).toEqual([]);
      expect(outcomesByVector.filter(([, each]) => each !== "conforms" && each !== "disputed")).toEqual([]);
      expect(outcomesByVector.filter(([, each]) => each === "conforms").length).toBeGreaterThan(
        0.8 * askedVectors.length,
      );
    },
  );
});
