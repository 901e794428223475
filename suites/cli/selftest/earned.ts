import { version } from "../../../schemas/index.ts";
import { formatRows } from "../../base/text/table.ts";
import { isUnearned, nameOf, type PlayedCell } from "../../running/selftest/cell.ts";
import { type Matrix, matrixOf, sampleOf } from "../../running/selftest/earned.ts";
import { openJournal } from "../../running/selftest/journal.ts";
import { overProcesses } from "../../running/selftest/workers.ts";
import { terminalWidth } from "../output/columns.ts";
import { progressOn } from "../output/progress.ts";
import { journalOf, type LiveProtocol, liveProtocols, type ResumableOptions } from "./live.ts";

interface EarnedOptions extends ResumableOptions {
  sample: number | undefined;
}

/** Tests broken parties with different hooks, tempos and transports. The exit code is 0 if the rule that they break never conforms. */
export async function testEarned(name: string, options: EarnedOptions): Promise<number> {
  const { all: showAll, json, seed, signal } = options;
  const liveProtocolList = await liveProtocols(name);
  const rows = [];
  for (const liveProtocol of liveProtocolList)
    rows.push(
      await playMatrix(
        liveProtocol,
        journalOf(options.journal, liveProtocol.protocol, liveProtocolList.length === 1),
        options,
      ),
    );
  const cells = rows.flatMap(({ protocol, played }) => played.map((cell) => ({ protocol, ...cell })));
  const unearned = cells.filter(isUnearned);
  if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    const shownCells = (showAll ? cells : unearned).map(({ protocol, name: cell, rule, outcome, why = "" }) => ({
      protocol,
      cell,
      rule,
      outcome,
      why,
    }));
    if (shownCells.length > 0) process.stdout.write(`${formatRows(shownCells, terminalWidth())}\n`);
    for (const row of rows) process.stdout.write(`${summaryOf(row, seed)}\n`);
  }
  if (signal.aborted) process.stderr.write(`stopped after ${cells.length} cells\n`);
  return unearned.length === 0 && cells.length > 0 && !signal.aborted ? 0 : 1;
}

interface MatrixResult {
  protocol: string;
  single: number;
  pairs: number;
  /** The number of cells in which the party breaks no rule; these are not played. */
  moot: number;
  chosen: number;
  played: PlayedCell[];
}

function summaryOf(
  { protocol, single: singleChoices, pairs, moot, chosen: cellCount, played }: MatrixResult,
  seed: number,
): string {
  const counts = new Map<string, number>();
  for (const { outcome } of played) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const outcomes = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  const unearned = played.filter(isUnearned).length;
  const plainCount = played.filter(({ isAsPlain }) => isAsPlain === true).length;
  const plainNote =
    plainCount === 0 ? "" : `; ${plainCount} differ from the plain cell in nothing that its play asked for`;
  const selection = `of ${cellCount} of ${singleChoices + pairs} cells (${singleChoices} with one factor changed, ${pairs} for pairs${moot > 0 ? `, ${moot} that break nothing left out` : ""}; seed ${seed})`;
  return `${protocol}: ${unearned} ${selection} conform; ${outcomes || "none was played"}${plainNote}`;
}

async function playMatrix(
  { protocol, scenarios, live }: LiveProtocol,
  file: string | undefined,
  { seed, sample, signal }: EarnedOptions,
): Promise<MatrixResult> {
  const { single, pairs, moot }: Matrix = await matrixOf(protocol, live, scenarios);
  const cells = await sampleOf([...single, ...pairs], sample ?? Number.POSITIVE_INFINITY, seed);
  const journalHead = { earned: `${protocol.name}@${protocol.version}`, seed, touchstone: version };
  const journal = openJournal<PlayedCell>(file, journalHead);
  const openCells = cells.filter((cell) => !journal.known.has(nameOf(cell)));
  const progress = progressOn(process.stderr);
  progress.show(protocol.name, cells.length - openCells.length, cells.length);
  await overProcesses({
    kind: "cell" as const,
    protocol: `${protocol.name}@${protocol.version}`,
    seed,
    given: openCells,
    nameOf,
    signal,
    isAlone: ({ variant }) => variant.alone === true,
    onDone(played, done) {
      journal.add(played.name, played);
      progress.show(protocol.name, cells.length - openCells.length + done, cells.length);
    },
  });
  progress.stop();
  const played = cells.flatMap((cell) => journal.known.get(nameOf(cell)) ?? []);
  return {
    protocol: protocol.name,
    single: single.length,
    pairs: pairs.length,
    moot: moot.length,
    chosen: cells.length,
    played,
  };
}
