import { posix } from "node:path";
import { transformSync } from "esbuild";
import { canonical, digestOf } from "../../schemas/index.ts";
import { importsOf, isProgram, isTest, type Tree } from "../tree.ts";

/** The code that makes vectors, without the packs of protocols. */
const engine = ["scripts/vectors/part.ts", "generators/index.ts", "suites/packs/pack/load.ts"];

/** Entry files that lead to the engine and the packs. Their other imports do not affect vectors. */
const entryFiles: ReadonlySet<string> = new Set(["suites/index.ts", "suites/packs/pack/load.ts"]);

/** Data that every protocol's vectors may depend on: our own schemas, and the versions of the libraries. */
const commonInputs = /^(?:schemas\/(?:[^/]+|touchstone\/.*)\.json|package(?:-lock)?\.json)$/;

/**
 * A digest of the inputs of a protocol's vectors: its schemas, profile and rules, the code of its rules, the engine with all its
 * imports, the libraries and the version of Node.js. It does not depend on other protocols, tests, comments or types.
 */
export function digestOfInputs(tree: Tree, protocol: string, versions: NodeJS.ProcessVersions): string {
  const names = withParents(tree, protocol);
  const isData = (path: string): boolean =>
    commonInputs.test(path) ||
    names.some(
      (name) =>
        // The table of former ids is an output of the vectors, not an input.
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

/** Caches results by text: the trees before and after a change share most files, and protocols share the engine. */
const codeByText = new Map<string, string>();

/** Removes comments, types and spaces from code, because they do not affect vectors. */
function statementsOf(path: string, text: string): string {
  const cachedCode = codeByText.get(text);
  if (cachedCode !== undefined || !/\.[jt]s$/.test(path)) return cachedCode ?? text;
  const { code } = transformSync(text, { loader: path.endsWith(".js") ? "js" : "ts", minifyWhitespace: true });
  codeByText.set(text, code);
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
  const paths = new Set([...engine, pack, ...parts.map(([, name]) => posix.join(posix.dirname(pack), name as string))]);
  const importsOfFile = new Map<string, string[]>();
  for (const { from, to, isOurs } of importsOf(tree)) {
    if (!isOurs || entryFiles.has(from) || from === pack) continue;
    importsOfFile.set(from, [...(importsOfFile.get(from) ?? []), to]);
  }
  for (const path of paths) for (const to of importsOfFile.get(path) ?? []) if (!isTest(to)) paths.add(to);
  return paths;
}
