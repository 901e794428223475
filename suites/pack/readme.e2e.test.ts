import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { isAsShown, ran, stepsIn, written } from "./walk.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill();
  rmSync(folder, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nobody answers at ${url}`);
}

it("the walk-through does what it says", { timeout: 240_000 }, async () => {
  const port = await freePort();
  const steps = stepsIn(readFileSync(join(import.meta.dirname, "README.md"), "utf8"));
  const here = (text: string): string => text.replaceAll("8080", String(port));
  expect(steps.length).toBeGreaterThan(18);
  for (const step of steps) {
    if ("file" in step) written(folder, { ...step, text: here(step.text) });
    else if (step.command === "node server.mjs &") {
      running.push(spawn(process.execPath, ["server.mjs"], { cwd: folder }));
      await answers(`http://127.0.0.1:${port}/`);
    } else {
      const isRefused = step.prints.startsWith("touchstone: ");
      const told = (await ran(folder, here(step.command))).replaceAll(String(port), "8080");
      expect(isAsShown(told, step.prints), `${step.command}\n${told.slice(0, 6000)}\n--- shown:\n${step.prints}`).toBe(
        true,
      );
      expect(/^touchstone: /m.test(told), told).toBe(isRefused);
    }
  }
});
