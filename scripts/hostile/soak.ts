import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { example, protocolNamed, type TargetConfig } from "../../schemas/index.ts";
import { loadVectors, runSuite } from "../../suites/index.ts";

interface ProcessUsage {
  /** The heap in bytes. */
  heap: number;
  handles: number;
  files: number;
}

/** The growth in bytes below which the heap counts as stable. */
const toleratedBytes = 8 * 2 ** 20;

/**
 * Runs a few vectors over every transport, this many times in one process. Returns whether it uses more memory, handles or files at the end
 * than after the first tenth.
 */
export async function soak(times: number, reportLine: (line: string) => void): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  const file = join(folder, "target.mjs");
  writeFileSync(file, "export default () => true;");
  const command = `node -e 'console.log(JSON.stringify({ready:true})); require("readline").createInterface({input:process.stdin}).on("line",(line)=>{const {seq}=JSON.parse(line);if(seq)console.log(JSON.stringify({seq,valid:true}))})'`;
  const targets: TargetConfig[] = [{ kind: "module", file }, { kind: "command", command }, { kind: "reference" }];
  const ids = loadVectors(protocolNamed(example.protocol)).files.flatMap(({ tests }) =>
    tests.slice(0, 5).map(({ id }) => id),
  );
  try {
    let usageBefore: ProcessUsage | undefined;
    for (let turn = 0; turn < times; turn++) {
      const target = targets[turn % targets.length] as TargetConfig;
      await runSuite({ protocols: example.protocol, target, only: ids });
      if (turn === Math.floor(times / 10)) usageBefore = await usageOf();
    }
    const usageAfter = await usageOf();
    if (usageBefore === undefined) return false;
    reportLine(
      `${times} runs in one process: ${describeUsage(usageBefore)} after the first tenth, ${describeUsage(usageAfter)} in the end`,
    );
    return (
      usageAfter.heap > usageBefore.heap + toleratedBytes ||
      usageAfter.handles > usageBefore.handles + 2 ||
      usageAfter.files > usageBefore.files + 2
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function describeUsage({ heap, handles, files }: ProcessUsage): string {
  return `${(heap / 2 ** 20).toFixed(1)} MiB of heap, ${handles} handles, ${files} files`;
}

async function usageOf(): Promise<ProcessUsage> {
  await sleep(500);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return {
    heap: process.memoryUsage().heapUsed,
    handles: process.getActiveResourcesInfo().filter((name) => name !== "Timeout").length,
    files: openDescriptors(),
  };
}

function openDescriptors(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}
