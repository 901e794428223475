import { visibleJson } from "../text/escape.ts";
import type { Format } from "./format.ts";
import { ranOf } from "./words.ts";

/** What an endpoint badge of shields.io reads. It counts, and never gives a percentage. */
export const badge: Format = {
  name: "badge",
  extension: "badge.json",
  render({ runs, counts, complete, exitCode }) {
    const names = [...new Set(runs.map(({ protocol, version }) => `${protocol} ${version}`))];
    const ran = ranOf(counts);
    const beside = (["disputed", "skipped"] as const).filter((outcome) => counts[outcome] > 0);
    const told = beside.map((outcome) => `, ${counts[outcome]} ${outcome}`).join("");
    const decided = exitCode === 0 || exitCode === 1;
    const value = {
      schemaVersion: 1,
      label: names.length === 1 ? (names[0] as string) : "touchstone",
      message: `${complete ? "" : "incomplete, "}${ran === 0 ? "nothing was run" : `${counts.conforms} of ${ran - counts.disputed} conform`}${told}`,
      color: exitCode === 0 ? "brightgreen" : exitCode === 1 ? "red" : "lightgrey",
      ...(decided ? {} : { isError: true }),
    };
    return `${visibleJson(JSON.stringify(value))}\n`;
  },
};
