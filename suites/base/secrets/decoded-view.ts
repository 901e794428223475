/** A text with its escapes decoded, and the original position of each of its UTF-16 units. */
export interface DecodedView {
  text: string;
  /** The positions in the original at which a unit of `text` begins and ends. */
  from(at: number): number;
  to(at: number): number;
}

/** The names that HTML defines for ASCII characters, in lower case. */
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  sol: "/",
  bsol: "\\",
  plus: "+",
  equals: "=",
  colon: ":",
  semi: ";",
  percnt: "%",
  num: "#",
  period: ".",
  comma: ",",
  commat: "@",
  lowbar: "_",
  underbar: "_",
  hyphen: "-",
  dash: "-",
  nbsp: " ",
  excl: "!",
  dollar: "$",
  lpar: "(",
  rpar: ")",
  ast: "*",
  midast: "*",
  quest: "?",
  hat: "^",
  tab: "\t",
  newline: "\n",
  lsqb: "[",
  lbrack: "[",
  rsqb: "]",
  rbrack: "]",
  lcub: "{",
  lbrace: "{",
  rcub: "}",
  rbrace: "}",
  verbar: "|",
  vert: "|",
  verticalline: "|",
  grave: "`",
  diacriticalgrave: "`",
  fjlig: "fj",
};

/** The longest names first: `&ltx` is `<x`. */
const entityNames = Object.keys(entities)
  .sort((one, other) => other.length - one.length)
  .join("|");

/** Escapes of JSON and JavaScript, of URLs, and of HTML. Their nesting is unknown, so each is decoded separately. */
const escapePatterns: readonly RegExp[] = [
  /\\u\{(?<braced>[0-9a-f]{1,6})\}|\\u(?<unit>[0-9a-f]{4})|\\x(?<octet>[0-9a-f]{2})|\\(?<letter>[bfnrt/"'\\])/g,
  /(?<octets>(?:%[0-9a-f]{2})+)/g,
  new RegExp(`&#x0*(?<hex>[0-9a-f]{1,6});?|&#0*(?<decimal>[0-9]{1,7});?|&(?<entity>${entityNames});?`, "g"),
  // Line breaks, with which base64 and other long texts are wrapped.
  /[\t ]*\r?\n[\t ]*/g,
];

const letterEscapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Limits on nested escapes that are decoded, and on readings of one text that are tried. */
const maxLayers = 4;
const maxViews = 64;

/** Returns views of a text in lower case: the text as it is, and with layers of escapes decoded in every order. */
export function viewsOf(text: string): DecodedView[] {
  const lowerCaseText = toLowerCase(text);
  let layer: DecodedView[] = [plainView(lowerCaseText)];
  const views = [...layer];
  if (!/[\\%&\n]/.test(lowerCaseText)) return views;
  const seenViews = new Set([lowerCaseText]);
  for (let depth = 0; depth < maxLayers && layer.length > 0; depth++) {
    const next: DecodedView[] = [];
    for (const decoded of layer.flatMap((view) => escapePatterns.map((escapes) => decodeLayer(view, escapes)))) {
      if (decoded === undefined || seenViews.has(decoded.text) || seenViews.size >= maxViews) continue;
      seenViews.add(decoded.text);
      next.push(decoded);
    }
    views.push(...next);
    layer = next;
  }
  return views;
}

/** Returns the spellings of a text in lower case: as it is, and after each layer of escapes is decoded. */
export function spellingsOf(text: string): string[] {
  return viewsOf(text).map((view) => view.text);
}

/** Decodes one layer of escapes; returns undefined if nothing is escaped. */
function decodeLayer(view: DecodedView, escapes: RegExp): DecodedView | undefined {
  let text = "";
  // Typed arrays save memory: a text may have millions of units.
  let from = new Uint32Array(view.text.length);
  let to = new Uint32Array(view.text.length);
  let length = 0;
  const push = (first: number, last: number): void => {
    // An entity may decode to more units than its length.
    if (length === from.length) [from, to] = [from, to].map(growPositions) as [typeof from, typeof to];
    from[length] = first;
    to[length] = last;
    length += 1;
  };
  let end = 0;
  const keep = (upTo: number): void => {
    text += view.text.slice(end, upTo);
    for (let at = end; at < upTo; at++) push(view.from(at), view.to(at));
  };
  for (const match of view.text.matchAll(escapes)) {
    const decodedText = decodeEscape(match.groups as Escape | undefined);
    if (decodedText === undefined) continue;
    keep(match.index);
    end = match.index + match[0].length;
    // ASCII octets map to one unit each; otherwise, every unit maps to the whole sequence of octets.
    const isPerOctet = match.groups?.octets !== undefined && decodedText.length * 3 === match[0].length;
    for (let unit = 0; unit < decodedText.length; unit++) {
      const [first, last] = isPerOctet ? [match.index + 3 * unit, match.index + 3 * unit + 2] : [match.index, end - 1];
      push(view.from(first), view.to(last));
    }
    text += decodedText;
  }
  if (end === 0) return undefined;
  keep(view.text.length);
  return { text, from: (at) => from[at] as number, to: (at) => to[at] as number };
}

function growPositions(positions: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * positions.length + 16);
  larger.set(positions);
  return larger;
}

type Escape = Partial<Record<"braced" | "unit" | "octet" | "letter" | "octets" | "hex" | "decimal" | "entity", string>>;

function decodeEscape({ braced, unit, octet, letter, octets, hex, decimal, entity }: Escape = {}): string | undefined {
  if (letter !== undefined) return letterEscapes[letter] ?? letter;
  if (entity !== undefined) return entities[entity];
  if (octets !== undefined) return toLowerCase(decodeOctets(octets));
  const digits = braced ?? unit ?? octet ?? hex;
  if (digits === undefined && decimal === undefined) return "";
  const codePoint = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return codePoint > 0x10ffff ? undefined : toLowerCase(String.fromCodePoint(codePoint));
}

/** Decodes octets as UTF-8, or as Latin-1 if they are not UTF-8. */
function decodeOctets(octets: string): string {
  const bytes = Buffer.from(octets.replaceAll("%", ""), "hex");
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? bytes.toString("latin1") : text;
}

function plainView(text: string): DecodedView {
  return { text, from: (at) => at, to: (at) => at + 1 };
}

/** Converts unit by unit, so that positions stay the same. */
function toLowerCase(text: string): string {
  const whole = text.toLowerCase();
  if (whole.length === text.length) return whole;
  return text.replace(/[\s\S]/g, (unit) => (unit.toLowerCase().length === 1 ? unit.toLowerCase() : unit));
}
