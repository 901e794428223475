import { outcomes } from "../../schemas/index.ts";
import { escapeInvisibleJson } from "../base/text/escape.ts";
import { failsRun } from "../results/exit.ts";
import type { Format } from "./format.ts";
import { participles } from "./sections/details.ts";
import { countRan } from "./wording/phrases.ts";

/** The colour for each exit code that decides whether the run passed. */
const colours: Readonly<Record<number, string>> = { 0: "brightgreen", 1: "red" };

/** The data of an endpoint badge of shields.io: failures first, for readers who do not see the colour. It shows counts and never a percentage. */
export const badge: Format = {
  name: "badge",
  extension: "badge.json",
  render({ runs, counts, complete, exitCode, failOn }) {
    const protocolNames = [...new Set(runs.map(({ protocol, version }) => `${protocol} ${version}`))];
    const ranCount = countRan(counts);
    const failingResults = runs
      .flatMap((run) => run.results)
      .filter((result) => result.known === undefined && failsRun(result, failOn));
    const failedParts = outcomes.flatMap((outcome) => {
      const number = failingResults.filter((result) => result.outcome === outcome).length;
      return number === 0 ? [] : [`${number} ${participles[outcome] ?? outcome}`];
    });
    const otherOutcomes = (["disputed", "skipped"] as const).filter((outcome) => counts[outcome] > 0);
    const isDecided = exitCode === 0 || exitCode === 1;
    const value = {
      schemaVersion: 1,
      label: protocolNames.length === 1 ? (protocolNames[0] as string) : "touchstone",
      message: [
        ...(complete ? [] : ["incomplete"]),
        ...failedParts,
        ranCount === 0
          ? "nothing was run"
          : `${counts.conforms} of ${ranCount - counts.disputed}${counts.disputed > 0 ? " decided" : ""} conform`,
        ...otherOutcomes.map((outcome) => `${counts[outcome]} ${outcome}`),
      ].join(", "),
      color: colours[exitCode] ?? "lightgrey",
      ...(isDecided ? {} : { isError: true }),
    };
    return `${escapeInvisibleJson(JSON.stringify(value))}\n`;
  },
};
