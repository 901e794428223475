import { createInterface } from "node:readline";
import { protocolNamed, type Result } from "../../schemas/index.ts";
import { packOf, playAgent, referenceEnvironments, runSuite } from "../../suites/index.ts";
import type { BenchPlay } from "./play.ts";

// Runs as a separate process: plays the scenarios named on each input line against the references, and writes the results.

async function resultsOf({ protocol: name, seed }: BenchPlay): Promise<Result[]> {
  const protocol = protocolNamed(name);
  const { agent } = await packOf(protocol);
  const { runs } = await runSuite({
    protocols: [protocol],
    target: { kind: "reference" },
    seed,
    command: "",
    only: [`${name}/${protocol.version}/scenarios`],
    scenarios: referenceEnvironments(undefined),
  });
  const results = runs.flatMap((run) => run.results);
  if (agent === undefined) return results;
  const { agent: side } = await agent();
  const { setting, close } = await side.serve({ alg: "hmac-sha256", secret: "a secret of the plays" }, {});
  try {
    return [...results, ...(await playAgent({ protocol, side, setting, seed }))];
  } finally {
    await close();
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const play = JSON.parse(line) as BenchPlay;
  const startedAt = performance.now();
  void resultsOf(play).then((playResults) => {
    const results = playResults.map(({ id, outcome, why }) => ({ id, outcome, ...(why === undefined ? {} : { why }) }));
    console.log(JSON.stringify({ ...play, seconds: (performance.now() - startedAt) / 1000, results }));
  });
}
