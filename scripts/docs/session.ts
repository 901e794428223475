import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { home } from "../../schemas/index.ts";
import { bundled } from "../bundle.js";
import { type CapturedRun, captureRun } from "./captured-run.ts";

const examples = join(home, "suites", "guides", "examples");
const ports = ["8080", "7000"];

/** The result of a command: its exit code, and its output with stderr if the code is 2 or more. */
export interface CommandOutput {
  code: number;
  text: string;
}

/** A folder with the examples, in which the commands of one page are run in sequence. */
export class ShellSession {
  readonly #outer = mkdtempSync(join(tmpdir(), "touchstone-docs-"));
  readonly #folder = join(this.#outer, "project");
  readonly #main: string;
  readonly #running: ChildProcess[] = [];
  readonly #ports = new Map<string, string>();
  readonly #examples = new Set<string>();

  private constructor(folder: string) {
    this.#main = join(folder, "suites", "cli", "main.js");
    mkdirSync(this.#folder);
    for (const [path, text] of packageOf(folder)) {
      mkdirSync(join(this.#outer, "node_modules", "touchstone"), { recursive: true });
      writeFileSync(join(this.#outer, "node_modules", "touchstone", path), text);
    }
    symlinkSync(join(home, "node_modules"), join(this.#folder, "node_modules"), "junction");
  }

  /** Opens a session in a new folder with the examples, unless the page creates all its files itself. */
  static async open(hasExamples: boolean): Promise<ShellSession> {
    process.env.TOUCHSTONE_BUILT ??= await bundled();
    const session = new ShellSession(process.env.TOUCHSTONE_BUILT);
    for (const port of ports) session.#ports.set(port, await freePort());
    if (!hasExamples) return session;
    for (const file of readdirSync(examples, { recursive: true, encoding: "utf8" })) {
      if (!statSync(join(examples, file)).isFile()) continue;
      session.#examples.add(file);
      session.write(file, readFileSync(join(examples, file), "utf8"));
    }
    return session;
  }

  /** Writes a file of the page. Throws if the examples have a different file of that name. */
  write(file: string, text: string): void {
    const path = join(examples, file);
    if (this.#examples.has(file) && readFileSync(path, "utf8") !== text)
      throw new Error(`${file} differs from ${path}`);
    mkdirSync(dirname(join(this.#folder, file)), { recursive: true });
    writeFileSync(join(this.#folder, file), this.#withActualPorts(text));
  }

  /** Runs a command with additional members in its environment, only for this command. */
  async run(command: string, env: Readonly<Record<string, string>> = {}): Promise<CommandOutput> {
    const environmentBefore = { ...process.env };
    Object.assign(process.env, env);
    try {
      // `|| test $? -eq N` allows the exit code N: a shard may have failures that the whole run expects.
      const [bareCommand, mayFail] = command.split(" || test $? -eq ");
      const output = await this.#run(bareCommand as string);
      return String(output.code) === mayFail ? { ...output, code: 0 } : output;
    } finally {
      for (const name of Object.keys(env))
        if (environmentBefore[name] === undefined) delete process.env[name];
        else process.env[name] = environmentBefore[name];
    }
  }

  async #run(command: string): Promise<CommandOutput> {
    const programAndArgs = splitCommand(this.#withActualPorts(command.replace(/ &$/, "")));
    if (programAndArgs[0] === "node" && command.endsWith("&")) return this.#start(programAndArgs.slice(1), command);
    if (programAndArgs[0] === "node") {
      const { code, out, err } = await runToEnd(this.#folder, programAndArgs.slice(1));
      return { code, text: this.#withPagePorts(code >= 2 ? `${out}${err}` : out) };
    }
    if (programAndArgs[0] !== "npx" || programAndArgs[1] !== "touchstone")
      throw new Error(`no page may run ${command}`);
    const args = programAndArgs.slice(2);
    if (args[0] === "serve") return this.#start([this.#main, ...args], command);
    const needsOwnProcess = args.some((arg) => /^\.\.?\/./.test(arg)) || /\.ya?ml$/.test(args[1] ?? "");
    const { code, out, err } = needsOwnProcess
      ? await runToEnd(this.#folder, [this.#main, ...args])
      : await captureRun(this.#folder, args);
    return { code, text: this.#withPagePorts(code >= 2 ? `${out}${err}` : out) };
  }

  close(): void {
    for (const child of this.#running) child.kill();
    rmSync(this.#outer, { recursive: true, force: true });
  }

  /** Starts a server instead of the running one. */
  async #start(args: string[], command: string): Promise<CommandOutput> {
    for (const child of this.#running.splice(0)) {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "close");
    }
    const child = spawn(process.execPath, args, { cwd: this.#folder });
    this.#running.push(child);
    let [out, err] = ["", ""];
    child.stdout.on("data", (text) => (out += text));
    child.stderr.on("data", (text) => (err += text));
    const actualPorts = [...this.#ports.values()];
    for (let tries = 0; tries < 1200; tries += 1) {
      if (child.exitCode !== null) break;
      const isReady =
        (await Promise.all(actualPorts.map(isListening))).includes(true) && (out !== "" || command.endsWith("&"));
      if (isReady) return { code: 0, text: this.#withPagePorts(out) };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${command} does not listen: ${out}${err}`);
  }

  #withActualPorts(text: string): string {
    return text.replaceAll(/\b\d{4}\b/g, (number) => this.#ports.get(number) ?? number);
  }

  #withPagePorts(text: string): string {
    const output = [...this.#ports].reduce((result, [port, actualPort]) => result.replaceAll(actualPort, port), text);
    return output
      .replaceAll(/(?:'[^']*tsx'|\S*tsx) (?:'[^']*main\.ts'|\S*main\.ts)|npm run -s touchstone --/g, "npx touchstone")
      .replaceAll(`${this.#folder}/`, "");
  }
}

/** Files of a package that programs of a page can import, as if it was installed. They are beside the folder of the page. */
function packageOf(folder: string): [path: string, text: string][] {
  const { exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const entries = Object.entries(exports as Record<string, string>).flatMap(([name, path]) =>
    path.startsWith("./dist/") && path.endsWith(".js") ? [[name, path.slice("./dist/".length)] as const] : [],
  );
  const files = entries.map(([, path]): [string, string] => [
    path.replaceAll("/", "-"),
    `export * from ${JSON.stringify(pathToFileURL(join(folder, path)).href)};\n`,
  ]);
  const exportPaths = Object.fromEntries(entries.map(([name, path]) => [name, `./${path.replaceAll("/", "-")}`]));
  return [["package.json", JSON.stringify({ name: "touchstone", type: "module", exports: exportPaths })], ...files];
}

/**
 * Runs a program in a separate process to its end. A command needs this if its page changes a pack, because a process loads a pack only
 * once, or if it has an OpenAPI document, because its vectors are made in another process that is started in the same way.
 */
async function runToEnd(cwd: string, args: readonly string[]): Promise<CapturedRun> {
  const child = spawn(process.execPath, args, { cwd });
  const result = { code: 0, out: "", err: "" };
  child.stdout.on("data", (text) => (result.out += text));
  child.stderr.on("data", (text) => (result.err += text));
  const [code] = await once(child, "close");
  return { ...result, code: Number(code ?? 4) };
}

function splitCommand(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

async function isListening(port: string): Promise<boolean> {
  const socket = connect(Number(port), "127.0.0.1");
  const isConnected = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}

/** A free port below the range of ephemeral ports, which other tests would soon use. */
async function freePort(): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(10_000, 32_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return String(port);
  }
  throw new Error("no port is free");
}
