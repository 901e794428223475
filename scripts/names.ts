import { home } from "../schemas/index.ts";
import { isProgram, isTest, readTree, type Tree } from "./tree.ts";

/** The maximum count of each kind of bad name. A ceiling is lowered when names get better, and is never raised. */
export const ceilings: Readonly<Record<"participles" | "shared", number>> = { participles: 12, shared: 2 };

/** How far a count may lie below its ceiling before the ceiling must be lowered. */
export const slack = 5;

/** A definition: its name and its file. */
export interface Definition {
  name: string;
  file: string;
}

/** The names of a tree that are counted. */
export interface NameCounts {
  functions: Definition[];
  /** Functions named with only a past participle, which names neither the action nor its object. */
  participles: Definition[];
  /** Names of types that more than one file defines, with these files. */
  shared: { name: string; files: string[] }[];
}

/** Past participles that differ from their verb in a way other than `ed`. `read`, `cut`, `put`, `set` and the like are also imperatives. */
const irregularParticiples = new Set(
  `begun bent bound bought broken brought built caught chosen clad dealt done drawn driven drunk eaten fallen fed felt fought found forgotten frozen
given gone grown heard held hidden hung kept known laid lain led left lent lit lost made meant met paid proven ridden risen rung said seen sent sewn
shaken shot shown slept sold spent spoken sprung spun stolen stood struck sung sunk sworn swum taken taught thought thrown told torn understood won
woken worn wound woven written`.split(/\s+/),
);

/** Other words with the ending of a participle. */
const otherWords = new Set(
  "bed bleed breed embed exceed feed need proceed red seed shed speed succeed weed".split(" "),
);

/** The names defined by programs, without tests and fixtures. */
export function namesIn(tree: Tree): NameCounts {
  const programs = [...tree].filter(([path]) => isProgram(path) && !isTest(path));
  const functions = programs.flatMap(([file, text]) => functionNames(text).map((name) => ({ name, file })));
  const filesOf = new Map<string, Set<string>>();
  for (const [file, text] of programs)
    for (const name of typeNames(text)) filesOf.set(name, (filesOf.get(name) ?? new Set<string>()).add(file));
  return {
    functions,
    participles: functions.filter(({ name }) => isParticiple(name)),
    shared: [...filesOf]
      .filter(([, files]) => files.size > 1)
      .map(([name, files]) => ({ name, files: [...files].sort() }))
      .sort((a, b) => b.files.length - a.files.length || (a.name < b.name ? -1 : 1)),
  };
}

/** Whether a name is a single past participle. */
export function isParticiple(name: string): boolean {
  return irregularParticiples.has(name) || (/^[a-z]+ed$/.test(name) && !otherWords.has(name));
}

/** The functions that a text declares, and the constants that it defines as functions. */
export function functionNames(text: string): string[] {
  const code = withoutComments(text);
  const declarations = [...code.matchAll(/^\s*(?:export )?(?:default )?(?:async )?function\*? ?([\w$]+)/gm)];
  const constants = [...code.matchAll(/^\s*(?:export )?(?:const|let) ([\w$]+)\b/gm)].filter(
    ({ 0: declaration, index }) => beginsFunction(code, index + declaration.length),
  );
  return [...declarations, ...constants].map(([, name]) => name as string);
}

/** The types, interfaces, classes and enumerations that a text declares. */
export function typeNames(text: string): string[] {
  const declarations = withoutComments(text).matchAll(
    /^(?:export )?(?:declare )?(?:abstract )?(?:interface|class|enum|type) ([\w$]+)(?=[ <{=])/gm,
  );
  return [...declarations].map(([, name]) => name as string);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

/** Whether the value of a constant is a function; `at` is the end of its name. */
function beginsFunction(code: string, at: number): boolean {
  const declaration = /^(?:: (?:[^=;\n]|=>)*)? =\s*(?:async )?/.exec(code.slice(at, at + 2_000));
  if (declaration === null) return false;
  const value = code.slice(at + declaration[0].length);
  if (/^(?:function\b|[\w$]+ =>)/.test(value)) return true;
  const remainder = afterTypeParameters(value);
  if (!remainder.startsWith("(")) return false;
  let depth = 0;
  for (let index = 0; index < remainder.length; index += 1) {
    if (remainder[index] === "(") depth += 1;
    else if (remainder[index] === ")") depth -= 1;
    // The return type of a function may be between its parameters and its arrow.
    if (depth === 0) return /^\)(?:: (?:[^=;\n]|=>)*?)? =>/.test(remainder.slice(index, index + 500));
  }
  return false;
}

function afterTypeParameters(value: string): string {
  return value.replace(/^<[^()]*?>(?=\()/, "");
}

// As a program it lists the names.
if (process.argv[1] === import.meta.filename) {
  const { functions, participles, shared } = namesIn(readTree(home));
  for (const { name, file } of participles) console.log(`${name} ${file}`);
  for (const { name, files } of shared) console.log(`${name} ${files.join(" ")}`);
  console.log(`${participles.length} of ${functions.length} functions are named by a bare participle`);
  console.log(`${shared.length} names of types are defined in more than one file`);
}
