import { spawn } from "node:child_process";
import { join } from "node:path";
import { home } from "../../schemas/index.ts";

/** Runs a command as a page would show it, with this program for `npx touchstone`; gives what it printed, errors last. */
export function ran(folder: string, command: string): Promise<string> {
  const words = [...command.replace(/^npx touchstone /, "").matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  const main = join(home, "suites/cli/main.ts");
  const tsx = join(home, "node_modules/tsx/dist/loader.mjs");
  const child = spawn(process.execPath, ["--import", tsx, main, ...words], { cwd: folder });
  const said = { out: "", err: "" };
  child.stdout.on("data", (text) => (said.out += text));
  child.stderr.on("data", (text) => (said.err += text));
  return new Promise((resolve) => child.on("close", () => resolve(`${said.out}${said.err}`)));
}
