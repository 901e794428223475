import { importsOf, isProgram, isTest, type Tree } from "./tree.ts";

/** One rule of the house: what it complains of in a tree of files. */
export interface HouseRule {
  name: string;
  complaints(tree: Tree): string[];
}

/** What each folder may import of the others: at any time, and by dynamic import only. */
const reach: Record<string, { always: string[]; dynamically: string[] }> = {
  schemas: { always: [], dynamically: [] },
  generators: { always: ["schemas/index.ts"], dynamically: [] },
  suites: { always: ["schemas/index.ts"], dynamically: ["generators/index.ts"] },
  scripts: { always: ["schemas/index.ts", "generators/index.ts", "suites/index.ts"], dynamically: [] },
};

const oneWay: HouseRule = {
  name: "imports run one way, through a folder's index.ts",
  complaints: (tree) =>
    importsOf(tree).flatMap(({ from, to, dynamic, isOurs }) => {
      const { always = [], dynamically = [] } = reach[folderOf(from)] ?? {};
      const isAllowed =
        !isOurs || folderOf(to) === folderOf(from) || always.includes(to) || (dynamic && dynamically.includes(to));
      return isAllowed ? [] : [`${from} imports ${to}`];
    }),
};

const noCycles: HouseRule = {
  name: "no file imports itself by way of others",
  complaints(tree) {
    const next = new Map<string, string[]>();
    for (const { from, to, isOurs } of importsOf(tree)) if (isOurs) next.set(from, [...(next.get(from) ?? []), to]);
    const done = new Set<string>();
    const found: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      const begin = path.indexOf(file);
      if (begin !== -1) found.push([...path.slice(begin), file].join(" > "));
      if (begin !== -1 || done.has(file)) return;
      for (const to of next.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    };
    for (const file of next.keys()) visit(file, []);
    return found;
  },
};

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

const tellingNames: HouseRule = {
  name: "a file is named after what it does",
  complaints: (tree) =>
    programs(tree)
      .map(([path]) => path)
      .filter((path) => /(^|[/.-])(utils?|helpers?|misc|common|managers?)([/.-]|$)/.test(path)),
};

const mostLines = 300;

const shortFiles: HouseRule = {
  name: `a file has at most ${mostLines} lines`,
  complaints: (tree) =>
    programs(tree)
      .filter(([path, text]) => !isTest(path) && lines(text) > mostLines)
      .map(([path, text]) => `${path} has ${lines(text)} lines`),
};

const indexLists: HouseRule = {
  name: "an index.ts re-exports and lists, and does nothing",
  complaints: (tree) =>
    programs(tree)
      .filter(
        ([path, text]) => path.endsWith("/index.ts") && /\b(function|class|if|for|switch|await)\b|=>/.test(code(text)),
      )
      .map(([path]) => path),
};

const top = [
  ...["schemas", "generators", "suites", "vectors", "scripts"],
  ...["README.md", "LICENSE", "CHANGELOG.md", "package.json", "package-lock.json", "tsconfig.json"],
  ...[".biome.json", ".ci", ".gitattributes", ".github", ".gitignore", ".npmrc"],
];

const fewOnTop: HouseRule = {
  name: "the top level holds what it must, and a README in each of the five folders",
  complaints(tree) {
    const there = new Set([...tree.keys()].map((path) => path.split("/")[0] as string));
    const strange = [...there].filter((name) => !top.includes(name)).map((name) => `${name} is there`);
    const missing = top
      .slice(0, 5)
      .flatMap((name) => (tree.has(`${name}/README.md`) ? [] : [`${name}/README.md is missing`]));
    return [...strange, ...missing];
  },
};

const sameBytes: HouseRule = {
  name: "what generates asks neither the clock nor chance nor the locale",
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

/** In two parts each, so that this file does not hold them. */
const machinePaths = ["/wo" + "rk/", "/ro" + "ot/", "../sha" + "red"];

const noMachine: HouseRule = {
  name: "no file names a place on somebody's machine",
  complaints: (tree) =>
    [...tree].flatMap(([path, text]) =>
      machinePaths.filter((place) => text.includes(place)).map((place) => `${path} has ${place}`),
    ),
};

const anyRegistry: HouseRule = {
  name: "package-lock.json leaves open from which registry packages come",
  complaints: (tree) =>
    tree.get("package-lock.json")?.includes('"resolved"') ? ["package-lock.json has resolved addresses"] : [],
};

export const houseRules: readonly HouseRule[] = [
  oneWay,
  noCycles,
  declaredPackages,
  tellingNames,
  shortFiles,
  indexLists,
  fewOnTop,
  sameBytes,
  noMachine,
  anyRegistry,
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

/** A text without its comments. */
function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*$/gm, "");
}
