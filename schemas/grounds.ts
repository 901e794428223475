import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inheritedGrounds } from "./pack/grounds.ts";
import type { Protocol } from "./protocol.ts";

/** A text that rules and freedoms cite. */
export interface CitedText {
  /** The mark of citations (`RFC 8259`); empty for the text with clauses without a mark. */
  mark: string;
  title: string;
  /** The URL for a reader. */
  url: string;
  /** Clauses that may be cited, each with its subject; absent for a page that is cited whole. */
  clauses?: Record<string, string>;
}

/** Our position on a passage where the sources are silent, unclear or contradictory. */
export interface Position {
  /** How it is cited: `A-24`. */
  id: string;
  /** The open question. */
  issue: string;
  /** The requirement, tolerance or freedom that follows. */
  position: string;
}

export interface PositionFile {
  $schema: string;
  protocol: string;
  version: string;
  sources: CitedText[];
  positions: Position[];
}

/** The sources and positions behind the rules and freedoms of a protocol. */
export type Grounds = Pick<PositionFile, "sources" | "positions">;

/** One source or position that a text cites, or a part of the text that cannot be resolved. */
export type Citation =
  | { kind: "clause"; source: CitedText; clause: string }
  | { kind: "page"; source: CitedText }
  | { kind: "position"; position: Position }
  | { kind: "unknown"; text: string };

/** Reads `positions.json` beside the rules, combined with the parent pack's; undefined if neither exists. */
export function groundsOf({ folder, extends: extension }: Pick<Protocol, "folder" | "extends">): Grounds | undefined {
  const file = join(folder, "positions.json");
  const ownGrounds = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as PositionFile) : undefined;
  const parentGrounds = extension === undefined ? undefined : groundsOf(extension.parent);
  return extension === undefined || parentGrounds === undefined
    ? ownGrounds
    : inheritedGrounds(extension, parentGrounds, ownGrounds);
}

/**
 * Parses the citations in a text such as `8.2; A-59`, `RFC 8259, 6` or `S#Metadata, D`. A comma keeps the source named before it, a semicolon ends
 * it; `§` and a remark in parentheses after a clause are ignored.
 */
export function citationsIn(text: string, grounds: Grounds): Citation[] {
  return text.split(/;\s*/).flatMap((group) => {
    let source = grounds.sources.find(({ mark }) => mark === "");
    let isNamed = false;
    const citations: Citation[] = [];
    for (const part of group.split(/,\s*/)) {
      const position = grounds.positions.find(({ id }) => id === part);
      const namedSource = sourceAt(part, grounds.sources);
      if (position !== undefined) citations.push({ kind: "position", position });
      else if (namedSource === undefined) {
        if (isNamed && citations.at(-1)?.kind === "page") citations.pop();
        citations.push(clauseIn(source, part, part));
      } else {
        source = namedSource;
        isNamed = true;
        const rest = part.slice(namedSource.mark.length).replace(/^[\s#:]+/, "");
        citations.push(rest === "" || rest.startsWith("(") ? { kind: "page", source } : clauseIn(source, rest, part));
      }
    }
    return citations;
  });
}

/** The source with a mark at the beginning of the text; the longest mark wins. */
function sourceAt(text: string, sources: readonly CitedText[]): CitedText | undefined {
  return sources
    .filter(({ mark }) => mark !== "" && text.startsWith(mark) && /^($|[\s#:])/.test(text.slice(mark.length)))
    .sort((a, b) => b.mark.length - a.mark.length)[0];
}

/** The longest clause of the source that the text begins with, such as 3.9 of `§3.9(7–8)`. */
function clauseIn(source: CitedText | undefined, text: string, whole: string): Citation {
  const sectionText = text.replace(/^§\s*/, "");
  const clause = Object.keys(source?.clauses ?? {})
    .filter((name) => sectionText.startsWith(name) && !/^\.?[0-9A-Za-z]/.test(sectionText.slice(name.length)))
    .sort((a, b) => b.length - a.length)[0];
  return source === undefined || clause === undefined
    ? { kind: "unknown", text: whole }
    : { kind: "clause", source, clause };
}

/** Whether a citation is unknown, or too vague because it names a whole page although its source has clauses. */
export function leadsNowhere(citation: Citation): boolean {
  return citation.kind === "unknown" || (citation.kind === "page" && citation.source.clauses !== undefined);
}
