/** Control characters, bidirectional and invisible formatting characters, tags, line separators, halves of surrogate pairs, and noncharacters. */
const invisible =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff]|\udb40[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Commands of build systems anywhere in a line: Azure Pipelines, GitHub Actions and TeamCity. */
const buildCommand = /##(?=\w*\[)/g;
/** A command of GitHub Actions at the beginning of a line. */
const leadingCommand = /^(\s*):(?=:)/;

/** Matches a text that may need an escape. Most texts do not match, and skip the slow replacements. */
const suspicious = /[^ -~]|##|::/;

function escapeCharacter(character: string): string {
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Makes text harmless in a terminal or a log, and shows its hidden parts: invisible characters are written as `\u001b`. */
export function escapeInvisible(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .replace(invisible, escapeCharacter)
    .replace(buildCommand, `#${escapeCharacter("#")}`)
    .replace(leadingCommand, `$1${escapeCharacter(":")}`);
}

/** Characters outside ASCII, controls other than line breaks and tabs, and commands. A long text contains few of them, so each is checked separately. */
const suspiciousInJson = /[^\t\n\r -~]|##(?=\w*\[)/gu;
const invisibleCharacter = new RegExp(invisible.source);

/** Does the same for a JSON text, without changing its value. */
export function escapeInvisibleJson(json: string): string {
  return json.replace(suspiciousInJson, (match) => {
    if (match === "##") return `#${escapeCharacter("#")}`;
    return invisibleCharacter.test(match) ? escapeCharacter(match) : match;
  });
}

/** Does the same for each line of a text, and joins the lines with a separator. */
export function escapeInvisibleLines(text: string, separator = "\n"): string {
  return text.split("\n").map(escapeInvisible).join(separator);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text for an element or a quoted attribute of HTML or XML. */
export function escapeHtml(text: string): string {
  return escapeInvisible(text).replace(/[&<>"']/g, (character) => entities[character] as string);
}

/** Cuts a text to at most `limit` UTF-16 code units, and appends the number of omitted ones. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit)}… (${text.length - limit} more characters)`;
}

/** Cuts out the middle of a text, and keeps both ends: the fault may be at either end. */
export function truncateMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.ceil(limit / 2);
  return `${text.slice(0, half)}… (${text.length - 2 * half} more characters) …${text.slice(-half)}`;
}
