import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { Pool } from "undici";
import { home, type Json, type Protocol, protocolsNamed, type Report } from "../../schemas/index.ts";
import { loadVectors, type Target, type Validator } from "../../suites/index.ts";
import { startTable } from "./start.ts";
import { against, median, round, table } from "./table.ts";

/**
 * Measures a run of the whole published set over every way, beside the barest loop that does the same to the same implementation, and
 * how soon the command says its first word. `--quick` measures once.
 */
export async function run(args: readonly string[]): Promise<void> {
  const rounds = args.includes("--quick") ? 1 : 5;
  const suites = await compiled();
  const { inProcess, targetFrom } = suites;
  const protocols = protocolsNamed("all");
  const server = await startServer(protocols);
  const validate = await plainly();
  const ways: Way[] = [
    { name: "in process", seconds: 2, target: () => inProcess(validate), bare: bareCalls(validate), most: 1.5 },
    {
      name: "module in its process",
      seconds: 2,
      target: () => targetFrom({ kind: "module", file: plain }),
      bare: bareThread,
      most: 1.5,
    },
    { name: "stdio", seconds: 10, target: () => targetFrom({ kind: "command", command: `node '${command}'` }) },
    {
      name: "HTTP",
      seconds: 30,
      target: (protocol) => targetFrom({ kind: "http", url: server.url, endpoints: server.endpoints(protocol) }),
      bare: (protocol) => bareRequests(protocol, server),
      most: 1 / 0.7,
    },
  ];
  const rows: string[][] = [];
  const each: string[][] = [];
  const cases = protocols.map((protocol) => ({ protocol, instances: instancesOf(protocol) }));
  try {
    for (const way of ways) {
      const measured = await measure(suites, way, cases, rounds);
      rows.push(rowOf(way, measured));
      if (way.bare !== undefined) each.push([way.name, ...measured.ratios.map((ratio) => `${round(ratio)} x`)]);
    }
  } finally {
    await server.close();
  }
  console.log(table(["the whole set", "vectors", "seconds", "budget", "beside bare", "budget", "per second"], rows));
  console.log(`\n${table(["beside bare", ...protocols.map(({ name }) => name)], each)}`);
  console.log(`\n${startTable(rounds, plain)}`);
}

const folder = dirname(fileURLToPath(import.meta.url));
const plain = join(folder, "plain.js");
const command = join(folder, "plain-command.js");

/** A way to the implementation. */
interface Way {
  name: string;
  target(protocol: Protocol): Target;
  /** Budget of the whole run. */
  seconds: number;
  /** Does the same without us; resolves when all is answered. Milliseconds. */
  bare?(protocol: Protocol, instances: readonly Instance[]): Promise<number>;
  /** Budget of the questions' time as a multiple of the bare loop's. */
  most?: number;
}

/** What a vector puts to a target, as a value or as text. */
type Instance = { document: string; schema: string } & ({ data: Json } | { text: string });

interface Case {
  protocol: Protocol;
  instances: Instance[];
}

interface Measured {
  vectors: number;
  /** Of whole runs: vectors read, target opened, asked, closed. */
  seconds: number;
  /** Of the questions alone, as a multiple of the bare loop's; NaN without one. Over all protocols, and of each. */
  ratio: number;
  ratios: number[];
  perSecond: number;
}

type Suites = typeof import("../../suites/index.ts");

/** What users get: the loader that runs TypeScript makes functions dearer than they are. */
async function compiled(): Promise<Suites> {
  const { status } = spawnSync(process.execPath, [join(home, "scripts", "build.js")], { stdio: "inherit" });
  if (status !== 0) throw new Error("there is nothing to measure: the build failed");
  return (await import(pathToFileURL(join(home, "dist", "suites", "index.js")).href)) as Suites;
}

function instancesOf(protocol: Protocol): Instance[] {
  return loadVectors(protocol).files.flatMap(({ document: name, tests }) => {
    const schema = protocol.profile.documents.find((document) => document.name === name)?.schema as string;
    return tests.flatMap(({ data, raw }): Instance[] => {
      if (data !== undefined) return [{ document: name, schema, data }];
      return raw === undefined ? [] : [{ document: name, schema, text: raw }];
    });
  });
}

/** What one round took of one protocol, in milliseconds: the whole run, its questions alone, the bare loop. */
interface Round {
  whole: number;
  asking: number;
  bare: number;
  vectors: number;
}

/** In turns, so that a busy minute of the machine falls on both. */
async function measure({ runSuite }: Suites, way: Way, cases: readonly Case[], rounds: number): Promise<Measured> {
  const turns: Round[][] = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    const each: Round[] = [];
    for (const { protocol, instances } of cases) {
      const target = clocked(way.target(protocol));
      const started = performance.now();
      const report = await runSuite({ protocols: [protocol], target: () => target });
      const whole = performance.now() - started;
      const bare = (await way.bare?.(protocol, instances)) ?? Number.NaN;
      each.push({ whole, asking: target.milliseconds(), bare, vectors: answered(report) });
    }
    turns.push(each);
  }
  const total = (each: readonly Round[], of: keyof Round): number => each.reduce((all, round) => all + round[of], 0);
  const middle = (of: (each: readonly Round[]) => number): number => median(turns.map(of));
  return {
    vectors: middle((each) => total(each, "vectors")),
    seconds: middle((each) => total(each, "whole") / 1000),
    ratio: middle((each) => total(each, "asking") / total(each, "bare")),
    ratios: cases.map((_, index) =>
      middle((each) => total(each.slice(index, index + 1), "asking") / total(each.slice(index, index + 1), "bare")),
    ),
    perSecond: middle((each) => (1000 * total(each, "vectors")) / total(each, "asking")),
  };
}

/** The target, with the time between its opening and its end. It is opened when it has compiled its schemas, as the bare loop has. */
function clocked(target: Target): Target & { milliseconds(): number } {
  let opened = 0;
  let ended = 0;
  return {
    ...target,
    name: target.name,
    claims: undefined,
    async open(protocol) {
      await target.open(protocol);
      const [document] = protocol.profile.documents;
      if (document !== undefined)
        await target.check({ document, data: null, keep: [], seed: 0 }, new AbortController().signal);
      opened = performance.now();
    },
    close() {
      ended = performance.now();
      return target.close();
    },
    milliseconds: () => ended - opened,
  };
}

/** A run in which something failed measures something else. */
function answered({ counts, complete }: Report): number {
  const { skipped, errored, "timed-out": late } = counts;
  const total = Object.values(counts).reduce((all, each) => all + each, 0);
  if (!complete || errored + late > 0) throw new Error(`${errored} errored, ${late} timed out: nothing is measured`);
  return total - skipped;
}

function rowOf({ name, seconds, most }: Way, measured: Measured): string[] {
  const { ratio } = measured;
  return [
    name,
    String(measured.vectors),
    round(measured.seconds),
    against(measured.seconds, seconds, "s"),
    Number.isNaN(ratio) ? "" : `${round(ratio)} x`,
    most === undefined ? "" : against(ratio, most, "x"),
    round(measured.perSecond),
  ];
}

async function plainly(): Promise<Validator> {
  return ((await import(pathToFileURL(plain).href)) as { default: Validator }).default;
}

/** A copy, since what a validator does to an instance is seen by nobody else, and a call. */
function bareCalls(validate: Validator): NonNullable<Way["bare"]> {
  return async ({ name: protocol, version, schemas }, instances) => {
    const [first] = instances;
    if (first !== undefined)
      validate(null, { document: first.document, schema: first.schema, protocol, version, schemas });
    const started = performance.now();
    for (const instance of instances) {
      if (!("data" in instance)) continue;
      const { document, schema, data } = instance;
      validate(structuredClone(data), { document, schema, protocol, version, schemas });
    }
    return performance.now() - started;
  };
}

/** The same in a thread as new as that of a module, which has warmed up to nothing yet. */
async function bareThread({ schemas }: Protocol, instances: readonly Instance[]): Promise<number> {
  const values = instances.filter((instance) => "data" in instance);
  const worker = new Worker(join(folder, "plain-loop.js"), {
    workerData: { instances: values, schemas },
    execArgv: [],
  });
  const [milliseconds] = (await once(worker, "message")) as [number];
  await worker.terminate();
  return milliseconds;
}

interface Server {
  url: string;
  endpoints(protocol: Protocol): Record<string, string>;
  close(): Promise<unknown>;
}

/** The implementation behind HTTP, in a thread, with an address for each document. */
async function startServer(protocols: readonly Protocol[]): Promise<Server> {
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

/** As many requests at once as ours, bodies made beforehand, answers read and forgotten. */
async function bareRequests(protocol: Protocol, { url, endpoints }: Server): Promise<number> {
  const paths = endpoints(protocol);
  const requests = instancesOf(protocol).map((instance) => ({
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
  const started = performance.now();
  await Promise.all(Array.from({ length: 32 }, client));
  const milliseconds = performance.now() - started;
  await pool.close();
  return milliseconds;
}
