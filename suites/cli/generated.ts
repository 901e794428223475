import { join } from "node:path";
import type { LoadedSchemas, Manifest } from "../../schemas/index.ts";
import { cut, visible } from "../text/escape.ts";

/** What came of making vectors from a schema. */
export interface Generated {
  folder: string;
  manifest: Manifest;
  document: Manifest["documents"][number];
  findings: readonly { at: string; kind: string; why: string }[];
  /** The time was over. */
  stopped: boolean;
  source: LoadedSchemas["source"];
}

const mostListed = 40;
const notWorkedOn = "not worked on";

/** As text for a person: files, what the vectors force, what is odd in the schema. Nothing in it does anything to a terminal. */
export function generated({ folder, manifest, document, findings, stopped, source }: Generated): string {
  const { forcing } = document;
  const skipped = document.unbroken.filter(({ why }) => why.startsWith(notWorkedOn));
  const [some] = skipped;
  const where = (at: string): string => {
    const place = source(at);
    return place === undefined ? at : `${place.file}:${place.line}:${place.column} ${at.slice(at.indexOf("#"))}`;
  };
  const lines = [
    ...manifest.files.map(({ path, count }) => `${String(count).padStart(6)}  ${join(folder, path)}`),
    "",
    `${document.broken} of ${document.sites} assertions are broken alone by some vector`,
    ...(some === undefined ? [] : [`  ${skipped.length} were ${some.why}`]),
    `${forcing.twice} of ${forcing.mutants} small mistakes in the schema are told by two vectors or more, ${forcing.once} by one, ${forcing.equivalent} are proven to change nothing`,
    ...(forcing.partial === true ? ["  there are more mistakes than were worked on"] : []),
    ...few(
      forcing.unforced.map(
        ({ site, says, kills, why }) => `${kills === 0 ? "not told" : "told once"}: ${says} (${where(site)}): ${why}`,
      ),
      ", see MANIFEST.json",
    ),
    "",
    findings.length === 0 ? "The schema shows nothing odd." : `${findings.length} places in the schema to look at:`,
    ...few(findings.map(({ at, kind, why }) => `${kind}: ${where(at)} ${why}`)),
    ...(stopped ? ["", "This is not all: the time was over. Give it longer with --deadline."] : []),
    ...(!stopped && (some !== undefined || forcing.partial === true)
      ? [
          "",
          "This is not all: the schema is large, and its outermost parts were worked on. --effort 10 does ten times as much.",
        ]
      : []),
  ];
  return `${lines.map((line) => cut(visible(line), 500)).join("\n")}\n`;
}

function few(lines: readonly string[], others = ""): string[] {
  const more = lines.length - mostListed;
  const rest = more > 0 ? [`  … and ${more} more${others}`] : [];
  return [...lines.slice(0, mostListed).map((line) => `  ${line}`), ...rest];
}
