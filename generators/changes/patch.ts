import { type Change, isObject, type Json, pointer, setMember } from "../../schemas/index.ts";

/**
 * The instance after a patch, or undefined when it does not apply; the parent is left as it is. Of RFC 6902 the three operations that
 * changes are made of. Not a library's, since none carries a member named `__proto__`.
 */
export function patched(parent: Json, changes: readonly Change[]): Json | undefined {
  let root = JSON.parse(JSON.stringify(parent)) as Json;
  for (const change of changes) {
    if (change.op !== "add" && change.op !== "replace" && change.op !== "remove") return undefined;
    const value = change.op === "remove" ? undefined : (change.value as Json);
    if (change.op !== "add" && !pointer.has(change.path, root)) return undefined;
    if (change.path === "") {
      if (value === undefined) return undefined;
      root = value;
      continue;
    }
    const { parent: above, last } = pointer.split(change.path);
    if (!put(pointer.at(above, root), last, change.op, value)) return undefined;
  }
  return root;
}

function put(
  holder: Json | undefined,
  last: string,
  op: "add" | "replace" | "remove",
  value: Json | undefined,
): boolean {
  if (Array.isArray(holder)) {
    const index = last === "-" ? holder.length : Number(last);
    if (!Number.isInteger(index) || index < 0 || index > holder.length) return false;
    holder.splice(index, op === "add" ? 0 : 1, ...(value === undefined ? [] : [value]));
    return true;
  }
  if (!isObject(holder)) return false;
  if (value === undefined) delete holder[last];
  else setMember(holder, last, value);
  return true;
}
