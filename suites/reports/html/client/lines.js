/**
 * A printed line of a schema: its depth, its text, and the JSON Pointer of the value that begins on it.
 * @typedef {{ depth: number, name: string, text: string, at: string, base: string }} Line
 */

/** The maximum length of a list of plain values that is printed on one line. */
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
   * @param {string} name of the member, with the colon before the value
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
 * Whether a value is printed on one line: if it is empty, or has a few plain values. Each entry of `required` and each member is an assertion, and has its own line.
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
