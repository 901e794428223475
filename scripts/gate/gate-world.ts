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
import { type GateHub, hubInFrontOf } from "./hub.ts";
import { writeSets } from "./sets.ts";

const list = "known.json";
const config = "touchstone.config.json";

/** The mistakes that the list excuses when an event begins. */
export const excusedBugs: readonly string[] = [bugs[0], bugs[4], bugs[15]].flatMap((bug) => bug?.name ?? []);
/** One more mistake, which the hub does not make when an event begins. */
export const otherMistake = "accepts any text as a runtime";

/** A project with a gate: a hub, a configuration, vectors, and a list of known failures. */
export interface GateWorld {
  folder: string;
  protocol: Protocol;
  hub: GateHub;
  sets: { old: string; next: string };
  /** Runs the program in the folder of the project. */
  touchstone(...args: string[]): Promise<CapturedRun>;
  /** Runs the command that another one has printed under a heading. */
  follow(ended: CapturedRun, heading: string): Promise<CapturedRun>;
  configure(more: Readonly<Record<string, unknown>>): void;
  read(): Baseline;
  text(): string;
  write(text: string): void;
  edit(change: (entries: BaselineEntry[]) => void): void;
  report(file: string): Report;
  /** The list after the last manual change, which a command must keep or change. */
  before: string;
  /** Restores the state before the event. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the hub, and writes the sets and a list of the violations of its excused mistakes. */
export async function openWorld(): Promise<GateWorld> {
  process.env.TOUCHSTONE_BUILT ??= await bundled();
  const protocol = protocolNamed(example.protocol);
  const folder = mkdtempSync(join(tmpdir(), "touchstone-gate-"));
  const { live } = await packOf(protocol);
  if (live === undefined) throw new Error(`${protocol.name} has no live reference`);
  const credentials = { a: { agent: "bot", token: "of-a" }, b: { agent: "other-bot", token: "of-b" } };
  const { live: reference } = await live();
  // Several runs use it, one after the other.
  const limits = { requestsPerMinute: 1e6, inboxDepth: 1e6 };
  const served = await reference.serve({ credentials, profile: "development", limits });
  const hub = await hubInFrontOf(served.url);
  const sets = writeSets(protocol, folder);
  /** Every event begins with this list of known failures. */
  let initialList: string | undefined;
  const pathOf = (file: string): string => join(folder, file);

  const world: GateWorld = {
    folder,
    protocol,
    hub,
    sets,
    before: "",
    touchstone: (...args) => captureRun(folder, args),
    follow(ended, heading) {
      const lines = ended.out.split("\n");
      const printed = lines[lines.findIndex((line) => line.startsWith(heading)) + 1]?.trim() ?? "";
      const words = wordsOf(printed);
      const start = words.findIndex((word) => /^(?:run|play|baseline)$/.test(word));
      if (start < 0) throw new Error(`no command under "${heading}": ${ended.out}`);
      return captureRun(folder, words.slice(start));
    },
    configure(more) {
      const hook = (name: string): unknown => ({ http: { url: `${hub.url}/operator/${name}` } });
      const defaults = {
        protocol: protocol.name,
        target: { kind: "http", url: hub.url },
        credentials,
        hooks: { resolve: hook("resolve"), clock: hook("clock") },
        vectors: sets.old,
        baseline: list,
        timeout: 60_000,
      };
      writeFileSync(pathOf(config), JSON.stringify({ ...defaults, ...more }, undefined, 2));
    },
    text: () => (existsSync(pathOf(list)) ? readFileSync(pathOf(list), "utf8") : ""),
    read: () => JSON.parse(world.text()) as Baseline,
    write(text) {
      writeFileSync(pathOf(list), text);
      world.before = text;
    },
    edit(change) {
      const value = world.read();
      change(value.entries);
      world.write(`${JSON.stringify(value, undefined, 2)}\n`);
    },
    report: (file) => JSON.parse(readFileSync(pathOf(file), "utf8")) as Report,
    async begin() {
      delete hub.trouble;
      Object.assign(hub, { broken: new Set(excusedBugs), isReworded: false });
      await hub.stop();
      await hub.listen();
      world.configure({});
      if (initialList === undefined) {
        rmSync(pathOf(list), { force: true });
        const baselineRun = await world.touchstone(
          "run",
          "--quiet",
          "--no-wait",
          "--update-baseline",
          "--reason",
          "until 2.0",
          "--report",
          "json=before.json",
        );
        if (baselineRun.code !== 0) throw new Error(`no list: ${baselineRun.out}${baselineRun.err}`);
        initialList = world.text();
      }
      world.write(initialList);
    },
    async close() {
      await hub.close();
      await served.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}

function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

/** The rules newly broken in a run with the excused mistakes and one more, without the name of the protocol. */
export async function brokenBy(world: GateWorld, bug: string): Promise<string[]> {
  await world.begin();
  world.hub.broken = new Set([...excusedBugs, bug]);
  await world.touchstone("run", "--quiet", "--report", "json=broken.json");
  const results = world.report("broken.json").runs.flatMap((run) => run.results);
  const fresh = results.filter(
    ({ outcome, known }) => known === undefined && !/^(conforms|disputed|skipped)$/.test(outcome),
  );
  const rules = fresh.map(
    ({ rule = "no rule", outcome }) => `${rule.replace(/^[A-Z]+-/, "")}${outcome === "violates" ? "" : ` ${outcome}`}`,
  );
  return [...new Set(rules)].sort();
}
