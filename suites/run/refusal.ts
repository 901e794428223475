import type { Reason } from "../../schemas/index.ts";

/** Characters of a message that are looked at. */
const mostRead = 5000;

/** What validation libraries say of an input that its schema does not accept: Ajv, Zod, Pydantic, Python's `jsonschema`. */
const validators: readonly RegExp[] = [
  /\bmust (NOT )?have (required property|additional properties|unevaluated properties|fewer than|more than|duplicate items)/i,
  /\bmust be (string|number|integer|boolean|object|array|null|equal to (constant|one of)|multiple of|[<>]=?)/,
  /\bmust (NOT be valid|match (pattern|format|exactly one schema|a schema in anyOf))/,
  /"code":\s*"(invalid_type|unrecognized_keys|invalid_union|invalid_union_discriminator|invalid_enum_value|invalid_value|invalid_literal|invalid_string|invalid_format|too_small|too_big|not_multiple_of|invalid_key|invalid_element)"/,
  /\[type=(?!value_error|assertion_error)\w+/,
  /(is a required property|is not of type|is not one of|is not a multiple of|has non-unique elements|is too (short|long)|(less|greater) than the (minimum|maximum) of|Additional properties are not allowed)/,
  /\bInvalid input: expected \w+|\bExpected \w+, received \w+|\bUnrecognized keys?\b/,
];

/** Whether a refusal says that the input is not what its schema wants, in the words of a validation library. */
export function speaksOfSchema(reasons: readonly Reason[]): boolean {
  return reasons.some(({ message = "" }) => validators.some((words) => words.test(message.slice(0, mostRead))));
}

/** The first words of a refusal, which are the same when what they are about is not: no figures, no quoted parts, no paths. */
export function beginningOf(reasons: readonly Reason[]): string {
  const message = (reasons[0]?.message ?? "").slice(0, mostRead);
  const bare = message
    .replace(/^(MCP error -?\d+|Error executing tool [^:]*|Error|Input validation error):\s*/gi, "")
    .replace(/(["'`]).*?\1/g, " ")
    .replace(/\S*[/\\\d]\S*/g, " ");
  const words = bare.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.slice(0, 3).join(" ");
}
