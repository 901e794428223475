import { type Tally, tallyConfusions } from "../../generators/index.ts";
import type { Protocol } from "../../schemas/index.ts";
import { loadVectors, ruled } from "../../suites/index.ts";

/** The confusions that vectors show, by protocol. */
export type Tallies = ReadonlyMap<string, readonly Tally[]>;

/** Counts the confusions that the vectors of the repository show. */
export async function talliesOf(protocols: readonly Protocol[]): Promise<Tallies> {
  const tallies = new Map<string, readonly Tally[]>();
  for (const protocol of protocols) {
    const { files } = loadVectors(protocol);
    const vectorsOf = ({ name }: { name: string }) =>
      files.flatMap(({ document, tests }) => (document === name ? tests : []));
    tallies.set(protocol.name, await tallyConfusions(await ruled(protocol), vectorsOf));
  }
  return tallies;
}

/**
 * Makes a row for each confusion and a column for each protocol. A cell has the number of locations that vectors show, out of all
 * locations. A number in brackets counts the locations that vectors made for other purposes show.
 */
export function tableOf(tallies: Tallies): string {
  const names = [...tallies.keys()];
  const kinds = [...tallies.values()][0] ?? [];
  const rows = kinds.map(({ confusion, says }, index) => {
    const cells = names.map((name) => cellOf(tallies.get(name)?.[index]));
    return `| \`${confusion}\` | ${says} | ${cells.join(" | ")} |`;
  });
  const sums = names.map((name) => cellOf(sumOf(tallies.get(name) ?? [])));
  return [
    `| confusion | in words | ${names.join(" | ")} |`,
    `| --- | --- | ${names.map(() => "--:").join(" | ")} |`,
    ...rows,
    `| all | | ${sums.join(" | ")} |`,
  ].join("\n");
}

function cellOf(tally: Pick<Tally, "places" | "before" | "shown"> | undefined): string {
  if (tally === undefined || tally.places === 0) return "";
  const { places, before, shown } = tally;
  return before === shown ? `${shown} of ${places}` : `${shown} (${before}) of ${places}`;
}

function sumOf(protocolTallies: readonly Tally[]): Pick<Tally, "places" | "before" | "shown"> {
  const sum = (countOf: (tally: Tally) => number): number =>
    protocolTallies.reduce((total, tally) => total + countOf(tally), 0);
  return { places: sum(({ places }) => places), before: sum(({ before }) => before), shown: sum(({ shown }) => shown) };
}

/** Makes a line for each location that no vector shows, with the reason. */
export function* listOf(tallies: Tallies): Generator<string> {
  for (const [protocol, protocolTallies] of tallies)
    for (const { confusion, unshown } of protocolTallies)
      for (const { document, site, why } of unshown) yield `${protocol} ${document} ${confusion} ${why} ${site}`;
}
