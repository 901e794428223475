import type { Json, TextType } from "../../../schemas/index.ts";

const number = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/;
/** A number followed by z. No reader of the whole text reads it as a number: z is not an exponent, base, unit or type suffix. */
const numberAndMore = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?z$/;
/** Texts that some readers read as a boolean, or as null. */
const booleanLike = /^(true|false|yes|no|on|off|[01tfyn])$/i;
const nothingLike = /^(null|none|nil|undefined|\s*)$/i;

/** Returns the text that every writer would produce for a scalar; undefined for a number with an exponent. */
export function textOf(value: Json): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  const text = typeof value === "number" ? String(value) : "";
  return number.test(text) ? text : undefined;
}

/** Returns the value that every reader of these types reads from a text; undefined if readers differ. */
export function readAs(text: string, types: readonly TextType[] | undefined): Json | undefined {
  const acceptsType = (type: TextType): boolean => types === undefined || types.includes(type);
  const isText = types?.length === 1 && types[0] === "string";
  if (text === "" || (!isText && nothingLike.test(text))) return undefined;
  if (isText) return text;
  const isNumber = number.test(text);
  // This includes forms such as 1e3, 0x10, 1_000 or +5, which only some readers accept.
  if (!isNumber && (acceptsType("number") || acceptsType("integer")) && isNumberLike(text)) return undefined;
  if (acceptsType("boolean") && booleanLike.test(text) && text !== "true" && text !== "false") return undefined;
  const isBoolean = text === "true" || text === "false";
  const otherTypes = [
    isNumber && (acceptsType("number") || acceptsType("integer")),
    isBoolean && acceptsType("boolean"),
  ];
  if (!otherTypes.includes(true)) return text;
  if (acceptsType("string")) return undefined;
  return isBoolean ? text === "true" : Number(text);
}

function isNumberLike(text: string): boolean {
  if (numberAndMore.test(text)) return false;
  return !Number.isNaN(Number(text.replaceAll(/[_,\s]/g, ""))) || /^[-+]?(inf|nan|[0-9.])/i.test(text);
}
