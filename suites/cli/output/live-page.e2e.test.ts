import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { example, home } from "../../../schemas/index.ts";
import { program } from "../../base/process/built.fixture.ts";

it("serves a page with the results until it is interrupted, and exits with the code of the report", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-ui-"));
  const file = join(folder, "all.mjs");
  writeFileSync(file, "export default () => true;\n");
  const args = ["run", example.protocol, "--module", file, "--only", "tag:core", "--no-config", "--quiet", "--ui"];
  const child = spawn(process.execPath, [program, ...args], { cwd: home });
  try {
    const exit = once(child, "exit");
    let output = "";
    const address = new Promise<string>((resolve) => {
      child.stderr.on("data", (data) => {
        output += String(data);
        const [url] = /http:\S+/.exec(output) ?? [];
        if (url !== undefined) resolve(url);
      });
    });
    const url = await address;
    // The summary is written when the run has ended; the page exists before and after that.
    const [summary] = await once(child.stdout, "data");
    expect(String(summary)).toContain(example.protocol);
    const page = await fetch(url);
    expect(await page.text()).toContain("Does not conform");
    child.kill("SIGINT");
    expect(await exit).toEqual([1, null]);
    // An incomplete report would mention the signal.
    expect(output).not.toContain("SIGINT");
    await expect(fetch(url)).rejects.toThrow();
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});
