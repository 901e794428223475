import { cut, visible } from "../text/escape.ts";
import { rowsAsText } from "../text/table.ts";
import type { Counts, Measured } from "./measure.ts";

const mostListed = 30;

/** The part of the mistakes that is told by some test, of those that can be told at all; undefined where there are none. */
export function share({ mutants, equivalent, twice, once }: Counts): number | undefined {
  return mutants === equivalent ? undefined : (twice + once) / (mutants - equivalent);
}

/** As text for a person: a table for each set, and what its tests do not tell. */
export function rendered(all: readonly Measured[]): string {
  const sum = (pick: (counts: Counts) => number): number => all.reduce((total, each) => total + pick(each), 0);
  const total: Counts = {
    sites: sum(({ sites }) => sites),
    broken: sum(({ broken }) => broken),
    mutants: sum(({ mutants }) => mutants),
    twice: sum(({ twice }) => twice),
    once: sum(({ once }) => once),
    equivalent: sum(({ equivalent }) => equivalent),
    untold: sum(({ untold }) => untold),
  };
  const parts = all.map(part);
  if (all.length > 1) parts.push(`All together: ${summary(total)}`);
  return `${parts.join("\n\n")}\n`;
}

function part(measured: Measured): string {
  const { name, tests, keywords, untoldMutants, wrong, partial } = measured;
  const row = (keyword: string, { sites, broken, mutants, twice, once, equivalent, untold }: Counts) => ({
    keyword,
    assertions: sites,
    "broken alone": broken,
    mistakes: mutants,
    "told twice": twice,
    once,
    "change nothing": equivalent,
    "not told": untold,
  });
  const rows = [...Object.entries(keywords).map(([keyword, counts]) => row(keyword, counts)), row("all", measured)];
  const lines = [
    `${name}: ${tests} tests`,
    "",
    rowsAsText(rows),
    "",
    ...few(wrong.map((test) => `the schema says otherwise, so it counts for nothing: ${test}`)),
    ...few(
      untoldMutants.map(({ site, says, kills, why, example }) => {
        const what = `${kills === 0 ? "not told" : "told once"}: ${says} (${site}): ${why}`;
        return example === undefined ? what : `${what}; this would: ${JSON.stringify(example)}`;
      }),
    ),
    summary(measured),
    ...(partial
      ? ["There are more mistakes than were looked at: the schema is large, or the time was over (--deadline)."]
      : []),
  ];
  return lines.map((line) => (line.includes("\n") ? line : cut(visible(line), 400))).join("\n");
}

function summary(counts: Counts): string {
  const { sites, broken, mutants, twice, once, equivalent } = counts;
  const broke = `${broken} of ${sites} assertions are broken alone`;
  const part = share(counts);
  if (part === undefined) return `${broke}; no mistake can be told: nothing to measure`;
  const told = `${twice + once} of ${mutants - equivalent} mistakes that can be told are told`;
  return `${broke}; ${told} (${(Math.floor(part * 1000) / 10).toFixed(1)} %), ${twice} of them twice`;
}

function few(lines: readonly string[]): string[] {
  const more = lines.length - mostListed;
  return [...lines.slice(0, mostListed), ...(more > 0 ? [`… and ${more} more, all of them with --json`] : [])].map(
    (line) => `  ${line}`,
  );
}
