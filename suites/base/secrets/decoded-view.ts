/** A text with its escapes decoded, and where each of its units came from. */
export interface DecodedView {
  text: string;
  /** Where a unit of `text` begins and ends in the original. */
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
const names = Object.keys(entities)
  .sort((one, other) => other.length - one.length)
  .join("|");

/** Escapes of JSON and JavaScript, of URLs, and of HTML. Their nesting is unknown, so each is decoded separately. */
const kinds: readonly RegExp[] = [
  /\\u\{(?<braced>[0-9a-f]{1,6})\}|\\u(?<unit>[0-9a-f]{4})|\\x(?<octet>[0-9a-f]{2})|\\(?<letter>[bfnrt/"'\\])/g,
  /(?<octets>(?:%[0-9a-f]{2})+)/g,
  new RegExp(`&#x0*(?<hex>[0-9a-f]{1,6});?|&#0*(?<decimal>[0-9]{1,7});?|&(?<entity>${names});?`, "g"),
  // Base64 is broken into lines, as other long texts are.
  /[\t ]*\r?\n[\t ]*/g,
];

const letters: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Limits on nested escapes that are decoded, and on readings of one text that are tried. */
const maxLayers = 4;
const maxViews = 64;

/** The text in lower case, literally and with layers of escapes decoded, in every order. */
export function viewsOf(text: string): DecodedView[] {
  const whole = lower(text);
  let layer: DecodedView[] = [asItStands(whole)];
  const views = [...layer];
  if (!/[\\%&\n]/.test(whole)) return views;
  const seenViews = new Set([whole]);
  for (let depth = 0; depth < maxLayers && layer.length > 0; depth++) {
    const next: DecodedView[] = [];
    for (const kind of layer.flatMap((view) => kinds.map((escapes) => decodeLayer(view, escapes)))) {
      if (kind === undefined || seenViews.has(kind.text) || seenViews.size >= maxViews) continue;
      seenViews.add(kind.text);
      next.push(kind);
    }
    views.push(...next);
    layer = next;
  }
  return views;
}

/** A text after each layer of escapes is decoded, beginning with the text itself. */
export function spellingsOf(text: string): string[] {
  return viewsOf(text).map((view) => view.text);
}

/** The view with one layer decoded; undefined if nothing is escaped. */
function decodeLayer(view: DecodedView, escapes: RegExp): DecodedView | undefined {
  let text = "";
  // Typed arrays, since a text of megabytes has as many units.
  let from = new Uint32Array(view.text.length);
  let to = new Uint32Array(view.text.length);
  let length = 0;
  const push = (first: number, last: number): void => {
    // An entity may decode to more units than its length.
    if (length === from.length) [from, to] = [from, to].map(growPlaces) as [typeof from, typeof to];
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
    const meaning = meaningOf(match.groups as Escape | undefined);
    if (meaning === undefined) continue;
    keep(match.index);
    end = match.index + match[0].length;
    // Several octets map to one unit each only if they are ASCII; otherwise all of them map to all units.
    const isEach = match.groups?.octets !== undefined && meaning.length * 3 === match[0].length;
    for (let unit = 0; unit < meaning.length; unit++) {
      const [first, last] = isEach ? [match.index + 3 * unit, match.index + 3 * unit + 2] : [match.index, end - 1];
      push(view.from(first), view.to(last));
    }
    text += meaning;
  }
  if (end === 0) return undefined;
  keep(view.text.length);
  return { text, from: (at) => from[at] as number, to: (at) => to[at] as number };
}

function growPlaces(places: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * places.length + 16);
  larger.set(places);
  return larger;
}

type Escape = Partial<Record<"braced" | "unit" | "octet" | "letter" | "octets" | "hex" | "decimal" | "entity", string>>;

function meaningOf({ braced, unit, octet, letter, octets, hex, decimal, entity }: Escape = {}): string | undefined {
  if (letter !== undefined) return letters[letter] ?? letter;
  if (entity !== undefined) return entities[entity];
  if (octets !== undefined) return lower(fromOctets(octets));
  const digits = braced ?? unit ?? octet ?? hex;
  if (digits === undefined && decimal === undefined) return "";
  const point = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return point > 0x10ffff ? undefined : lower(String.fromCodePoint(point));
}

/** Decoded as UTF-8, or as Latin-1 if the bytes are not UTF-8. */
function fromOctets(octets: string): string {
  const bytes = Buffer.from(octets.replaceAll("%", ""), "hex");
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? bytes.toString("latin1") : text;
}

function asItStands(text: string): DecodedView {
  return { text, from: (at) => at, to: (at) => at + 1 };
}

/** Converts unit by unit, so that positions stay the same. */
function lower(text: string): string {
  const whole = text.toLowerCase();
  if (whole.length === text.length) return whole;
  return text.replace(/[\s\S]/g, (unit) => (unit.toLowerCase().length === 1 ? unit.toLowerCase() : unit));
}
