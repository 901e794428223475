import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Baseline,
  type BaselineEntry,
  example,
  type Protocol,
  protocolNamed,
  type Report,
} from "../../schemas/index.ts";
import { packOf } from "../../suites/index.ts";
import { bundled } from "../bundle.js";
import { type CapturedRun, captureRun } from "../docs/captured-run.ts";
import { bugs } from "./bugs.ts";
import { type GateHub, startHubProxy } from "./hub.ts";
import { writeSets } from "./sets.ts";

/** The files of the project: the list of known failures and the configuration. */
const baselineFile = "known.json";
const configFile = "touchstone.config.json";

/** The mistakes that the list excuses when an event begins. */
export const excusedBugs: readonly string[] = [bugs[0], bugs[4], bugs[15]].flatMap((bug) => bug?.name ?? []);
/** A mistake that the hub does not make when an event begins. */
export const otherMistake = "accepts any text as a runtime";

/** A project with a gate: a hub, a configuration, vectors, and a list of known failures. */
export interface GateWorld {
  folder: string;
  protocol: Protocol;
  hub: GateHub;
  sets: { old: string; next: string };
  /** Runs the program in the folder of the project. */
  touchstone(...args: string[]): Promise<CapturedRun>;
  /** Runs the command that an earlier run printed under a heading. */
  runPrintedCommand(earlierRun: CapturedRun, heading: string): Promise<CapturedRun>;
  /** Writes the configuration, with additional or different members. */
  configure(changes: Readonly<Record<string, unknown>>): void;
  /** The list of known failures. */
  readList(): Baseline;
  /** The text of the list; empty if there is no list. */
  readListText(): string;
  /** Replaces the text of the list, like a user in an editor. */
  writeList(text: string): void;
  /** Changes the entries of the list. */
  editEntries(change: (entries: BaselineEntry[]) => void): void;
  /** The report in a file of the project. */
  readReport(file: string): Report;
  /** The text of the list after the last manual change, to compare it with the list after a command. */
  listBefore: string;
  /** Restores the initial state of an event. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the hub, and writes the sets of vectors. The list is made by the first event. */
export async function openGateWorld(): Promise<GateWorld> {
  process.env.TOUCHSTONE_BUILT ??= await bundled();
  const protocol = protocolNamed(example.protocol);
  const folder = mkdtempSync(join(tmpdir(), "touchstone-gate-"));
  const liveReference = await serveReference(protocol);
  const hub = await startHubProxy(liveReference.url);
  const closeHub = async (): Promise<void> => {
    await hub.close();
    await liveReference.close();
  };
  return new GateProject({ protocol, folder, hub, sets: writeSets(protocol, folder) }, closeHub);
}

const credentials = { a: { agent: "bot", token: "of-a" }, b: { agent: "other-bot", token: "of-b" } };

async function serveReference(protocol: Protocol): Promise<{ url: string; close(): Promise<void> }> {
  const { live } = await packOf(protocol);
  if (live === undefined) throw new Error(`${protocol.name} has no live reference`);
  const { live: reference } = await live();
  // Many runs use it, so its limits are high.
  const limits = { requestsPerMinute: 1e6, inboxDepth: 1e6 };
  return reference.serve({ credentials, profile: "development", limits });
}

class GateProject implements GateWorld {
  readonly folder: string;
  readonly protocol: Protocol;
  readonly hub: GateHub;
  readonly sets: GateWorld["sets"];
  listBefore = "";
  readonly #closeHub: () => Promise<void>;
  /** The list of known failures at the beginning of every event: the violations of the excused mistakes. */
  #initialList: string | undefined;

  constructor(
    { folder, protocol, hub, sets }: Pick<GateWorld, "folder" | "protocol" | "hub" | "sets">,
    closeHub: () => Promise<void>,
  ) {
    this.folder = folder;
    this.protocol = protocol;
    this.hub = hub;
    this.sets = sets;
    this.#closeHub = closeHub;
  }

  touchstone(...args: string[]): Promise<CapturedRun> {
    return captureRun(this.folder, args);
  }

  runPrintedCommand(earlierRun: CapturedRun, heading: string): Promise<CapturedRun> {
    const lines = earlierRun.out.split("\n");
    const commandLine = lines[lines.findIndex((line) => line.startsWith(heading)) + 1]?.trim() ?? "";
    const args = splitCommand(commandLine);
    const start = args.findIndex((arg) => /^(?:run|play|baseline)$/.test(arg));
    if (start < 0) throw new Error(`no command under "${heading}": ${earlierRun.out}`);
    return captureRun(this.folder, args.slice(start));
  }

  configure(changes: Readonly<Record<string, unknown>>): void {
    const { url } = this.hub;
    const hook = (name: string): unknown => ({ http: { url: `${url}/operator/${name}` } });
    const defaults = {
      protocol: this.protocol.name,
      target: { kind: "http", url },
      credentials,
      hooks: { resolve: hook("resolve"), clock: hook("clock") },
      vectors: this.sets.old,
      baseline: baselineFile,
      timeout: 60_000,
    };
    writeFileSync(this.#pathOf(configFile), JSON.stringify({ ...defaults, ...changes }, undefined, 2));
  }

  readList(): Baseline {
    return JSON.parse(this.readListText()) as Baseline;
  }

  readListText(): string {
    const path = this.#pathOf(baselineFile);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }

  writeList(text: string): void {
    writeFileSync(this.#pathOf(baselineFile), text);
    this.listBefore = text;
  }

  editEntries(change: (entries: BaselineEntry[]) => void): void {
    const list = this.readList();
    change(list.entries);
    this.writeList(`${JSON.stringify(list, undefined, 2)}\n`);
  }

  readReport(file: string): Report {
    return JSON.parse(readFileSync(this.#pathOf(file), "utf8")) as Report;
  }

  async reset(): Promise<void> {
    const { hub } = this;
    delete hub.trouble;
    Object.assign(hub, { broken: new Set(excusedBugs), isReworded: false });
    await hub.stop();
    await hub.listen();
    this.configure({});
    this.#initialList ??= await this.#listExcused();
    this.writeList(this.#initialList);
  }

  async close(): Promise<void> {
    await this.#closeHub();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The list that a run with the excused mistakes writes. */
  async #listExcused(): Promise<string> {
    rmSync(this.#pathOf(baselineFile), { force: true });
    const runOptions = ["--update-baseline", "--reason", "until 2.0", "--report", "json=before.json"];
    const { code, out, err } = await this.touchstone("run", "--quiet", "--no-wait", ...runOptions);
    if (code !== 0) throw new Error(`no list: ${out}${err}`);
    return this.readListText();
  }

  #pathOf(file: string): string {
    return join(this.folder, file);
  }
}

/** Splits a command line into its arguments, without their quotes. */
function splitCommand(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

/** Plays a run with the excused mistakes and one more. Returns the newly broken rules, without the name of the protocol. */
export async function findBrokenRules(world: GateWorld, bug: string): Promise<string[]> {
  await world.reset();
  world.hub.broken = new Set([...excusedBugs, bug]);
  await world.touchstone("run", "--quiet", "--report", "json=broken.json");
  const results = world.readReport("broken.json").runs.flatMap((run) => run.results);
  const newFailures = results.filter(
    ({ outcome, known: knownFailure }) => knownFailure === undefined && !/^(conforms|disputed|skipped)$/.test(outcome),
  );
  const rules = newFailures.map(
    ({ rule = "no rule", outcome }) => `${rule.replace(/^[A-Z]+-/, "")}${outcome === "violates" ? "" : ` ${outcome}`}`,
  );
  return [...new Set(rules)].sort();
}
