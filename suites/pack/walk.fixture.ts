import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { home } from "../../schemas/index.ts";
import { quote } from "../text/quote.ts";

/** One thing that a walk-through does: a file to write, or a command with what it prints. */
export type Step = { file: string; text: string } | { command: string; prints: string };

/** What a page does, in order: a code block after a line that ends in a file's name and a colon, and blocks with `$ command`. */
export function stepsIn(page: string): Step[] {
  const steps: Step[] = [];
  for (const [, before = "", text = ""] of page.matchAll(/(?:([^\n]*)\n)?\n```\w*\n([\s\S]*?)```\n/g)) {
    const [, file] = /`([\w./-]+)`[^`:]*:$/.exec(before) ?? [];
    if (file !== undefined) steps.push({ file, text });
    if (!text.startsWith("$ ")) continue;
    for (const part of text.split(/^\$ /m).slice(1)) {
      const [command = "", ...prints] = part.split("\n");
      steps.push({ command, prints: prints.join("\n").trimEnd() });
    }
  }
  return steps;
}

export function written(folder: string, { file, text }: { file: string; text: string }): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** Runs a command of the page as it stands, with this program for `npx touchstone`; gives what it printed, errors last. */
export function ran(folder: string, command: string): Promise<string> {
  const words = [...command.replace(/^npx touchstone /, "").matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  const main = join(home, "suites/cli/main.ts");
  const tsx = join(home, "node_modules/tsx/dist/loader.mjs");
  const child = spawn(process.execPath, ["--import", tsx, main, ...words], { cwd: folder });
  const said = { out: "", err: "" };
  child.stdout.on("data", (text) => (said.out += text));
  child.stderr.on("data", (text) => (said.err += text));
  return new Promise((resolve) => child.on("close", () => resolve(`${said.out}${said.err}`)));
}

/** How a reader elsewhere than in the clone calls this program, as it says itself. */
const fromSource = [join(home, "node_modules", ".bin", "tsx"), join(home, "suites", "cli", "main.ts")]
  .map(quote)
  .join(" ");

/** Whether a text is what a page shows; `…` stands for anything, over lines as well. */
export function isAsShown(text: string, shown: string): boolean {
  const literal = shown.split("…").map((each) =>
    each
      .trim()
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replace(/\s+/g, "\\s+"),
  );
  return new RegExp(`^\\s*${literal.join("[\\s\\S]*")}`).test(text.replaceAll(fromSource, "npx touchstone"));
}
