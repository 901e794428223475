import type { Reason, Speech } from "../../../schemas/index.ts";

/** Characters of a message that are looked at. */
const mostRead = 5000;

/** What validation libraries say of an input that its schema does not accept. What they say of conditions of one's own is not here. */
const validators: Readonly<Record<string, RegExp>> = {
  ajv: /\bmust (NOT have|have required property|be (string|number|integer|boolean|object|array|null|equal to (constant|one of)|multiple of|[<>]=?)|NOT be valid|match (pattern|format|exactly one schema|a schema in anyOf))/,
  zod: /\b(Invalid input: expected|Too (big|small): expected|Invalid string: must|Invalid number: must|Invalid option: expected|Unrecognized keys?\b|Expected \w+, received \w+|(String|Number|Array) must (be|contain|have))/,
  zodCodes:
    /"code":\s*"(invalid_type|unrecognized_keys|invalid_union_discriminator|invalid_enum_value|invalid_value|invalid_literal|invalid_string|invalid_format|too_small|too_big|not_multiple_of|invalid_key|invalid_element)"/,
  pydantic: /\[type=(?!value_error|assertion_error)\w+/,
  pythonJsonschema:
    /(is a required property|is not of type|is not one of|is not a multiple of|has non-unique elements|is too (short|long)|(less|greater) than the (minimum|maximum) of|Additional properties are not allowed)/,
};

/** What a refusal of a tool is about, as far as its words tell, and how these begin. */
export function speechIn(reasons: readonly Reason[]): Speech {
  const of = speaksOfSchema(reasons) ? "schema" : speaksOfInput(reasons) ? "input" : "other";
  return { of, words: beginningOf(reasons) };
}

/** Whether a refusal says that the input is not what its schema wants, in the words of a validation library. */
function speaksOfSchema(reasons: readonly Reason[]): boolean {
  return textsOf(reasons).some((text) => Object.values(validators).some((words) => words.test(text)));
}

/** Whether a refusal says that it comes from the checking of the input, for whatever reason. */
function speaksOfInput(reasons: readonly Reason[]): boolean {
  const isSaid = /\b(input validation error|invalid (arguments|params|parameters|input)\b|validation errors? for)/i;
  return reasons[0]?.code === -32602 || textsOf(reasons).some((text) => isSaid.test(text));
}

function textsOf(reasons: readonly Reason[]): string[] {
  return reasons.map(({ message = "" }) => message.slice(0, mostRead));
}

/** What stands before what is the matter. */
const prefixes =
  /^((MCP error -?\d+|Error executing tool [^:]*|Error|Input validation error|Invalid arguments for tool [^:]*):\s*)+/i;

/** The first words of a refusal, which are the same when what they are about is not: no figures, no quoted parts, no paths. */
function beginningOf(reasons: readonly Reason[]): string {
  const [message = ""] = textsOf(reasons);
  const bare = message
    .replace(prefixes, "")
    .replace(/(["'`]).*?\1/g, " ")
    .replace(/\S*[/\\\d]\S*/g, " ");
  return (bare.match(/[A-Za-z]+/g) ?? []).slice(0, 5).join(" ");
}
