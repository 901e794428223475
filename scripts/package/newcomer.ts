import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { example, formerIds } from "../../schemas/index.ts";

/** Runs a program, such as `npx touchstone`, in the project, and returns its stdout. Throws for an unexpected exit code. */
export type NewcomerRun = (command: string, args: readonly string[], expected?: number) => string;

const { protocol, rule } = example;

/**
 * Follows the steps of a new user with a hub that has one fault: try the package, find the fault, add it to the baseline, fix it, and remove
 * it from the baseline. Each step depends on the output of the previous one.
 */
export async function walkThroughFirstUse(project: string, run: NewcomerRun): Promise<void> {
  const touchstone = (args: readonly string[], expected = 0): string => run("npx", ["touchstone", ...args], expected);
  let vector = "";
  const brokenHub = await serve(project, ["--variant", `without-${rule}`]);
  try {
    mustContain(touchstone(["init", "--http", brokenHub.url]), `8 of 8 vectors of ${protocol} conform`);
    const firstOutput = touchstone(["run"], 1);
    mustContain(firstOutput, "1 rule broken.", rule);
    [vector = ""] = new RegExp(`${protocol}/\\S+/${rule}/\\S+`).exec(firstOutput) ?? [];
    mustContain(readFileSync(join(project, "report", "touchstone.html"), "utf8"), rule, vector, "Does not conform");
    mustContain(touchstone(["explain", rule]), "To fix it", vector.split("/").slice(0, 3).join("/"));
    const [[oldId, currentId] = ["", "no id was ever renamed"]] = Object.entries(formerIds());
    mustContain(touchstone(["explain", oldId]), currentId);
    mustContain(touchstone(["replay", vector], 1), "STILL FAILING");
    const baselineArgs = ["--baseline", "known.json", "--update-baseline", "--reason", "until the next release"];
    touchstone(["run", "--quiet", ...baselineArgs]);
    mustContain(touchstone(["run", "--quiet", "--baseline", "known.json"]), "known failures");
  } finally {
    await brokenHub.stop();
  }
  const fixedHub = await serve(project, ["--port", new URL(brokenHub.url).port]);
  try {
    mustContain(touchstone(["replay", vector, "--from", "report/touchstone.json"]), "FIXED");
    const staleOutput = touchstone(["run", "--quiet", "--baseline", "known.json"], 1);
    mustContain(staleOutput, `stale: ${vector}`);
    const [, suggestedCommand = ""] = /To make the list fit:\n +(.*)/.exec(staleOutput) ?? [];
    run("sh", ["-c", suggestedCommand]);
    mustContain(readFileSync(join(project, "known.json"), "utf8"), '"entries": []');
    mustContain(touchstone(["run", "--quiet", "--baseline", "known.json"]), "Conforms");
  } finally {
    await fixedHub.stop();
  }
}

/** Serves a reference hub of the package, as a separate program. */
async function serve(project: string, options: readonly string[]): Promise<{ url: string; stop(): Promise<unknown> }> {
  const program = join(project, "node_modules", ".bin", "touchstone");
  const child: ChildProcess = spawn(program, ["serve", protocol, ...options], {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
  const [url] = (await Promise.race([once(lines, "line"), exit])) as [string];
  if (!/^http:/.test(url)) throw new Error(`the hub did not start: ${url}`);
  return {
    url,
    stop() {
      child.kill();
      return exit;
    },
  };
}

/** Throws unless the text contains each part. */
export function mustContain(text: string, ...parts: readonly string[]): void {
  for (const part of parts) if (!text.includes(part)) throw new Error(`"${part}" is not in\n${text.slice(0, 4000)}`);
}
