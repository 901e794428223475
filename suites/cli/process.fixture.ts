import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { home } from "../../schemas/index.ts";

/** Runs the program as users do, in a process of its own. */
export async function touchstone(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const main = join(home, "suites/cli/main.ts");
  const child = spawn(process.execPath, ["--import", "tsx", main, ...args], { cwd: home });
  let out = "";
  let err = "";
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (err += text));
  const [code] = await once(child, "close");
  return { code: code as number, out, err };
}

/** Starts a server of the program, in a process of its own. Where it cannot be started, its words are the error. */
export async function started(...args: string[]): Promise<{ url: string; close(): Promise<void> }> {
  const main = join(home, "suites/cli/main.ts");
  const child = spawn(process.execPath, ["--import", "tsx", main, ...args], { cwd: home });
  const ended = once(child, "close");
  const failed = once(child.stderr, "data").then(async ([text]) => {
    await ended;
    throw new Error(String(text));
  });
  const [line] = await Promise.race([once(child.stdout, "data"), failed]);
  failed.catch(() => {});
  return {
    url: String(line).trim(),
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
