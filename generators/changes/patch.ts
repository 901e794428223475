import { type Change, isObject, type Json, type JsonObject, pointer, setMember } from "../../schemas/index.ts";

/** Applies a patch to an instance. Undefined if the patch does not apply. The parent is not changed, and its unchanged parts are shared with the result. Supports the three operations of RFC 6902 that our changes use. No library is used, because none handles a member named `__proto__`. */
export function applyChanges(parent: Json, changes: readonly Change[]): Json | undefined {
  let root = parent;
  for (const change of changes) {
    if (change.op !== "add" && change.op !== "replace" && change.op !== "remove") return undefined;
    const value = change.op === "remove" ? undefined : (change.value as Json);
    if (change.op !== "add" && !pointer.has(change.path, root)) return undefined;
    if (change.path === "") {
      if (value === undefined) return undefined;
      root = value;
      continue;
    }
    const { parent: parentPath, last } = pointer.split(change.path);
    if (pointer.at(parentPath, root) === undefined) return undefined;
    const copied = copyPath(pointer.segments(parentPath), root);
    if (!putValue(copied.holder, last, change.op, value)) return undefined;
    root = copied.root;
  }
  return root;
}

/** Copies only the values on the path to an existing location. Returns the copied root, and the copy at the end of the path. */
export function copyPath(segments: readonly string[], value: Json): { root: Json; holder: Json } {
  const root = copyShallow(value);
  let holder = root;
  for (const segment of segments) {
    if (Array.isArray(holder)) holder = holder[Number(segment)] = copyShallow(holder[Number(segment)] as Json);
    else {
      const copy = copyShallow((holder as JsonObject)[segment] as Json);
      setMember(holder as JsonObject, segment, copy);
      holder = copy;
    }
  }
  return { root, holder };
}

function copyShallow(value: Json): Json {
  if (Array.isArray(value)) return value.slice();
  return isObject(value) ? { ...value } : value;
}

function putValue(
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
