import { posix } from "node:path";
import type { Tree } from "./tree.ts";

/** Finds links of Markdown pages to missing files or missing headings. */
export function linkComplaints(tree: Tree): string[] {
  const folders = new Set([...tree.keys()].flatMap(foldersOf));
  const pages = [...tree].filter(([path]) => path.endsWith(".md"));
  const anchors = new Map(pages.map(([path, text]) => [path, anchorsOf(text)]));
  return pages.flatMap(([path, text]) =>
    [...withoutCode(text).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([, target = "", anchor]) => {
        const file = target === "" ? path : posix.join(posix.dirname(path), target).replace(/\/$/, "");
        if (!tree.has(file) && !folders.has(file)) return [`${path} links to ${target}, which is not there`];
        const anchorsOfPage = anchors.get(file);
        const exists = anchor === undefined || anchorsOfPage === undefined || anchorsOfPage.has(anchor);
        return exists ? [] : [`${path} links to ${target}#${anchor}, and the page has no such heading`];
      },
    ),
  );
}

/** The anchors that GitHub gives to headings, and the page's own. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => slugOf(heading));
  const explicitAnchors = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = ""]) => name);
  return new Set([...headings, ...explicitAnchors]);
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
