import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSea } from "node:sea";
import { home } from "../../../schemas/light-entry.ts";
import { quoteForShell } from "./quote.ts";

/** The facts that determine how the reader calls this program. */
export interface CallContext {
  /** A file of this program: TypeScript in a clone, JavaScript in an installation. */
  file: string;
  /** The folder of the package. */
  home: string;
  /** The working folder. */
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  exists(path: string): boolean;
}

/** Returns the command that calls this program from the reader's folder; every printed command begins with it. */
export function programName(): string {
  if (isSea()) return "touchstone";
  return programOf({
    file: import.meta.filename,
    home,
    folder: process.cwd(),
    environment: process.env,
    exists: existsSync,
  });
}

/** Determines the command: in a clone, the npm script, which works only there; in an installation, the call through the package manager; otherwise the bare name, found on the path. */
export function programOf({ file, home: packageFolder, folder, environment, exists }: CallContext): string {
  // A clone has its compiler beside the installed packages.
  if (file.endsWith(".ts") || file.startsWith(join(packageFolder, "node_modules"))) {
    if (folder === packageFolder) return "npm run -s touchstone --";
    return `${quoteForShell(join(packageFolder, "node_modules", ".bin", "tsx"))} ${quoteForShell(join(packageFolder, "suites", "cli", "main.ts"))}`;
  }
  const manager = /^(npm|pnpm|yarn|bun)\//.exec(environment.npm_config_user_agent ?? "")?.[1] as Manager | undefined;
  const folders = foldersAbove(folder);
  const project = folders.find((parent) => exists(join(parent, "node_modules", "touchstone", "package.json")));
  if (project === undefined) return manager === undefined ? "touchstone" : fetchingCalls[manager];
  const lockFile = folders
    .map((parent) => lockFiles.find(([name]) => exists(join(parent, name))))
    .find((file) => file !== undefined);
  return installedCalls[manager ?? lockFile?.[1] ?? "npm"];
}

type Manager = "npm" | "pnpm" | "yarn" | "bun";

/** The calls in a project that has the package installed. */
const installedCalls: Record<Manager, string> = {
  npm: "npx touchstone",
  pnpm: "pnpm exec touchstone",
  yarn: "yarn touchstone",
  bun: "bunx touchstone",
};

/** The calls that fetch the package for a single run. */
const fetchingCalls: Record<Manager, string> = {
  npm: "npx touchstone",
  pnpm: "pnpm dlx touchstone",
  yarn: "yarn dlx touchstone",
  bun: "bunx touchstone",
};

const lockFiles: readonly (readonly [name: string, manager: Manager])[] = [
  ["package-lock.json", "npm"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
];

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

/** The commands of this program, as they may occur in a text. */
export const verbs: readonly string[] =
  "init run challenge fuzz play agent replay explain report baseline certify verify freeze list validate generate lint compare coverage export check batch serve selftest completions".split(
    " ",
  );

const programInText = new RegExp(
  `(?<![\\w./@-]|npx |exec |dlx |-- |-s )touchstone (?=(?:${verbs.join("|")}|--)(?![\\w-]))`,
  "g",
);

/** Replaces `touchstone run …` in one of our texts by the command as the reader calls it. */
export function renameProgram(text: string): string {
  return text.replace(programInText, `${programName().replaceAll("$", "$$$$")} `);
}
