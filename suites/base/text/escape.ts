/** Control characters, bidirectional and invisible formatting characters, tags, line separators, halves of surrogate pairs, and noncharacters. */
const invisible =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff]|\udb40[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Commands of build systems anywhere in a line: Azure Pipelines, GitHub Actions and TeamCity. */
const commands = /##(?=\w*\[)/g;
/** A command of GitHub Actions at the beginning of a line. */
const leading = /^(\s*):(?=:)/;

/** Texts that may contain a command. Most texts do not match and skip the slow path. */
const doubtful = /[^ -~]|##|::/;

function escapeCharacter(character: string): string {
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Makes text harmless in a terminal or a log, and shows its hidden parts: invisible characters are written as `\u001b`. */
export function escapeInvisible(text: string): string {
  if (!doubtful.test(text)) return text;
  return text
    .replace(invisible, escapeCharacter)
    .replace(commands, `#${escapeCharacter("#")}`)
    .replace(leading, `$1${escapeCharacter(":")}`);
}

/** Characters outside ASCII, controls other than line breaks and tabs, and commands: few in a long text, so each is checked separately. */
const doubtfulInLines = /[^\t\n\r -~]|##(?=\w*\[)/gu;
const isUnseen = new RegExp(invisible.source);

/** Does the same for a JSON text, without changing its value. */
export function escapeInvisibleJson(json: string): string {
  return json.replace(doubtfulInLines, (match) => {
    if (match === "##") return `#${escapeCharacter("#")}`;
    return isUnseen.test(match) ? escapeCharacter(match) : match;
  });
}

/** Does the same for each line of a text, and joins the lines with `between`. */
export function escapeInvisibleLines(text: string, between = "\n"): string {
  return text.split("\n").map(escapeInvisible).join(between);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text for an element or a quoted attribute of HTML or XML. */
export function escapeHtml(text: string): string {
  return escapeInvisible(text).replace(/[&<>"']/g, (character) => entities[character] as string);
}

/** At most `limit` UTF-16 code units, with the number of omitted ones. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit)}… (${text.length - limit} more characters)`;
}

/** Does the same for a text that may have a fault at either end: keeps its beginning and its end. */
export function truncateMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.ceil(limit / 2);
  return `${text.slice(0, half)}… (${text.length - 2 * half} more characters) …${text.slice(-half)}`;
}
