import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Protocol } from "./protocol.ts";

/** A text that rules and freedoms cite. */
export interface CitedText {
  /** How it is cited (`RFC 8259`); empty for the text whose clauses stand without a mark. */
  mark: string;
  title: string;
  /** Where a reader opens it. */
  url: string;
  /** Clauses that may be cited, each with its subject; absent for a page that is cited whole. */
  clauses?: Record<string, string>;
}

/** What is made of a place where the sources are silent, unclear or contradict themselves. */
export interface Position {
  /** How it is cited: `A-24`. */
  id: string;
  /** What the text leaves open. */
  issue: string;
  /** What is required, tolerated or left free because of it. */
  position: string;
}

export interface PositionFile {
  $schema: string;
  protocol: string;
  version: string;
  sources: CitedText[];
  positions: Position[];
}

/** What the rules and freedoms of a protocol rest on. */
export type Grounds = Pick<PositionFile, "sources" | "positions">;

/** One ground that a text cites, or a part of the text that leads nowhere. */
export type Citation =
  | { kind: "clause"; source: CitedText; clause: string }
  | { kind: "page"; source: CitedText }
  | { kind: "position"; position: Position }
  | { kind: "unknown"; text: string };

/** The file `positions.json` beside the rules; undefined where a pack has none. */
export function groundsOf({ folder }: Pick<Protocol, "folder">): Grounds | undefined {
  const file = join(folder, "positions.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as PositionFile) : undefined;
}

/**
 * What a text such as `8.2; A-59`, `RFC 8259, 6` or `S#Metadata, D` cites. A comma keeps the source that was named before it, a semicolon ends it;
 * `§` and a remark in parentheses after a clause mean nothing.
 */
export function citationsIn(text: string, grounds: Grounds): Citation[] {
  return text.split(/;\s*/).flatMap((group) => {
    let source = grounds.sources.find(({ mark }) => mark === "");
    let isNamed = false;
    const found: Citation[] = [];
    for (const part of group.split(/,\s*/)) {
      const position = grounds.positions.find(({ id }) => id === part);
      const named = sourceAt(part, grounds.sources);
      if (position !== undefined) found.push({ kind: "position", position });
      else if (named === undefined) {
        if (isNamed && found.at(-1)?.kind === "page") found.pop();
        found.push(clauseIn(source, part, part));
      } else {
        source = named;
        isNamed = true;
        const rest = part.slice(named.mark.length).replace(/^[\s#:]+/, "");
        found.push(rest === "" || rest.startsWith("(") ? { kind: "page", source } : clauseIn(source, rest, part));
      }
    }
    return found;
  });
}

/** The source whose mark the text begins with; of several the one with the longest mark. */
function sourceAt(text: string, sources: readonly CitedText[]): CitedText | undefined {
  return sources
    .filter(({ mark }) => mark !== "" && text.startsWith(mark) && /^($|[\s#:])/.test(text.slice(mark.length)))
    .sort((a, b) => b.mark.length - a.mark.length)[0];
}

/** The longest clause of the source that the text begins with, such as 3.9 of `§3.9(7–8)`. */
function clauseIn(source: CitedText | undefined, text: string, whole: string): Citation {
  const written = text.replace(/^§\s*/, "");
  const clause = Object.keys(source?.clauses ?? {})
    .filter((each) => written.startsWith(each) && !/^\.?[0-9A-Za-z]/.test(written.slice(each.length)))
    .sort((a, b) => b.length - a.length)[0];
  return source === undefined || clause === undefined
    ? { kind: "unknown", text: whole }
    : { kind: "clause", source, clause };
}

/** Whether a page was meant whole though its source has clauses: such a citation leads nowhere in particular. */
export function leadsNowhere(citation: Citation): boolean {
  return citation.kind === "unknown" || (citation.kind === "page" && citation.source.clauses !== undefined);
}
