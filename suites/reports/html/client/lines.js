/**
 * A line of a schema as it is printed: how deep, its text, and the JSON Pointer of what begins on it.
 * @typedef {{ depth: number, name: string, text: string, at: string, base: string }} Line
 */

/** Longer lists of plain values stand on lines of their own. */
const widest = 90;

/**
 * A schema as lines of indented JSON.
 * @param {import("../../../../schemas/index.ts").Json} schema
 * @param {string} id its address
 * @returns {Line[]}
 */
export function linesOf(schema, id) {
  /** @type {Line[]} */
  const lines = [];
  /**
   * @param {import("../../../../schemas/index.ts").Json} value
   * @param {string} name of the member, with what stands between it and the value
   * @param {{ at: string, base: string, depth: number, tail: string }} place
   */
  const print = (value, name, { at, base, depth, tail }) => {
    if (typeof value !== "object" || value === null || isShort(value, at)) {
      lines.push({ depth, name, text: inline(value) + tail, at, base });
      return;
    }
    const isList = Array.isArray(value);
    const inner = depth > 0 && !isList && typeof value.$id === "string" ? within(value.$id, base) : base;
    const members = Object.entries(value);
    lines.push({ depth, name, text: isList ? "[" : "{", at: inner === base ? at : "", base: inner });
    members.forEach(([key, member], index) => {
      const place = `${inner === base ? at : ""}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const comma = index < members.length - 1 ? "," : "";
      print(member, isList ? "" : `${JSON.stringify(key)}: `, {
        at: place,
        base: inner,
        depth: depth + 1,
        tail: comma,
      });
    });
    lines.push({ depth, name: "", text: (isList ? "]" : "}") + tail, at: "", base: "" });
  };
  print(schema, "", { at: "", base: id, depth: 0, tail: "" });
  return lines;
}

/**
 * What is one line: nothing in it, or few plain values. Each entry of `required` is an assertion, and so is each member: they have their own.
 * @param {object} value
 * @param {string} at
 */
function isShort(value, at) {
  const parts = Object.values(value);
  if (parts.length === 0) return true;
  if (!Array.isArray(value) || at.endsWith("/required")) return false;
  return parts.every((each) => typeof each !== "object" || each === null) && inline(value).length <= widest;
}

/** @param {unknown} value */
function inline(value) {
  return Array.isArray(value) ? `[${value.map((each) => JSON.stringify(each)).join(", ")}]` : JSON.stringify(value);
}

/**
 * @param {string} id
 * @param {string} base
 */
function within(id, base) {
  try {
    return new URL(id, base).href.replace(/#$/, "");
  } catch {
    return base;
  }
}
