import { spawn } from "node:child_process";
import { TouchstoneError } from "../../schemas/index.ts";

/** What is over time ends by itself, with what there is; if it does not, it is stopped. */
const patience = 2;

/** Does this command, or that of other words, once more in a process that can be stopped, whatever it is at: a foreign schema can keep it busy for ever. */
export function guarded(seconds: number, words?: readonly string[]): Promise<number> {
  const [node, program, ...own] = process.argv as [string, string, ...string[]];
  const args = words ?? own;
  const limits = ["--max-old-space-size=2048", "--stack-size=3900"];
  const child = spawn(node, [...process.execArgv, ...limits, program, ...args, "--unguarded"], { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        child.kill("SIGKILL");
        reject(
          new TouchstoneError("usage", `no end after ${patience * seconds} seconds, and nothing to write`, {
            hint: "give it longer with --deadline, or simplify the schema: deep recursion or very large bounds take long",
          }),
        );
      },
      patience * seconds * 1000,
    );
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      if (code !== null) resolve(code);
      else
        reject(
          new TouchstoneError("usage", `the work ended by ${signal}`, { hint: "it may need more memory than 2 GiB" }),
        );
    });
  });
}
