import { posix } from "node:path";
import type { Tree } from "./tree.ts";

/** The links of Markdown pages to missing files, or to headings that their page does not have. */
export function linkComplaints(tree: Tree): string[] {
  const folders = new Set([...tree.keys()].flatMap(foldersOf));
  const pages = [...tree].filter(([path]) => path.endsWith(".md"));
  const anchors = new Map(pages.map(([path, text]) => [path, anchorsOf(text)]));
  return pages.flatMap(([path, text]) =>
    [...withoutCode(text).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, to = "", anchor]) => {
      const file = to === "" ? path : posix.join(posix.dirname(path), to).replace(/\/$/, "");
      if (!tree.has(file) && !folders.has(file)) return [`${path} links to ${to}, which is not there`];
      const known = anchors.get(file);
      const isThere = anchor === undefined || known === undefined || known.has(anchor);
      return isThere ? [] : [`${path} links to ${to}#${anchor}, and the page has no such heading`];
    }),
  );
}

/** The anchors that GitHub gives to headings, and the page's own. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => slugOf(heading));
  const named = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = ""]) => name);
  return new Set([...headings, ...named]);
}

function slugOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

function withoutBlocks(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, "");
}

function withoutCode(text: string): string {
  return withoutBlocks(text).replace(/`[^`\n]*`/g, "");
}

function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
