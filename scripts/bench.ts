import { cpus } from "node:os";
import { TouchstoneError } from "../schemas/index.ts";
import { benches } from "./bench/index.ts";

const usage = `npm run bench NAME -- ARGUMENTS

${benches.map(({ name, title }) => `  ${name.padEnd(12)} ${title}`).join("\n")}`;

/** Runs one benchmark, or lists all of them. */
async function bench([benchName, ...args]: readonly string[]): Promise<void> {
  if (benchName === undefined) {
    console.log(usage);
    return;
  }
  const benchmark = benches.find(({ name }) => name === benchName);
  if (benchmark === undefined) throw new TouchstoneError("usage", `unknown benchmark "${benchName}"`, { hint: usage });
  const [cpu] = cpus();
  console.log(`${cpu?.model.trim() ?? "unknown processor"}, ${cpus().length} cores, node ${process.version}`);
  console.log(`${benchmark.name}: ${benchmark.title}\n`);
  await benchmark.run(args);
}

await bench(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof TouchstoneError ? error.message : error);
  process.exitCode = error instanceof TouchstoneError ? error.exitCode : 4;
});
