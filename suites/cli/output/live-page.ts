import type { Protocol, Result } from "../../../schemas/index.ts";
import { backgroundOf } from "../../reports/index.ts";
import type { LivePage } from "../../reports/ui/live.ts";
import { startLive } from "../../reports/ui/live.ts";
import type { SuiteOptions } from "../../running/run/suite.ts";
import { runSuite } from "../../running/run/suite.ts";

/** Serves the page of a run, and prints its address on stderr. The page can run a vector again, with the same options. */
export async function serveLivePage(
  protocols: readonly Protocol[],
  suite: Pick<SuiteOptions, "target" | "vectors"> & Omit<SuiteOptions, "protocols">,
): Promise<LivePage> {
  const { recorder: _, onStart: __, onProgress: ___, shard: ____, ...runOptions } = suite;
  const runAgain = async (id: string): Promise<Result[]> => {
    const protocolsOfId = protocols.filter(({ name, version }) => id.startsWith(`${name}/${version}/`));
    const { runs } = await runSuite({ ...runOptions, protocols: protocolsOfId, only: [id], skip: [] });
    return runs.flatMap(({ results }) => results);
  };
  const vectorsOption = typeof suite.vectors === "string" ? { options: { vectors: suite.vectors } } : {};
  const background = backgroundOf(protocols, { runs: [], ...vectorsOption });
  const page = await startLive({ rules: protocols.flatMap(({ rules }) => rules), background, again: runAgain });
  process.stderr.write(`The run is shown at ${page.url} until it is interrupted (Ctrl-C).\n`);
  return page;
}
