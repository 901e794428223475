import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSea } from "node:sea";
import { home } from "../../../schemas/light-entry.ts";
import { quote } from "./quote.ts";

/** Facts from which to derive how the reader calls this program. */
export interface CallStanding {
  /** A file of this program: TypeScript in a clone, JavaScript in an installation. */
  file: string;
  /** The folder of the package. */
  home: string;
  /** The working folder. */
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  isThere(path: string): boolean;
}

/** The command that calls this program from the reader's folder; every printed command begins with it. */
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

/** In a clone, the npm script, which works only there; in an installation, the call through the package manager; or the bare name if it is on the path. */
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

/** For a project that has the package installed. */
const within: Record<Manager, string> = {
  npm: "npx touchstone",
  pnpm: "pnpm exec touchstone",
  yarn: "yarn touchstone",
  bun: "bunx touchstone",
};

/** For a package that is fetched for a single call. */
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

/** Replaces `touchstone run …` in one of our texts by the command as the reader calls it. */
export function renameProgram(text: string): string {
  return text.replace(named, `${programName().replaceAll("$", "$$$$")} `);
}
