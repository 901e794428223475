import type { Reason, Speech } from "../../../schemas/index.ts";

/** Maximum number of characters examined of a message. */
const maxReadLength = 5000;

/** Where a sentence of a validator may begin: at the beginning of the text, a line or an item of a list, or after the name of its kind. */
const start = String.raw`(?:^|[:;,[(]\s*|✖\s*|[-•*]\s+)`;
/** Where such a sentence may end. */
const end = String.raw`(?=\s*(?:$|[;,)\]]|\.\s*$|\(|\n|\bat\b))`;

/** Matches a sentence by its full form: a tool's own sentence may share words with it ("to must be > from"), but hardly all of them. */
const sentence = (form: string): RegExp => new RegExp(`${start}(?:${form})${end}`, "mu");

const number = String.raw`-?\d+(?:\.\d+)?(?:e[+-]?\d+)?`;
/** A place as Ajv writes it. */
const place = String.raw`(?:(?:data|args|arguments|params|body|input)(?:/[^\s/]+|\.[\w$]+|\[\d+\])*|(?:/[^\s/]+)+)/?`;
const ajvTypes = "(?:string|number|integer|boolean|object|array|null)";
const zodTypes =
  "(?:string|number|nan|NaN|int|integer|float|boolean|date|Date|bigint|symbol|function|undefined|null|array|tuple|object|record|unknown|promise|void|never|map|set|file)";
/** A value as Python writes it. */
const shownValue = String.raw`(?:'[^\n]{0,400}'|"[^\n]{0,400}"|${number}|True|False|None|\[[^\n]{0,400}\]|\{[^\n]{0,400}\})`;

/** The messages of validation libraries about an input that its schema does not accept. Their messages about a user's own conditions are not included. */
const validators: readonly RegExp[] = [
  // Ajv names the place first, data/a/0 or /a/0. Some of its phrases are unique even without the place.
  sentence(
    `${place} must (?:be ${ajvTypes}(?:,${ajvTypes})*|be multiple of ${number}|be [<>]=? ${number}|be equal to constant|NOT be valid)`,
  ),
  sentence(
    String.raw`(?:(?:${place}|[\w$.[\]-]+) )?must (?:NOT have (?:fewer|more) than ${number} (?:characters|items|properties)|NOT have (?:additional|unevaluated) (?:properties|items)|NOT have duplicate items \([^)\n]*\)|have required property '[^\n]{1,400}?'|have propert(?:y|ies) [^\n]{1,400}? when property [^\n]{1,400}? is present|be equal to one of the allowed values|match pattern "[^\n]{0,400}"|match format "[^"\n]*"|match exactly one schema in oneOf|match a schema in anyOf|match "(?:then|else)" schema)`,
  ),
  // Zod 4.
  sentence(
    String.raw`Invalid input(?:: expected [^\n]{1,400}, received ${zodTypes})|Too (?:big|small): expected [\w ]+? to (?:be|have) [<>]=?${number}(?: \w+)?|Invalid option: expected one of [^\n]{1,400}|Invalid (?:string|number): must [^\n]{1,400}|Unrecognized keys?: "[^\n]{1,400}"`,
  ),
  // Zod 3.
  sentence(
    String.raw`Expected ${zodTypes}(?: \| ${zodTypes})*, received ${zodTypes}|(?:String|Array) must contain (?:at least|at most|exactly|over|under) ${number} (?:character|element)\(s\)|Number must be (?:greater|less) than(?: or equal to)? ${number}|Number must be a multiple of ${number}|Unrecognized key\(s\) in object: '[^\n]{1,400}'|Invalid enum value\. Expected [^\n]{1,400}, received [^\n]{1,400}|Invalid literal value, expected [^\n]{1,400}`,
  ),
  // The issues of Zod, as JSON.
  /\{(?=[^{}]*"code":\s*"(?:invalid_type|unrecognized_keys|invalid_union_discriminator|invalid_enum_value|invalid_value|invalid_literal|invalid_string|invalid_format|too_small|too_big|not_multiple_of|invalid_key|invalid_element)")[^{}]*"path":\s*\[/,
  // Pydantic.
  /\[type=(?!value_error\b|assertion_error\b)\w+, input_value=/,
  // Python's jsonschema.
  sentence(
    String.raw`${shownValue} (?:is a required property|is not of type '\w+'(?:, '\w+')*|is not one of \[[^\n]{0,400}\]|is not a multiple of ${number}|has non-unique elements|is too (?:short|long)|should be non-empty|is expected to be empty|is (?:less|greater) than(?: or equal to)? the (?:minimum|maximum) of ${number}|does not match '[^\n]{0,400}'|was expected|has too (?:few|many) properties|does not have enough properties|is not valid under any of the given schemas)|Additional properties are not allowed \([^\n]{1,400} (?:was|were) unexpected\)`,
  ),
];

/** Determines the subject of a tool's refusal, as far as its words show it, and the first of these words. */
export function speechIn(reasons: readonly Reason[]): Speech {
  return { of: subjectOf(reasons), words: beginningOf(reasons) };
}

function subjectOf(reasons: readonly Reason[]): Speech["of"] {
  if (speaksOfSchema(reasons)) return "schema";
  return speaksOfInput(reasons) ? "input" : "other";
}

/** Whether a refusal says that the input violates its schema, in a full sentence of a validation library: single words are not enough. */
function speaksOfSchema(reasons: readonly Reason[]): boolean {
  return textsOf(reasons).some((text) => validators.some((form) => form.test(text)));
}

/** Whether a refusal says that it comes from checking the input, for any reason. */
function speaksOfInput(reasons: readonly Reason[]): boolean {
  const inputCheckWords =
    /\b(input validation error|invalid (arguments|params|parameters|input)\b|validation errors? for)/i;
  return reasons[0]?.code === -32602 || textsOf(reasons).some((text) => inputCheckWords.test(text));
}

function textsOf(reasons: readonly Reason[]): string[] {
  return reasons.map(({ message = "" }) => message.slice(0, maxReadLength));
}

/** The words before the fault. */
const prefixes =
  /^((MCP error -?\d+|Error executing tool [^:]*|Error|Input validation error|Invalid arguments for tool [^:]*):\s*)+/i;

/** Returns the first words of a refusal, without its variable parts: numbers, quoted parts and paths. */
function beginningOf(reasons: readonly Reason[]): string {
  const [message = ""] = textsOf(reasons);
  const bareMessage = message
    .replace(prefixes, "")
    .replace(/(["'`]).*?\1/g, " ")
    .replace(/\S*[/\\\d]\S*/g, " ");
  return (bareMessage.match(/[A-Za-z]+/g) ?? []).slice(0, 5).join(" ");
}
