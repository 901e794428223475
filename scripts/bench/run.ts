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
 * Measures a run of the whole published set over every transport, beside the simplest loop that does the same with the same implementation, and
 * the time to the first output of the command. `--quick` measures once; the name of a transport measures only that one.
 */
export async function run(args: readonly string[]): Promise<void> {
  const rounds = args.includes("--quick") ? 1 : 5;
  const suites = await compileSuites();
  const { inProcess, targetFrom } = suites;
  const protocols = protocolsNamed("all");
  const server = await startServer(protocols);
  const validate = await runPlainly();
  const ways: BenchWay[] = [
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
  const named = args.filter((arg) => !arg.startsWith("--"));
  const chosen = named.length === 0 ? ways : ways.filter(({ name }) => named.includes(name));
  const rows: string[][] = [];
  const each: string[][] = [];
  const cases = protocols.map((protocol) => ({ protocol, instances: instancesOf(protocol) }));
  try {
    for (const way of chosen) {
      const measured = await measure(suites, way, cases, rounds);
      rows.push(rowOf(way, measured));
      if (way.bare !== undefined) each.push([way.name, ...measured.ratios.map((ratio) => `${round(ratio)} x`)]);
    }
  } finally {
    await server.close();
  }
  const head = ["the whole set", "vectors", "seconds", "budget", "beside bare", "processor", "budget", "per second"];
  console.log(table(head, rows));
  console.log(`\n${table(["beside bare", ...protocols.map(({ name }) => name)], each)}`);
  if (named.length === 0) console.log(`\n${startTable(rounds, plainModule)}`);
}

const folder = dirname(fileURLToPath(import.meta.url));
const plainModule = join(folder, "plain.js");
const command = join(folder, "plain-command.js");

/** A transport to the implementation. */
interface BenchWay {
  name: string;
  target(protocol: Protocol): Target;
  /** The budget of the whole run. */
  seconds: number;
  /** Does the same without Touchstone; resolves when everything is answered. */
  bare?(protocol: Protocol, instances: readonly BenchInstance[]): Promise<BareLoop>;
  /** The maximum time of the questions, as a multiple of the bare loop's. */
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
  /** The time of whole runs: vectors read, target opened, asked, closed. */
  seconds: number;
  /** The time of the questions alone, as a multiple of the bare loop's; NaN without one. Over all protocols, and for each. */
  ratio: number;
  ratios: number[];
  /**
   * The same in processor time, the minimum over all rounds: other programs on the machine hardly change it. All threads of this process
   * count, so that HTTP includes both sides.
   */
  processor: number;
  perSecond: number;
}

type Suites = typeof import("../../suites/index.ts");

/** The build that users get: the loader that runs TypeScript makes functions slower. */
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

/** Alternates, so that a busy minute of the machine affects both. */
async function measure(
  { runSuite }: Suites,
  way: BenchWay,
  cases: readonly BenchCase[],
  rounds: number,
): Promise<MeasuredRun> {
  const turns: LoopRound[][] = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    const each: LoopRound[] = [];
    for (const { protocol, instances } of cases) {
      const target = clockTarget(way.target(protocol));
      const started = performance.now();
      const report = await runSuite({ protocols: [protocol], target: () => target });
      const whole = performance.now() - started;
      const bare = (await way.bare?.(protocol, instances)) ?? unknownLoop;
      each.push({ whole, ...target.taken(), ...bare, vectors: countAnswers(report) });
    }
    turns.push(each);
  }
  const total = (each: readonly LoopRound[], of: keyof LoopRound): number =>
    each.reduce((all, round) => all + round[of], 0);
  const least = (of: keyof LoopRound): number =>
    cases.reduce((all, _, index) => all + Math.min(...turns.map((turn) => (turn[index] as LoopRound)[of])), 0);
  const middle = (of: (each: readonly LoopRound[]) => number): number => median(turns.map(of));
  return {
    vectors: middle((each) => total(each, "vectors")),
    seconds: middle((each) => total(each, "whole") / 1000),
    ratio: middle((each) => total(each, "asking") / total(each, "bare")),
    ratios: cases.map((_, index) =>
      middle((each) => total(each.slice(index, index + 1), "asking") / total(each.slice(index, index + 1), "bare")),
    ),
    processor: least("askingBusy") / least("bareBusy"),
    perSecond: middle((each) => (1000 * total(each, "vectors")) / total(each, "asking")),
  };
}

/** The target, with the time from its opening to its end. It is open when it has compiled its schemas, like the bare loop. */
function clockTarget(target: Target): Target & { taken(): Pick<LoopRound, "asking" | "askingBusy"> } {
  const now = () => ({ asking: performance.now(), askingBusy: processorTime() });
  let opened = now();
  let ended = opened;
  return {
    ...target,
    name: target.name,
    claims: undefined,
    async open(protocol) {
      await target.open(protocol);
      const [document] = protocol.profile.documents;
      if (document !== undefined)
        await target.check({ document, data: null, keep: [], seed: 0 }, new AbortController().signal);
      opened = now();
    },
    close() {
      ended = now();
      return target.close();
    },
    taken: () => ({ asking: ended.asking - opened.asking, askingBusy: ended.askingBusy - opened.askingBusy }),
  };
}

/** A run with a failure would measure something else. */
function countAnswers({ counts, complete }: Report): number {
  const { skipped, errored, "timed-out": late } = counts;
  const total = Object.values(counts).reduce((all, each) => all + each, 0);
  if (!complete || errored + late > 0) throw new Error(`${errored} errored, ${late} timed out: nothing is measured`);
  return total - skipped;
}

function rowOf({ name, seconds, most }: BenchWay, measured: MeasuredRun): string[] {
  const { ratio } = measured;
  return [
    name,
    String(measured.vectors),
    round(measured.seconds),
    shareOf(measured.seconds, seconds, "s"),
    Number.isNaN(ratio) ? "" : `${round(ratio)} x`,
    Number.isNaN(measured.processor) ? "" : `${round(measured.processor)} x`,
    most === undefined ? "" : shareOf(ratio, most, "x"),
    round(measured.perSecond),
  ];
}

async function runPlainly(): Promise<Validator> {
  return ((await import(pathToFileURL(plainModule).href)) as { default: Validator }).default;
}

/** Copies instances, since a validator may change them, and calls it. */
function bareCalls(validate: Validator): NonNullable<BenchWay["bare"]> {
  return async ({ name: protocol, version, schemas }, instances) => {
    const [first] = instances;
    if (first !== undefined)
      validate(null, { document: first.document, schema: first.schema, protocol, version, schemas });
    return timeLoop(() => {
      for (const instance of instances) {
        if (!("data" in instance)) continue;
        const { document, schema, data } = instance;
        validate(structuredClone(data), { document, schema, protocol, version, schemas });
      }
    });
  };
}

/** The same in a thread as new as a module's, which is not warm yet. */
async function bareThread({ schemas }: Protocol, instances: readonly BenchInstance[]): Promise<BareLoop> {
  const values = instances.filter((instance) => "data" in instance);
  const worker = new Worker(join(folder, "plain-loop.js"), {
    workerData: { instances: values, schemas },
    execArgv: [],
  });
  const [milliseconds] = (await once(worker, "message")) as [number];
  await worker.terminate();
  // A module has a process of its own, so its processor time is not known here.
  return { bare: milliseconds, bareBusy: Number.NaN };
}

interface BenchServer {
  url: string;
  endpoints(protocol: Protocol): Record<string, string>;
  close(): Promise<unknown>;
}

/** The implementation behind HTTP, in a thread, with an address for each document. */
async function startServer(protocols: readonly Protocol[]): Promise<BenchServer> {
  const known = protocols.map(({ schemas, profile }) => ({
    schemas,
    documents: profile.documents.map(({ schema }) => schema),
  }));
  const worker = new Worker(join(folder, "plain-server.js"), { workerData: { protocols: known }, execArgv: [] });
  const port = await new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  const places = new Map<Protocol, number>();
  let place = 0;
  for (const protocol of protocols) {
    places.set(protocol, place);
    place += protocol.profile.documents.length;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    endpoints(protocol) {
      const first = places.get(protocol) as number;
      return Object.fromEntries(protocol.profile.documents.map(({ name }, index) => [name, `/${first + index}`]));
    },
    close: () => worker.terminate(),
  };
}

/** Sends as many requests at once as Touchstone, with bodies made beforehand, and reads and drops the answers. */
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
  let next = 0;
  const client = async (): Promise<void> => {
    for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
      const { body } = await pool.request({ method: "POST", headers, ...request });
      await body.text();
    }
  };
  const taken = await timeLoop(() => Promise.all(Array.from({ length: 32 }, client)));
  await pool.close();
  return taken;
}
