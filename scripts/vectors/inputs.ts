import { posix } from "node:path";
import { transformSync } from "esbuild";
import { canonical, digestOf } from "../../schemas/index.ts";
import { importsOf, isProgram, isTest, type Tree } from "../tree.ts";

/** The code that makes vectors, without the packs of protocols. */
const engine = ["scripts/vectors/part.ts", "generators/index.ts", "suites/packs/pack/load.ts"];

/** Files on the way to the engine and the packs: their other imports make no vectors. */
const entryFiles: ReadonlySet<string> = new Set(["suites/index.ts", "suites/packs/pack/load.ts"]);

/** Data that every protocol's vectors may depend on, beside code: our own schemas, and the versions of the libraries. */
const commonInputs = /^(?:schemas\/(?:[^/]+|touchstone\/.*)\.json|package(?:-lock)?\.json)$/;

/**
 * A digest of the inputs of a protocol's vectors: its schemas, profile and rules, the code of the pack that decides these, the
 * code of the engine with all its imports, libraries, and the version of Node.js. Other protocols, tests, comments and types are not
 * included.
 */
export function digestOfInputs(tree: Tree, protocol: string, versions: NodeJS.ProcessVersions): string {
  const names = withParents(tree, protocol);
  const isData = (path: string): boolean =>
    commonInputs.test(path) ||
    names.some(
      (name) =>
        // The former ids are written when the vectors are made, and are not an input.
        (path.startsWith(`schemas/${name}/`) && !path.endsWith("/renamed.json")) ||
        (path.startsWith(`suites/protocols/${name}/rules/`) && !isProgram(path)),
    );
  const code = new Set(names.flatMap((name) => [...codeOf(tree, name)]));
  const paths = [...[...tree.keys()].filter(isData), ...code].sort();
  const texts = paths.map((path) => {
    const text = tree.get(path) ?? "";
    return [path, digestOf(code.has(path) ? statementsOf(path, text) : text)];
  });
  return digestOf(canonical({ versions: { ...versions } as Record<string, string>, texts }));
}

/** The results by text: the trees before and after a change share most of their files, and protocols share the engine. */
const statements = new Map<string, string>();

/** Code without comments, types and spaces: a better wording makes no other vectors. */
function statementsOf(path: string, text: string): string {
  const cachedCode = statements.get(text);
  if (cachedCode !== undefined || !/\.[jt]s$/.test(path)) return cachedCode ?? text;
  const { code } = transformSync(text, { loader: path.endsWith(".js") ? "js" : "ts", minifyWhitespace: true });
  statements.set(text, code);
  return code;
}

/** The protocol and the protocols that it extends. */
function withParents(tree: Tree, protocol: string): string[] {
  const profiles = [...tree].filter(
    ([path]) => path.startsWith(`schemas/${protocol}/`) && path.endsWith("/profile.json"),
  );
  const parents = profiles.flatMap(([, text]) => /"extends": \{\s*"pack": "([^"@]+)/.exec(text)?.[1] ?? []);
  return [protocol, ...parents.flatMap((parent) => withParents(tree, parent))];
}

/** The engine, a pack's rules and its signer, and their imports. */
function codeOf(tree: Tree, protocol: string): Set<string> {
  const pack = `suites/protocols/${protocol}/index.ts`;
  const parts = [...(tree.get(pack) ?? "").matchAll(/\b(?:rules|signer):[^\n]*?import\("([^"]+)"\)/g)];
  const found = new Set([...engine, pack, ...parts.map(([, name]) => posix.join(posix.dirname(pack), name as string))]);
  const importsOfFile = new Map<string, string[]>();
  for (const { from, to, isOurs } of importsOf(tree)) {
    if (!isOurs || entryFiles.has(from) || from === pack) continue;
    importsOfFile.set(from, [...(importsOfFile.get(from) ?? []), to]);
  }
  for (const path of found) for (const to of importsOfFile.get(path) ?? []) if (!isTest(to)) found.add(to);
  return found;
}
