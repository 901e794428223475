import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSea } from "node:sea";
import { home } from "../../../schemas/light-entry.ts";
import { quote } from "./quote.ts";

/** Facts that show how the reader calls this program. */
export interface CallStanding {
  /** A file of this program: source in a clone, built in an installation. */
  file: string;
  /** The folder of the package. */
  home: string;
  /** The working folder. */
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  isThere(path: string): boolean;
}

/** The command for this program in the reader's folder, for every printed command. */
export function programName(): string {
  if (isSea()) return "touchstone";
  return programOf({
    file: import.meta.filename,
    home,
    folder: process.cwd(),
    environment: process.env,
    isThere: existsSync,
  });
}

/** In a clone the npm script, which only works there; in an installation the package manager; its name if it is on the path. */
export function programOf({ file, home: own, folder, environment, isThere }: CallStanding): string {
  // A clone has its compiler beside the installed packages.
  if (file.endsWith(".ts") || file.startsWith(join(own, "node_modules"))) {
    if (folder === own) return "npm run -s touchstone --";
    return `${quote(join(own, "node_modules", ".bin", "tsx"))} ${quote(join(own, "suites", "cli", "main.ts"))}`;
  }
  const called = /^(npm|pnpm|yarn|bun)\//.exec(environment.npm_config_user_agent ?? "")?.[1] as Manager | undefined;
  const above = foldersAbove(folder);
  const project = above.find((each) => isThere(join(each, "node_modules", "touchstone", "package.json")));
  if (project === undefined) return called === undefined ? "touchstone" : packageRunners[called];
  const locked = above
    .map((each) => lockFiles.find(([name]) => isThere(join(each, name))))
    .find((found) => found !== undefined);
  return within[called ?? locked?.[1] ?? "npm"];
}

type Manager = "npm" | "pnpm" | "yarn" | "bun";

/** In a project that has the package. */
const within: Record<Manager, string> = {
  npm: "npx touchstone",
  pnpm: "pnpm exec touchstone",
  yarn: "yarn touchstone",
  bun: "bunx touchstone",
};

/** Fetched for one call. */
const packageRunners: Record<Manager, string> = {
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

const named = new RegExp(
  `(?<![\\w./@-]|npx |exec |dlx |-- |-s )touchstone (?=(?:${verbs.join("|")}|--)(?![\\w-]))`,
  "g",
);

/** A text of ours with the commands in it as the reader calls them: it says `touchstone run …`. */
export function renameProgram(text: string): string {
  return text.replace(named, `${programName().replaceAll("$", "$$$$")} `);
}
