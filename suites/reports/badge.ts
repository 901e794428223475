import { outcomes } from "../../schemas/index.ts";
import { escapeInvisibleJson } from "../base/text/escape.ts";
import { failsRun } from "../results/exit.ts";
import type { Format } from "./format.ts";
import { participles } from "./sections/details.ts";
import { ranOf } from "./wording/phrases.ts";

/** The data of an endpoint badge of shields.io: failures first, for readers who do not see the colour. It shows counts and never a percentage. */
export const badge: Format = {
  name: "badge",
  extension: "badge.json",
  render({ runs, counts, complete, exitCode, failOn }) {
    const names = [...new Set(runs.map(({ protocol, version }) => `${protocol} ${version}`))];
    const ran = ranOf(counts);
    const failing = runs
      .flatMap((run) => run.results)
      .filter((result) => result.known === undefined && failsRun(result, failOn));
    const failedParts = outcomes.flatMap((outcome) => {
      const number = failing.filter((result) => result.outcome === outcome).length;
      return number === 0 ? [] : [`${number} ${participles[outcome] ?? outcome}`];
    });
    const otherOutcomes = (["disputed", "skipped"] as const).filter((outcome) => counts[outcome] > 0);
    const isDecided = exitCode === 0 || exitCode === 1;
    const value = {
      schemaVersion: 1,
      label: names.length === 1 ? (names[0] as string) : "touchstone",
      message: [
        ...(complete ? [] : ["incomplete"]),
        ...failedParts,
        ran === 0
          ? "nothing was run"
          : `${counts.conforms} of ${ran - counts.disputed}${counts.disputed > 0 ? " decided" : ""} conform`,
        ...otherOutcomes.map((outcome) => `${counts[outcome]} ${outcome}`),
      ].join(", "),
      color: exitCode === 0 ? "brightgreen" : exitCode === 1 ? "red" : "lightgrey",
      ...(isDecided ? {} : { isError: true }),
    };
    return `${escapeInvisibleJson(JSON.stringify(value))}\n`;
  },
};
