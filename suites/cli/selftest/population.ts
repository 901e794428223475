import { type Protocol, version } from "../../../schemas/index.ts";
import { formatRows } from "../../base/text/table.ts";
import { openJournal } from "../../running/selftest/journal.ts";
import type { PlayedParty } from "../../running/selftest/party.ts";
import { drawParties, drawScenarios } from "../../running/selftest/population.ts";
import { twinTrials } from "../../running/selftest/twins.ts";
import { overProcesses } from "../../running/selftest/workers.ts";
import { terminalWidth } from "../output/columns.ts";
import { progressOn } from "../output/progress.ts";
import { journalOf, type LiveProtocol, liveProtocols, type ResumableOptions } from "./live.ts";

interface PopulationOptions extends ResumableOptions {
  count: number;
  /** The number of scenarios of each party; all by default. */
  sample: number | undefined;
}

/** Tests correct parties that are drawn at random. The exit code is 0 if none of them fails. */
export async function testPopulation(name: string, options: PopulationOptions): Promise<number> {
  const { count, json, seed, signal } = options;
  const protocolList = await liveProtocols(name);
  const rows = [];
  for (const liveProtocol of protocolList)
    rows.push(
      await populate(
        liveProtocol,
        journalOf(options.journal, liveProtocol.protocol, protocolList.length === 1),
        options,
      ),
    );
  const accused = rows.flatMap(({ protocol, played }) =>
    played.flatMap((party) => party.accused.map((accusation) => ({ protocol, party: party.index, ...accusation }))),
  );
  const accusedImplementations = rows.flatMap(({ protocol, implementations }) =>
    implementations.flatMap((implementation) =>
      implementation.accused.map((accusation) => ({ protocol, freedoms: implementation.twin, ...accusation })),
    ),
  );
  const playedCount = rows.reduce((sum, { played }) => sum + played.length, 0);
  if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    const shownRows = accused.map(({ choices, ...row }) => ({ ...row, choices: choices.join(" ") || "none" }));
    if (shownRows.length > 0) process.stdout.write(`${formatRows(shownRows, terminalWidth())}\n`);
    if (accusedImplementations.length > 0)
      process.stdout.write(`${formatRows(accusedImplementations, terminalWidth())}\n`);
    for (const { protocol, drawn, played, implementations } of rows) {
      const [results, skippedCount] = [sumOf(played, "results"), sumOf(played, "skipped")];
      const accusedCount = played.filter((party) => party.accused.length > 0).length;
      process.stdout.write(
        `${protocol}: ${accusedCount} of ${played.length} right parties are accused (${drawn} drawn, seed ${seed}; ${results} results of scenarios, ${skippedCount} skipped)\n`,
      );
      if (implementations.length === 0) continue;
      const misjudgedCount = implementations.filter((implementation) => implementation.accused.length > 0).length;
      process.stdout.write(
        `${protocol}: ${misjudgedCount} of ${implementations.length} right implementations are accused by ${implementations[0]?.asked} vectors\n`,
      );
    }
  }
  if (signal.aborted) process.stderr.write(`stopped after ${playedCount} of ${count * protocolList.length} parties\n`);
  return accused.length + accusedImplementations.length === 0 && playedCount > 0 && !signal.aborted ? 0 : 1;
}

async function populate(
  { protocol, live, scenarios }: LiveProtocol,
  file: string | undefined,
  options: PopulationOptions,
) {
  const { count, seed, signal, sample } = options;
  const drawnParties = await drawParties(protocol, live, count, seed);
  const parties =
    sample === undefined
      ? drawnParties
      : await Promise.all(
          drawnParties.map((party) => drawScenarios(protocol, scenarios, party, { count: sample, seed })),
        );
  const journal = openJournal<PlayedParty>(file, headOf(protocol, options));
  const nameOf = ({ index, side = "", choices }: (typeof parties)[number]): string =>
    [index, side, ...choices].join(" ");
  const openParties = parties.filter((party) => !journal.known.has(nameOf(party)));
  const progress = progressOn(process.stderr);
  progress.show(protocol.name, count - openParties.length, count);
  const byIndex = new Map(parties.map((party) => [party.index, party]));
  await overProcesses({
    kind: "party" as const,
    protocol: `${protocol.name}@${protocol.version}`,
    seed,
    given: openParties,
    nameOf,
    signal,
    onDone(played, done) {
      const party = byIndex.get(played.index);
      if (party !== undefined) journal.add(nameOf(party), played);
      progress.show(protocol.name, count - openParties.length + done, count);
    },
  });
  const implementations = signal.aborted ? [] : await twinTrials(protocol, undefined, { count, seed });
  progress.stop();
  const played = parties.flatMap((party) => journal.known.get(nameOf(party)) ?? []);
  return { protocol: protocol.name, drawn: parties.length, seed, played, implementations };
}

function headOf(protocol: Protocol, { seed, sample }: PopulationOptions) {
  const population = `${protocol.name}@${protocol.version}`;
  return { population, seed, ...(sample === undefined ? {} : { sample }), touchstone: version };
}

function sumOf(played: readonly PlayedParty[], member: "results" | "skipped"): number {
  return played.reduce((sum, party) => sum + party[member], 0);
}
