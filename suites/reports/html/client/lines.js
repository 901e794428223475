/**
 * A printed line of a schema: its depth, its text, and the JSON Pointer of the value that begins on it.
 * @typedef {{ depth: number, name: string, text: string, at: string, base: string }} Line
 */

/** The maximum length of an array of plain values that is printed on one line. */
const maxInlineLength = 90;

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
      lines.push({ depth, name, text: formatInline(value) + tail, at, base });
      return;
    }
    const isList = Array.isArray(value);
    const innerBase = depth > 0 && !isList && typeof value.$id === "string" ? resolveId(value.$id, base) : base;
    const members = Object.entries(value);
    lines.push({ depth, name, text: isList ? "[" : "{", at: innerBase === base ? at : "", base: innerBase });
    members.forEach(([key, member], index) => {
      const memberPath = `${innerBase === base ? at : ""}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const comma = index < members.length - 1 ? "," : "";
      print(member, isList ? "" : `${JSON.stringify(key)}: `, {
        at: memberPath,
        base: innerBase,
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
 * Whether a value is printed on one line: an empty value, or an array of a few plain values. Each item of `required` is an assertion, so it gets a line.
 * @param {object} value
 * @param {string} at
 */
function isShort(value, at) {
  const values = Object.values(value);
  if (values.length === 0) return true;
  if (!Array.isArray(value) || at.endsWith("/required")) return false;
  return (
    values.every((item) => typeof item !== "object" || item === null) && formatInline(value).length <= maxInlineLength
  );
}

/** @param {unknown} value */
function formatInline(value) {
  return Array.isArray(value) ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]` : JSON.stringify(value);
}

/**
 * @param {string} id
 * @param {string} base
 */
function resolveId(id, base) {
  try {
    return new URL(id, base).href.replace(/#$/, "");
  } catch {
    return base;
  }
}
