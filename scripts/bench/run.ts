import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { Pool } from "undici";
import { home, type Json, type Protocol, protocolsNamed, type Report } from "../../schemas/index.ts";
import { loadVectors, type Target, type Validator } from "../../suites/index.ts";
import { type BareLoop, type LoopRound, processorTime, timeLoop, unknownLoop } from "./round.ts";
import { startTable } from "./start.ts";
import { median, round, shareOf, table } from "./table.ts";

/**
 * Measures a run of the whole published set over every transport, compared with the simplest loop over the same implementation. Also
 * measures the time to the first output of the command. `--quick` measures once. The names of transports measure only these.
 */
export async function run(args: readonly string[]): Promise<void> {
  const rounds = args.includes("--quick") ? 1 : 5;
  const suites = await compileSuites();
  const { inProcess, targetFrom } = suites;
  const protocols = protocolsNamed("all");
  const server = await startServer(protocols);
  const validate = await loadPlainValidator();
  const transports: BenchTransport[] = [
    { name: "in process", seconds: 2, target: () => inProcess(validate), bare: bareCalls(validate), most: 1.25 },
    {
      name: "module in its process",
      seconds: 2,
      target: () => targetFrom({ kind: "module", file: plainModule }),
      bare: bareThread,
      most: 1.4,
    },
    { name: "stdio", seconds: 10, target: () => targetFrom({ kind: "command", command: `node '${command}'` }) },
    {
      name: "HTTP",
      seconds: 30,
      target: (protocol) => targetFrom({ kind: "http", url: server.url, endpoints: server.endpoints(protocol) }),
      bare: (protocol, instances) => bareRequests(protocol, instances, server),
      most: 1.4,
    },
  ];
  const transportNames = args.filter((arg) => !arg.startsWith("--"));
  const chosenTransports =
    transportNames.length === 0 ? transports : transports.filter(({ name }) => transportNames.includes(name));
  const rows: string[][] = [];
  const ratioRows: string[][] = [];
  const cases = protocols.map((protocol) => ({ protocol, instances: instancesOf(protocol) }));
  try {
    for (const transport of chosenTransports) {
      const measuredRun = await measure(suites, transport, cases, rounds);
      rows.push(rowOf(transport, measuredRun));
      if (transport.bare !== undefined)
        ratioRows.push([transport.name, ...measuredRun.ratios.map((ratio) => `${round(ratio)} x`)]);
    }
  } finally {
    await server.close();
  }
  const head = ["the whole set", "vectors", "seconds", "budget", "beside bare", "processor", "budget", "per second"];
  console.log(table(head, rows));
  console.log(`\n${table(["beside bare", ...protocols.map(({ name }) => name)], ratioRows)}`);
  if (transportNames.length === 0) console.log(`\n${startTable(rounds, plainModule)}`);
}

const folder = dirname(fileURLToPath(import.meta.url));
const plainModule = join(folder, "plain.js");
const command = join(folder, "plain-command.js");

/** A transport to the implementation. */
interface BenchTransport {
  name: string;
  target(protocol: Protocol): Target;
  /** The budget of the whole run. */
  seconds: number;
  /** Does the same without Touchstone. Resolves when all requests are answered. */
  bare?(protocol: Protocol, instances: readonly BenchInstance[]): Promise<BareLoop>;
  /** The maximum time of the requests, as a multiple of the bare loop's time. */
  most?: number;
}

/** The message of a vector, as a value or as text. */
type BenchInstance = { document: string; schema: string } & ({ data: Json } | { text: string });

interface BenchCase {
  protocol: Protocol;
  instances: BenchInstance[];
}

interface MeasuredRun {
  vectors: number;
  /** The time of whole runs: reading the vectors, opening the target, sending the requests and closing the target. */
  seconds: number;
  /** The time of the requests alone, as a multiple of the bare loop's time, over all protocols; NaN without a bare loop. */
  ratio: number;
  /** The same ratio for each protocol. */
  ratios: number[];
  /**
   * The ratio of processor times, from their minima over all rounds. Other programs on the machine hardly change it. All threads of this process
   * count, so that HTTP includes both sides.
   */
  processor: number;
  perSecond: number;
}

type Suites = typeof import("../../suites/index.ts");

/** Builds and loads the package as users have it, because the loader that runs TypeScript makes functions slower. */
async function compileSuites(): Promise<Suites> {
  const { status } = spawnSync(process.execPath, [join(home, "scripts", "build.js")], { stdio: "inherit" });
  if (status !== 0) throw new Error("there is nothing to measure: the build failed");
  return (await import(pathToFileURL(join(home, "dist", "suites", "index.js")).href)) as Suites;
}

function instancesOf(protocol: Protocol): BenchInstance[] {
  return loadVectors(protocol).files.flatMap(({ document: name, tests }) => {
    const schema = protocol.profile.documents.find((document) => document.name === name)?.schema as string;
    return tests.flatMap(({ data, raw }): BenchInstance[] => {
      if (data !== undefined) return [{ document: name, schema, data }];
      return raw === undefined ? [] : [{ document: name, schema, text: raw }];
    });
  });
}

/** Alternates between Touchstone and the bare loop, so that a busy minute of the machine affects both. */
async function measure(
  { runSuite }: Suites,
  transport: BenchTransport,
  cases: readonly BenchCase[],
  rounds: number,
): Promise<MeasuredRun> {
  const turns: LoopRound[][] = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    const rounds: LoopRound[] = [];
    for (const { protocol, instances } of cases) {
      const target = clockTarget(transport.target(protocol));
      const startedAt = performance.now();
      const report = await runSuite({ protocols: [protocol], target: () => target });
      const whole = performance.now() - startedAt;
      const bare = (await transport.bare?.(protocol, instances)) ?? unknownLoop;
      rounds.push({ whole, ...target.taken(), ...bare, vectors: countAnswers(report) });
    }
    turns.push(rounds);
  }
  const total = (rounds: readonly LoopRound[], figure: keyof LoopRound): number =>
    rounds.reduce((sum, round) => sum + round[figure], 0);
  const sumOfMinima = (figure: keyof LoopRound): number =>
    cases.reduce((sum, _, index) => sum + Math.min(...turns.map((turn) => (turn[index] as LoopRound)[figure])), 0);
  const medianOf = (select: (rounds: readonly LoopRound[]) => number): number => median(turns.map(select));
  return {
    vectors: medianOf((rounds) => total(rounds, "vectors")),
    seconds: medianOf((rounds) => total(rounds, "whole") / 1000),
    ratio: medianOf((rounds) => total(rounds, "asking") / total(rounds, "bare")),
    ratios: cases.map((_, index) =>
      medianOf((rounds) => {
        const { asking, bare } = rounds[index] as LoopRound;
        return asking / bare;
      }),
    ),
    processor: sumOfMinima("askingBusy") / sumOfMinima("bareBusy"),
    perSecond: medianOf((rounds) => (1000 * total(rounds, "vectors")) / total(rounds, "asking")),
  };
}

/** Adds a clock to a target. It runs from the compiled schemas, where the bare loop starts too, to the closing of the target. */
function clockTarget(target: Target): Target & { taken(): Pick<LoopRound, "asking" | "askingBusy"> } {
  const readClocks = () => ({ asking: performance.now(), askingBusy: processorTime() });
  let start = readClocks();
  let end = start;
  return {
    ...target,
    name: target.name,
    claims: undefined,
    async open(protocol) {
      await target.open(protocol);
      const [document] = protocol.profile.documents;
      if (document !== undefined)
        await target.check({ document, data: null, keep: [], seed: 0 }, new AbortController().signal);
      start = readClocks();
    },
    close() {
      end = readClocks();
      return target.close();
    },
    taken: () => ({ asking: end.asking - start.asking, askingBusy: end.askingBusy - start.askingBusy }),
  };
}

/** Counts the answered vectors. Throws for a run with failures, which would measure something else. */
function countAnswers({ counts, complete }: Report): number {
  const { skipped, errored, "timed-out": timedOut } = counts;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (!complete || errored + timedOut > 0)
    throw new Error(`${errored} errored, ${timedOut} timed out: nothing is measured`);
  return total - skipped;
}

function rowOf({ name, seconds, most }: BenchTransport, measuredRun: MeasuredRun): string[] {
  const { ratio } = measuredRun;
  return [
    name,
    String(measuredRun.vectors),
    round(measuredRun.seconds),
    shareOf(measuredRun.seconds, seconds, "s"),
    Number.isNaN(ratio) ? "" : `${round(ratio)} x`,
    Number.isNaN(measuredRun.processor) ? "" : `${round(measuredRun.processor)} x`,
    most === undefined ? "" : shareOf(ratio, most, "x"),
    round(measuredRun.perSecond),
  ];
}

async function loadPlainValidator(): Promise<Validator> {
  return ((await import(pathToFileURL(plainModule).href)) as { default: Validator }).default;
}

/** The loop in this process: copies each instance, because a validator may change it, and calls the validator. */
function bareCalls(validate: Validator): NonNullable<BenchTransport["bare"]> {
  return async ({ name: protocol, version, schemas }, instances) => {
    const [firstInstance] = instances;
    if (firstInstance !== undefined)
      validate(null, { document: firstInstance.document, schema: firstInstance.schema, protocol, version, schemas });
    return timeLoop(() => {
      for (const instance of instances) {
        if (!("data" in instance)) continue;
        const { document, schema, data } = instance;
        validate(structuredClone(data), { document, schema, protocol, version, schemas });
      }
    });
  };
}

/** The same loop in a new thread, which is as cold as the thread of a module. */
async function bareThread({ schemas }: Protocol, instances: readonly BenchInstance[]): Promise<BareLoop> {
  const values = instances.filter((instance) => "data" in instance);
  const worker = new Worker(join(folder, "plain-loop.js"), {
    workerData: { instances: values, schemas },
    execArgv: [],
  });
  const [milliseconds] = (await once(worker, "message")) as [number];
  await worker.terminate();
  // A module runs in a separate process, so its processor time is unknown here.
  return { bare: milliseconds, bareBusy: Number.NaN };
}

interface BenchServer {
  url: string;
  endpoints(protocol: Protocol): Record<string, string>;
  close(): Promise<unknown>;
}

/** Starts the implementation behind HTTP, in a thread, with an address for each document. */
async function startServer(protocols: readonly Protocol[]): Promise<BenchServer> {
  const servedProtocols = protocols.map(({ schemas, profile }) => ({
    schemas,
    documents: profile.documents.map(({ schema }) => schema),
  }));
  const worker = new Worker(join(folder, "plain-server.js"), {
    workerData: { protocols: servedProtocols },
    execArgv: [],
  });
  const port = await new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  const firstIndices = new Map<Protocol, number>();
  let nextIndex = 0;
  for (const protocol of protocols) {
    firstIndices.set(protocol, nextIndex);
    nextIndex += protocol.profile.documents.length;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    endpoints(protocol) {
      const firstIndex = firstIndices.get(protocol) as number;
      return Object.fromEntries(protocol.profile.documents.map(({ name }, index) => [name, `/${firstIndex + index}`]));
    },
    close: () => worker.terminate(),
  };
}

/** Sends as many concurrent requests as Touchstone, with prepared bodies, and discards the answers. */
async function bareRequests(
  protocol: Protocol,
  instances: readonly BenchInstance[],
  { url, endpoints }: BenchServer,
): Promise<BareLoop> {
  const paths = endpoints(protocol);
  const requests = instances.map((instance) => ({
    path: paths[instance.document] as string,
    body: "data" in instance ? JSON.stringify(instance.data) : instance.text,
  }));
  const pool = new Pool(url, { pipelining: 1 });
  const headers = { "content-type": "application/json" };
  let nextRequest = 0;
  const client = async (): Promise<void> => {
    for (let request = requests[nextRequest++]; request !== undefined; request = requests[nextRequest++]) {
      const { body } = await pool.request({ method: "POST", headers, ...request });
      await body.text();
    }
  };
  const loopTime = await timeLoop(() => Promise.all(Array.from({ length: 32 }, client)));
  await pool.close();
  return loopTime;
}
