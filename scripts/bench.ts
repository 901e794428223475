import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { benches } from "./bench/index.ts";

const usage = `npm run bench -- NAME… [--quick]

${benches.map(({ name, title }) => `  ${name.padEnd(10)} ${title}`).join("\n")}

  --quick    fewer documents and rounds
`;

/** Runs the named benchmarks one after the other. */
async function bench(): Promise<number> {
  const { values, positionals } = parseArgs({ options: { quick: { type: "boolean" } }, allowPositionals: true });
  const unknown = positionals.find((wanted) => !benches.some(({ name }) => name === wanted));
  if (unknown !== undefined || positionals.length === 0) {
    console.error(unknown === undefined ? usage : `there is no benchmark "${unknown}"\n\n${usage}`);
    return unknown === undefined ? 0 : 2;
  }
  const [cpu] = cpus();
  console.log(`${cpu?.model.trim() ?? "unknown processor"}, ${cpus().length} cores, node ${process.version}`);
  for (const { name, title, run } of benches) {
    if (!positionals.includes(name)) continue;
    console.log(`\n${name}: ${title}`);
    await run({ quick: values.quick ?? false });
  }
  return 0;
}

process.exitCode = await bench();
