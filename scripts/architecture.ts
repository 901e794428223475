import { linkComplaints } from "./links.ts";
import { roomComplaints } from "./rooms.ts";
import { sentenceComplaints } from "./sentences.ts";
import { importsOf, isProgram, isTest, type Tree } from "./tree.ts";
import { wordComplaints } from "./words.ts";

/** A rule of this repository. */
export interface HouseRule {
  name: string;
  /** Finds the breaches of the rule in a tree of files. */
  complaints(tree: Tree): string[];
}

/** The files that each folder may import: always, or only dynamically. */
const allowedImports: Record<string, { always: string[]; dynamically: string[] }> = {
  schemas: { always: [], dynamically: [] },
  generators: { always: ["schemas/index.ts"], dynamically: [] },
  // The command line prints its first output before most of the code of schemas is loaded.
  suites: { always: ["schemas/index.ts", "schemas/light-entry.ts"], dynamically: ["generators/index.ts"] },
  scripts: { always: ["schemas/index.ts", "generators/index.ts", "suites/index.ts"], dynamically: [] },
};

/** The tests of all folders may import this fixture, which chooses the part of a test that is run. */
const partFixture = "schemas/part.fixture.ts";

const packRules = /^suites\/protocols\/(?:[^/]+\/rules\/|[^/]+\.test\.ts$)/;

const oneWay: HouseRule = {
  name: "imports run one way, through a folder's index.ts",
  complaints: (tree) =>
    importsOf(tree).flatMap(({ from, to, dynamic, isOurs }) => {
      const { always = [], dynamically = [] } = allowedImports[folderOf(from)] ?? {};
      // The rules of a pack are loaded only when the engine is loaded too.
      if (packRules.test(from) && to === "generators/index.ts") return [];
      if (to === partFixture && /\.(test|fixture)\.ts$/.test(from)) return [];
      const isAllowed =
        !isOurs || folderOf(to) === folderOf(from) || always.includes(to) || (dynamic && dynamically.includes(to));
      return isAllowed ? [] : [`${from} imports ${to}`];
    }),
};

const noCycles: HouseRule = {
  name: "no file imports itself by way of others",
  complaints(tree) {
    const importsOfFile = new Map<string, string[]>();
    for (const { from, to, isOurs } of importsOf(tree))
      if (isOurs) importsOfFile.set(from, [...(importsOfFile.get(from) ?? []), to]);
    const visited = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      const startIndex = path.indexOf(file);
      if (startIndex !== -1) cycles.push([...path.slice(startIndex), file].join(" > "));
      if (startIndex !== -1 || visited.has(file)) return;
      for (const to of importsOfFile.get(file) ?? []) visit(to, [...path, file]);
      visited.add(file);
    };
    for (const file of importsOfFile.keys()) visit(file, []);
    return cycles;
  },
};

const noRings: HouseRule = {
  name: "no folder imports itself by way of the folders beside it",
  complaints(tree) {
    const importsOfFolder = new Map<string, Map<string, string>>();
    for (const { from, to, isOurs } of importsOf(tree)) {
      if (!isOurs || isTest(from)) continue;
      const [a, b] = differingRooms(from, to);
      if (a !== undefined && b !== undefined)
        importsOfFolder.set(a, (importsOfFolder.get(a) ?? new Map()).set(b, `${from} imports ${to}`));
    }
    const leadsTo = (from: string, goal: string, visitedFolders = new Set<string>()): boolean =>
      [...(importsOfFolder.get(from)?.keys() ?? [])].some((folder) => {
        if (folder === goal) return true;
        if (visitedFolders.has(folder)) return false;
        visitedFolders.add(folder);
        return leadsTo(folder, goal, visitedFolders);
      });
    return [...importsOfFolder].flatMap(([a, imports]) =>
      [...imports].flatMap(([b, example]) => (leadsTo(b, a) ? [`${a} and ${b} import each other: ${example}`] : [])),
    );
  },
};

/** The folders of two files where their paths first differ; undefined for a file directly in the common folder. */
function differingRooms(from: string, to: string): [string | undefined, string | undefined] {
  const [a, b] = [from.split("/"), to.split("/")];
  let shared = 0;
  while (a[shared] === b[shared]) shared += 1;
  const folder = (parts: readonly string[]): string | undefined =>
    parts.length > shared + 1 ? parts.slice(0, shared + 1).join("/") : undefined;
  return [folder(a), folder(b)];
}

const declaredPackages: HouseRule = {
  name: "package.json declares every package that is imported, for users if they need it",
  complaints(tree) {
    const {
      dependencies = {},
      devDependencies = {},
      peerDependencies = {},
    } = JSON.parse(tree.get("package.json") ?? "{}");
    return importsOf(tree).flatMap(({ from, to, isOurs }) => {
      if (isOurs || to.startsWith("node:")) return [];
      const name = to.split("/", to.startsWith("@") ? 2 : 1).join("/");
      const isForUsers = !isTest(from) && folderOf(from) !== "scripts";
      const isDeclared = name in dependencies || name in peerDependencies || (!isForUsers && name in devDependencies);
      return isDeclared ? [] : [`${from} imports ${to}`];
    });
  },
};

const plainFileNames: HouseRule = {
  name: "a file is named after its content",
  complaints: (tree) =>
    programs(tree)
      .map(([path]) => path)
      .filter((path) => /(^|[/.-])(utils?|helpers?|misc|common|managers?)([/.-]|$)/.test(path)),
};

/** The maximum lines of a file. A file has one subject, and few subjects need more lines. */
const maxLines = 500;

const shortFiles: HouseRule = {
  name: `a file has at most ${maxLines} lines`,
  complaints: (tree) =>
    programs(tree)
      .filter(([path, text]) => !isTest(path) && lines(text) > maxLines)
      .map(([path, text]) => `${path} has ${lines(text)} lines`),
};

const indexLists: HouseRule = {
  name: "an index.ts re-exports and lists, and does nothing",
  complaints: (tree) =>
    programs(tree)
      .filter(
        ([path, text]) =>
          path.endsWith("/index.ts") &&
          // The entry of a pack only names the modules to load.
          /\b(function|class|if|for|switch|await)\b(?!:)|=>/.test(
            code(text).replaceAll(/\(\) => import\("[^"]+"\)|"[^"]+"/g, ""),
          ),
      )
      .map(([path]) => path),
};

const topEntries = [
  "schemas",
  "generators",
  "suites",
  "vectors",
  "scripts",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  ".biome.json",
  ".ci",
  ".gitattributes",
  ".github",
  ".gitignore",
  ".npmrc",
];

const packs: HouseRule = {
  name: "a protocol is a line in the list of packs, a folder of data and a folder of code",
  complaints(tree) {
    const listedPacks = [...packsIn(tree), ...draftsIn(tree)];
    const missingFiles = listedPacks.flatMap(({ name, version }) =>
      [`schemas/${name}/${version}/profile.json`, `suites/protocols/${name}/index.ts`]
        .filter((path) => !tree.has(path))
        .map((path) => `${path} is missing`),
    );
    const unexpected = [...tree.keys()]
      .map((path) => /^suites\/protocols\/([^/]+)\//.exec(path)?.[1])
      .filter((name) => name !== undefined && !listedPacks.some((pack) => pack.name === name));
    return [
      ...missingFiles,
      ...new Set(unexpected.map((name) => `suites/protocols/${name} is not in the list of packs`)),
    ];
  },
};

/** Whether a file may name a protocol: in the folders of the protocol, in tests, in data and in documents. */
function mayName(path: string, name: string): boolean {
  const ownFolders = [`schemas/${name}/`, `suites/protocols/${name}/`, `vectors/${name}/`];
  return (
    !isProgram(path) || isTest(path) || ownFolders.some((folder) => path.startsWith(folder)) || isPackageCheck(path)
  );
}

/** Whether a file belongs to the programs that test the package as users have it. */
function isPackageCheck(path: string): boolean {
  return path === "scripts/package.ts" || path.startsWith("scripts/package/");
}

const noNames: HouseRule = {
  name: "shared code names no protocol",
  complaints(tree) {
    const packs = packsIn(tree);
    const extensions = [...packs, ...draftsIn(tree)].map((pack) => ({ ...pack, base: baseOf(pack, tree) }));
    return packs.flatMap((pack) => {
      const { name } = pack;
      const packWord = new RegExp(`(?<![\\w#-])(?:${name}(?![a-z])|${prefixOf(pack, tree)}-[A-Z])`, "gi");
      const ownFolders = extensions
        .filter(({ base }) => base === name)
        .map((extension) => `suites/protocols/${extension.name}/`);
      return programs(tree)
        .filter(([path]) => !mayName(path, name) && !ownFolders.some((folder) => path.startsWith(folder)))
        .flatMap(([path, text]) =>
          [...new Set(text.match(packWord) ?? [])].map((matchedName) => `${path} names ${matchedName}`),
        );
    });
  },
};

/** The name of the pack that a pack extends. */
function baseOf({ name, version }: { name: string; version: string }, tree: Tree): string | undefined {
  const { extends: extension } = JSON.parse(tree.get(`schemas/${name}/${version}/profile.json`) ?? "{}");
  return extension?.pack?.split("@")[0];
}

/** The prefix of the ids of a pack's rules. */
function prefixOf({ name, version }: { name: string; version: string }, tree: Tree): string {
  return /"id": "([A-Z][A-Z0-9]*)-/.exec(tree.get(`schemas/${name}/${version}/rules.json`) ?? "")?.[1] ?? name;
}

function packsIn(tree: Tree): { name: string; version: string }[] {
  return JSON.parse(tree.get("schemas/packs.json") ?? '{"packs":[]}').packs;
}

/** Unfinished packs: data and code that no command knows yet. */
function draftsIn(tree: Tree): { name: string; version: string }[] {
  return JSON.parse(tree.get("schemas/packs.json") ?? "{}").drafts ?? [];
}

const fewOnTop: HouseRule = {
  name: "the top level has only the listed files and a README in each of the five folders",
  complaints(tree) {
    const topNames = new Set([...tree.keys()].map((path) => path.split("/")[0] as string));
    const unexpected = [...topNames].filter((name) => !topEntries.includes(name)).map((name) => `${name} is there`);
    const missingFiles = topEntries
      .slice(0, 5)
      .flatMap((name) => (tree.has(`${name}/README.md`) ? [] : [`${name}/README.md is missing`]));
    return [...unexpected, ...missingFiles];
  },
};

const sameBytes: HouseRule = {
  name: "generators use neither the clock nor chance nor the locale",
  complaints: (tree) =>
    programs(tree)
      .filter(([path]) => path.startsWith("generators/") && !isTest(path))
      .flatMap(([path, text]) =>
        [
          ...code(text).matchAll(
            /Math\.random|Date\.now|new Date\(\)|performance\.now|toLocale\w*|localeCompare|\bIntl\b/g,
          ),
        ].map(([word]) => `${path} uses ${word}`),
      ),
};

/** Paths of one machine. Each is split in two, so that this file does not contain it. */
const machinePaths = ["/wo" + "rk/", "/ro" + "ot/", "../sha" + "red"];

const noMachine: HouseRule = {
  name: "no file names a path of one machine",
  complaints: (tree) =>
    [...tree].flatMap(([path, text]) =>
      machinePaths
        .filter((machinePath) => text.includes(machinePath))
        .map((machinePath) => `${path} has ${machinePath}`),
    ),
};

const noRegistry: HouseRule = {
  name: "package-lock.json names no registry",
  complaints: (tree) =>
    tree.get("package-lock.json")?.includes('"resolved"') ? ["package-lock.json has resolved addresses"] : [],
};

const roomsApart: HouseRule = {
  name: "a room of suites imports only lower ones, in its table",
  complaints: roomComplaints,
};

const plainFacts: HouseRule = { name: "no sentence is read as data", complaints: sentenceComplaints };

const plainWords: HouseRule = { name: "words are those that engineers know", complaints: wordComplaints };

const liveLinks: HouseRule = { name: "a link of a page leads to a file and a heading", complaints: linkComplaints };

export const houseRules: readonly HouseRule[] = [
  oneWay,
  noCycles,
  noRings,
  packs,
  noNames,
  declaredPackages,
  plainFileNames,
  shortFiles,
  indexLists,
  fewOnTop,
  roomsApart,
  sameBytes,
  noMachine,
  noRegistry,
  plainFacts,
  plainWords,
  liveLinks,
];

function programs(tree: Tree): (readonly [path: string, text: string])[] {
  return [...tree].filter(([path]) => isProgram(path));
}

function folderOf(path: string): string {
  return path.split("/")[0] as string;
}

function lines(text: string): number {
  return text.split("\n").length - 1;
}

/** Removes the comments from a program. */
function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*$/gm, "");
}
