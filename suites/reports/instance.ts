import { type Change, type Json, pointer } from "../../schemas/index.ts";
import { cut, html } from "./escape.ts";

/** Deeper than this a value is not printed. */
const maxDepth = 64;
const maxString = 300;

/** An instance as indented JSON in HTML, with the members that a change put there marked and those that it took away told. */
export function instance(data: Json, change: readonly Change[]): string {
  const marked = new Set<string>();
  const removed = new Map<string, string[]>();
  for (const operation of change) {
    const from = operation.op === "remove" ? operation.path : operation.op === "move" ? operation.from : "";
    if (from !== "") {
      const { parent, last } = pointer.split(from);
      removed.set(parent, [...(removed.get(parent) ?? []), last]);
    }
    if (operation.op !== "remove" && operation.op !== "test") marked.add(settled(operation.path, data));
  }
  return print(data, "", 0, { marked, removed });
}

interface Marks {
  marked: ReadonlySet<string>;
  removed: ReadonlyMap<string, string[]>;
}

function print(value: Json, at: string, depth: number, marks: Marks): string {
  const text = contents(value, at, depth, marks);
  return marks.marked.has(at) ? `<mark>${text}</mark>` : text;
}

function contents(value: Json, at: string, depth: number, marks: Marks): string {
  if (typeof value === "string") return html(JSON.stringify(cut(value, maxString)));
  if (typeof value !== "object" || value === null) return html(String(value));
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (depth === maxDepth) return `${open}…${close}`;
  const indent = "  ".repeat(depth + 1);
  const lines = Array.isArray(value)
    ? value.map((item, index) => print(item, pointer.append(at, index), depth + 1, marks))
    : Object.entries(value).map(([name, member]) => {
        return `${html(JSON.stringify(name))}: ${print(member, pointer.append(at, name), depth + 1, marks)}`;
      });
  const gone = (marks.removed.get(at) ?? []).map(
    (name) => `${indent}<del>${html(JSON.stringify(name))} removed</del>\n`,
  );
  if (lines.length + gone.length === 0) return open + close;
  const body = lines.map((line) => `${indent}${line}`).join(",\n");
  return `${open}\n${body}${body === "" ? "" : "\n"}${gone.join("")}${"  ".repeat(depth)}${close}`;
}

/** A path that ends in `-` names the item that is now the last. */
function settled(path: string, data: Json): string {
  if (!path.endsWith("/-")) return path;
  const { parent } = pointer.split(path);
  const array = pointer.at(parent, data);
  return Array.isArray(array) ? pointer.append(parent, array.length - 1) : path;
}
