import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../schemas/index.ts";
import { stepsOf } from "./docs/page.ts";
import { ShellSession } from "./docs/session.ts";
import { isAsShown, rewriteShown } from "./docs/shown-output.ts";

/** The pages whose commands are run. */
export const pages: readonly string[] = [
  "README.md",
  "suites/packs/pack/README.md",
  ...readdirSync(join(home, "suites", "guides"))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `suites/guides/${name}`),
];

/** Whether the commands of a page use the examples. The walk-through of packs creates all its files itself. */
export const hasExamples = (page: string): boolean => !page.startsWith("suites/packs/pack/");

/** The result of running the commands of a page. */
export interface WalkedPage {
  /** The commands whose result differs from the page. */
  complaints: string[];
  /** The page with the current output of the commands. */
  text: string;
}

/** Runs every command of a page in a folder with the files that the page shows and, by default, the examples. */
export async function walkPage(page: string, hasExamples = true): Promise<WalkedPage> {
  const lines = page.split("\n");
  const complaints: string[] = [];
  const changes: { from: number; to: number; text: string }[] = [];
  const session = await ShellSession.open(hasExamples);
  try {
    for (const step of stepsOf(page)) {
      if (step.kind === "file") {
        session.write(step.file, step.text);
        continue;
      }
      const { command, shown, env, from, to } = step;
      const { code, text } = await session.run(command, env);
      // Usage errors, missing targets and internal faults are expected only if the page shows them.
      const isShownFailure =
        shown !== undefined && (/^touchstone: /m.test(shown) || (/[^…\s]/.test(shown) && isAsShown(text, shown)));
      const isUnexpectedFailure = code >= 2 && !isShownFailure;
      if (isUnexpectedFailure) complaints.push(`line ${from + 1}: ${command}: ended with ${code}\n${text}`);
      if (isUnexpectedFailure || shown === undefined || isAsShown(text, shown)) continue;
      complaints.push(`line ${from + 1}: ${command}: prints\n${text.slice(0, 6000)}\n--- shown:\n${shown}`);
      changes.push({ from, to, text: rewriteShown(text, shown) });
    }
  } finally {
    session.close();
  }
  for (const { from, to, text } of changes.reverse()) lines.splice(from, to - from, ...text.split("\n"));
  return { complaints, text: lines.join("\n") };
}

/** Checks the named pages, or all of them. `--write` updates the output that they show. */
async function check(args: readonly string[]): Promise<void> {
  const namedPages = args.filter((arg) => !arg.startsWith("--"));
  for (const page of namedPages.length > 0 ? namedPages : pages) {
    const path = join(home, page);
    const { complaints, text } = await walkPage(readFileSync(path, "utf8"), hasExamples(page));
    for (const complaint of complaints) console.log(`${page}: ${complaint}\n`);
    if (args.includes("--write")) writeFileSync(path, text);
    else if (complaints.length > 0) process.exitCode = 1;
    console.log(
      `${page}: ${complaints.length} of its commands ${args.includes("--write") ? "print something new" : "do not print what it shows"}`,
    );
  }
}

if (process.argv[1] === import.meta.filename) await check(process.argv.slice(2));
