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

/** The maximum difference of a stable heap, in bytes. */
const toleratedBytes = 8 * 2 ** 20;

/** Runs a few vectors over every transport, this many times in one process; returns whether it uses more memory at the end than after the first tenth. */
export async function soak(times: number, tell: (line: string) => void): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  const file = join(folder, "target.mjs");
  writeFileSync(file, "export default () => true;");
  const command = `node -e 'console.log(JSON.stringify({ready:true})); require("readline").createInterface({input:process.stdin}).on("line",(line)=>{const {seq}=JSON.parse(line);if(seq)console.log(JSON.stringify({seq,valid:true}))})'`;
  const targets: TargetConfig[] = [{ kind: "module", file }, { kind: "command", command }, { kind: "reference" }];
  const ids = loadVectors(protocolNamed(example.protocol)).files.flatMap(({ tests }) =>
    tests.slice(0, 5).map(({ id }) => id),
  );
  try {
    let first: ProcessUsage | undefined;
    for (let turn = 0; turn < times; turn++) {
      const target = targets[turn % targets.length] as TargetConfig;
      await runSuite({ protocols: example.protocol, target, only: ids });
      if (turn === Math.floor(times / 10)) first = await usageOf();
    }
    const last = await usageOf();
    if (first === undefined) return false;
    tell(`${times} runs in one process: ${inWords(first)} after the first tenth, ${inWords(last)} in the end`);
    return last.heap > first.heap + toleratedBytes || last.handles > first.handles + 2 || last.files > first.files + 2;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function inWords({ heap, handles, files }: ProcessUsage): string {
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
    handles: process.getActiveResourcesInfo().filter((each) => each !== "Timeout").length,
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
