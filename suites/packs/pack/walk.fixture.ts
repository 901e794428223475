import { spawn } from "node:child_process";
import { program } from "../../base/process/built.fixture.ts";

/** Runs a command as a guide would show it, with this program for `npx touchstone`; returns the output, followed by errors. */
export function runCommand(folder: string, command: string): Promise<string> {
  const words = [...command.replace(/^npx touchstone /, "").matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  const child = spawn(process.execPath, [program, ...words], { cwd: folder });
  const said = { out: "", err: "" };
  child.stdout.on("data", (text) => (said.out += text));
  child.stderr.on("data", (text) => (said.err += text));
  return new Promise((resolve) => child.on("close", () => resolve(`${said.out}${said.err}`)));
}
