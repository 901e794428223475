import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { home } from "../../schemas/index.ts";
import { median, round, shareOf, table } from "./table.ts";

/** Measures how long the compiled command takes to print its answer, compared with Node running an empty script. */
export function startTable(rounds: number, module: string): string {
  const main = join(home, "dist", "suites", "cli", "main.js");
  const commands: [string, string[], number][] = [
    ["node, empty script", ["--eval", "0"], Number.NaN],
    ["touchstone --help", [main, "--help"], 100],
    ["touchstone --version", [main, "--version"], 100],
    ["touchstone run all --module", [main, "run", "all", "--module", module, "--quiet", "--no-config"], 2000],
  ];
  const durations = commands.map((): number[] => []);
  for (let turn = 0; turn < 2 * rounds; turn += 1) {
    for (const [index, [, args]] of commands.entries()) {
      const startedAt = performance.now();
      spawnSync(process.execPath, args, { stdio: "ignore", cwd: dirname(module) });
      (durations[index] as number[]).push(performance.now() - startedAt);
    }
  }
  const rows = commands.map(([name, , budget], index) => {
    const milliseconds = median(durations[index] as number[]);
    const ratio = `${round(milliseconds / median(durations[0] as number[]))} x`;
    return [name, round(milliseconds), Number.isNaN(budget) ? "" : shareOf(milliseconds, budget, "ms"), ratio];
  });
  return table(["the whole command", "ms", "budget", "relative to node"], rows);
}
