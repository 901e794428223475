import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  home,
  type Manifest,
  ownVectors,
  type Protocol,
  protocolsNamed,
  type Vector,
  type VectorFile,
} from "../../schemas/index.ts";

// npx tsx scripts/docs/numbers.ts: writes the numbers of vectors/README.md and schemas/README.md from the set and the rules, and prints nothing.

/** A sentence of a page, with `#` in place of each number. */
interface CountedSentence {
  text: string;
  numbers: readonly number[];
}

/** A page, and all its sentences with numbers from the data. */
export interface CountedPage {
  path: string;
  sentences: readonly CountedSentence[];
}

const formatNumber = (value: number): string => value.toLocaleString("en");

/** Fills in the numbers of a sentence. */
export function spellSentence({ text, numbers }: CountedSentence): string {
  const remaining = [...numbers];
  return text.replace(/#/g, () => formatNumber(remaining.shift() ?? Number.NaN));
}

/** Updates the numbers of a page. Throws if a sentence is missing. */
export function withNumbers(text: string, { path, sentences }: CountedPage): string {
  return sentences.reduce((page, sentence) => {
    const pattern = new RegExp(sentence.text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("#", "[\\d,]+"));
    if (!pattern.test(page)) throw new Error(`${path} has no sentence ${JSON.stringify(sentence.text)}`);
    return page.replace(pattern, () => spellSentence(sentence));
  }, text);
}

/** The numbers in vectors/README.md. */
export function vectorsPage(): CountedPage {
  const read = <T>(path: string): T => JSON.parse(readFileSync(join(ownVectors, path), "utf8")) as T;
  const files = read<Manifest>("MANIFEST.json").files.map(({ path }) => ({ path, ...read<VectorFile>(path) }));
  const tests = (suffix: string): Vector[] =>
    files.flatMap((file) => (file.path.endsWith(`${suffix}.json`) ? file.tests : []));
  const count = (vectors: readonly Vector[], matches: (vector: Vector) => boolean): number =>
    vectors.filter(matches).length;
  const allVectors = tests("");
  const invalid = tests("/invalid");
  const hasNoRule = ({ rule }: Vector): boolean => rule === undefined;
  return {
    path: "vectors/README.md",
    sentences: [
      {
        text: "of # in all, # are in a\n`disputed.json`",
        numbers: [count(allVectors, ({ readings }) => readings !== undefined), tests("/disputed").length],
      },
      { text: "In # vectors it is `null`", numbers: [count(allVectors, ({ data }) => data === null)] },
      {
        text: "# vectors name none: # valid ones about nothing in particular, and # texts",
        numbers: [allVectors, tests("/valid"), tests("/raw")].map((vectors) => count(vectors, hasNoRule)),
      },
      {
        text: "The fault of # vectors breaks one assertion",
        numbers: [count(invalid, ({ site }) => site !== undefined)],
      },
      {
        text: "In the other # the changed place breaks several",
        numbers: [count(invalid, ({ site }) => site === undefined)],
      },
      {
        text: "# vectors there are texts",
        numbers: [count(tests("/semantic"), ({ data }) => data === undefined)],
      },
      ...files.flatMap(({ path, protocol, document, tests }) =>
        path.includes("/traces/") ? [{ text: `| \`${protocol}/…/${document}\` | # |`, numbers: [tests.length] }] : [],
      ),
    ],
  };
}

/** The documents that are messages or parts of messages: all except records and traces. */
function documentsOf({ profile }: Protocol): number {
  return profile.documents.filter(({ role }) => role !== "record" && role !== "trace").length;
}

/** The page of the schemas: a row for each protocol. */
export function schemasPage(): CountedPage {
  return {
    path: "schemas/README.md",
    sentences: protocolsNamed("all").map((protocol) => ({
      text: `| \`${protocol.name}@${protocol.version}\` | # | # |`,
      numbers: [documentsOf(protocol), protocol.rules.length],
    })),
  };
}

if (process.argv[1] === import.meta.filename)
  for (const page of [vectorsPage(), schemasPage()]) {
    const file = join(home, page.path);
    writeFileSync(file, withNumbers(readFileSync(file, "utf8"), page));
  }
