import { spawn } from "node:child_process";
import { program } from "../../base/process/built.fixture.ts";

/** Runs a command as a guide shows it, with the built program in place of `npx touchstone`; returns its output, followed by its errors. */
export function runCommand(folder: string, command: string): Promise<string> {
  const args = [...command.replace(/^npx touchstone /, "").matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  const child = spawn(process.execPath, [program, ...args], { cwd: folder });
  const output = { out: "", err: "" };
  child.stdout.on("data", (text) => (output.out += text));
  child.stderr.on("data", (text) => (output.err += text));
  return new Promise((resolve) => child.on("close", () => resolve(`${output.out}${output.err}`)));
}
