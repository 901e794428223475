import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import {
  compileModel,
  faultyArbitraryFor,
  oracleFor,
  randomFrom,
  type Sampler,
  samplerFor,
} from "../../generators/index.ts";
import { type Document, example, type Json, type Protocol, protocolsNamed } from "../../schemas/index.ts";
import { type FakerRound, startFaker } from "./faker.ts";
import { median, round, table } from "./table.ts";

/**
 * Measures the speed of generating valid instances for all documents, compared with json-schema-faker for the same schemas and counts.
 * Also measures the speed of faulty instances, the time for all vectors, and the memory.
 * `--quick` measures every fifth document and the vectors of one protocol.
 */
export async function generate(args: readonly string[]): Promise<void> {
  const isQuick = args.includes("--quick");
  const documents = protocolsNamed("all").flatMap((protocol) =>
    protocol.profile.documents.filter(({ standalone }) => standalone).map((document) => ({ protocol, document })),
  );
  const chosenDocuments = isQuick ? documents.filter((_, index) => index % 5 === 0) : documents;
  const comparisons: SamplerComparison[] = [];
  for (const { protocol, document } of chosenDocuments) comparisons.push(await compare(protocol, document));
  printComparison(comparisons);
  await printFaulty(chosenDocuments);
  printRebuild([isQuick ? example.protocol : "all"]);
  console.log(`memory peak of this process: ${round(process.resourceUsage().maxRSS / 1024)} MB`);
}

/** The results of one generator on one document. */
interface BenchSide {
  perSecond: number;
  bytesPerSecond: number;
  meanBytes: number;
  valid: number;
}

interface SamplerComparison {
  name: string;
  ours: BenchSide;
  /** Undefined if it hangs. */
  faker: BenchSide | undefined;
}

const roundCount = 5;
/** The number of instances in the first round, which is not measured. */
const warmUp = 20;
/** The milliseconds after which a round of json-schema-faker counts as hanging. */
const hangMs = 8000;
/** The number of instances of each generator that are validated. */
const judgedCount = 100;

/** Measures both generators in turns, with as many instances per round as json-schema-faker makes in a fifth of a second. */
async function compare(protocol: Protocol, document: Document): Promise<SamplerComparison> {
  const model = await compileModel(protocol.schemas, document.schema);
  const sampler = samplerFor(model, { samples: document.samples ?? [] });
  const faker = await startFaker(protocol.schemas, document.schema);
  const ours: FakerRound[] = [];
  const fakerRounds: FakerRound[] = [];
  const random = randomFrom(1);
  const timeOurs = (count: number) => timeSampler(sampler, random, count);
  timeOurs(1000);
  const firstRound = await faker.round(warmUp, hangMs);
  const count =
    firstRound === undefined ? 200 : Math.max(20, Math.min(1000, Math.round((200 * warmUp) / firstRound.milliseconds)));
  for (let turn = 0; turn < roundCount; turn += 1) {
    ours.push(timeOurs(count));
    const round = await faker.round(count, hangMs);
    if (round !== undefined) fakerRounds.push(round);
  }
  await faker.close();
  const oracle = await oracleFor(protocol.schemas, document.schema);
  const isValid = (value: Json) => oracle.judge(value).verdict === "valid";
  return {
    name: `${protocol.name} ${document.name}`,
    ours: sideOf(ours, isValid),
    faker: fakerRounds.length < roundCount ? undefined : sideOf(fakerRounds, isValid),
  };
}

function timeSampler(sampler: Sampler, random: ReturnType<typeof randomFrom>, count: number): FakerRound {
  const values: Json[] = [];
  const startedAt = performance.now();
  for (let remaining = count; remaining > 0; remaining -= 1) values.push(sampler.next(random));
  return { milliseconds: performance.now() - startedAt, values };
}

function sideOf(rounds: readonly FakerRound[], isValid: (value: Json) => boolean): BenchSide {
  const measuredRounds = rounds.map(({ milliseconds, values }) => {
    const bytes = values.reduce((sum: number, value) => sum + Buffer.byteLength(JSON.stringify(value) ?? ""), 0);
    return { milliseconds, count: values.length, bytes };
  });
  const sumOf = (part: "count" | "bytes") =>
    measuredRounds.reduce((sum, measuredRound) => sum + measuredRound[part], 0);
  const sample = rounds.flatMap(({ values }) => values).slice(0, judgedCount);
  return {
    perSecond: median(measuredRounds.map(({ milliseconds, count }) => (count / milliseconds) * 1000)),
    bytesPerSecond: median(measuredRounds.map(({ milliseconds, bytes }) => (bytes / milliseconds) * 1000)),
    meanBytes: sumOf("bytes") / sumOf("count"),
    valid: sample.filter((value) => value !== undefined && isValid(value)).length / sample.length,
  };
}

function printComparison(comparisons: readonly SamplerComparison[]): void {
  const percent = (side: BenchSide | undefined) => (side === undefined ? "hangs" : `${Math.floor(side.valid * 100)} %`);
  const ratio = ({ ours, faker }: SamplerComparison, part: "perSecond" | "bytesPerSecond" | "meanBytes") =>
    faker === undefined ? Number.POSITIVE_INFINITY : ours[part] / faker[part];
  const rows = comparisons.map((samplerComparison) => {
    const { name, ours, faker } = samplerComparison;
    const none = Number.NaN;
    return [
      name,
      ...[ours.perSecond, faker?.perSecond ?? none, ratio(samplerComparison, "perSecond")].map(round),
      ...[
        ours.bytesPerSecond / 1e6,
        (faker?.bytesPerSecond ?? none) / 1e6,
        ratio(samplerComparison, "bytesPerSecond"),
      ].map(round),
      ...[ours.meanBytes, faker?.meanBytes ?? none].map(round),
      percent(ours),
      percent(faker),
    ];
  });
  const head = ["document", "inst/s", "faker", "ratio", "MB/s", "faker", "ratio", "bytes", "faker", "valid", "faker"];
  console.log(table(head, rows));
  const comparable = comparisons.filter(({ faker }) => faker !== undefined);
  for (const part of ["perSecond", "bytesPerSecond", "meanBytes"] as const) {
    const sorted = comparable
      .map((samplerComparison) => ({ name: samplerComparison.name, value: ratio(samplerComparison, part) }))
      .sort((a, b) => a.value - b.value);
    const worst = sorted.slice(0, 3).map(({ name, value }) => `${name} ${round(value)}`);
    const measure = {
      perSecond: "instances per second",
      bytesPerSecond: "bytes per second",
      meanBytes: "bytes per instance",
    }[part];
    console.log(
      `${measure}, ours : json-schema-faker, median ${round(median(sorted.map(({ value }) => value)))}; least ${worst.join(", ")}`,
    );
  }
  const hanging = comparisons.filter(({ faker }) => faker === undefined).map(({ name }) => name);
  console.log(
    `json-schema-faker does not finish on ${hanging.length} of ${comparisons.length}${hanging.length === 0 ? "" : `: ${hanging.join(", ")}`}`,
  );
}

const faultyCount = 500;

async function printFaulty(targets: readonly { protocol: Protocol; document: Document }[]): Promise<void> {
  const rates: { name: string; rate: number }[] = [];
  for (const { protocol, document } of targets) {
    const arbitrary = await faultyArbitraryFor(protocol.schemas, document.schema, { samples: document.samples ?? [] });
    fc.sample(arbitrary, { numRuns: faultyCount, seed: 1 });
    const startedAt = performance.now();
    fc.sample(arbitrary, { numRuns: faultyCount, seed: 2 });
    const rate = (faultyCount / (performance.now() - startedAt)) * 1000;
    rates.push({ name: `${protocol.name} ${document.name}`, rate });
  }
  rates.sort((a, b) => a.rate - b.rate);
  const slowest = rates.slice(0, 3).map(({ name, rate }) => `${name} ${round(rate)}`);
  console.log(
    `faulty instances per second, each checked to violate only one assertion: median ${round(median(rates.map(({ rate }) => rate)))}; slowest ${slowest.join(", ")}`,
  );
}

/** Regenerates all vectors in a separate process, without writing them. */
function printRebuild(names: string[]): void {
  const program = fileURLToPath(new URL("rebuild.ts", import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [...process.execArgv, program, ...names], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the vectors of ${names.join(", ")} could not be built:\n${stderr}`);
  const { vectors, seconds, megabytes } = JSON.parse(stdout) as Record<"vectors" | "seconds" | "megabytes", number>;
  console.log(
    `${round(vectors)} vectors of ${names.join(", ")} regenerated: ${round(seconds)} s, memory peak ${round(megabytes)} MB`,
  );
}
