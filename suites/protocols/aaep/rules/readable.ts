import { isObject, type JsonObject } from "../../../../schemas/index.ts";
import { nameOf } from "./event.ts";

/** Text in an event that is written for people. */
export interface ReadableText {
  at: string;
  /** Name of the member without its language. */
  field: string;
  text: string;
}

export const summaries = ["summary_terse", "summary_normal", "summary_detailed"] as const;

/** The members of an event that people read. */
export const readableFields: readonly string[] = [
  ...summaries,
  "description",
  "question",
  "chunk",
  "error_message",
  "action",
  "consequence",
  "reason",
  "context",
  "remediation_hint",
  "output_summary",
  "partial_result",
  "args_summary",
];

const languageSuffix = /^[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]{1,8})*$/;

/** Finds the readable member that the named one translates, such as `question` for `question_fr`. */
export function originalOf(name: string): string | undefined {
  return readableFields.find(
    (field) => name.startsWith(`${field}_`) && languageSuffix.test(name.slice(field.length + 1)),
  );
}

/** Lists the non-empty texts of an event. Of an extension event only the summaries are known, because the extension defines the payload. */
export function readableTexts(event: JsonObject): ReadableText[] {
  const fields: readonly string[] = nameOf(event) === undefined ? summaries : readableFields;
  const memberTexts = Object.keys(event).flatMap((name) => {
    const field = fields.includes(name) ? name : originalOf(name);
    return field !== undefined && fields.includes(field) ? textAt(`/${name}`, field, event[name]) : [];
  });
  if (fields === summaries) return memberTexts;
  const { progress, choices } = event;
  return [
    ...memberTexts,
    ...(isObject(progress) ? textAt("/progress/description", "description", progress.description) : []),
    ...(Array.isArray(choices) ? choices : []).flatMap((choice, index) =>
      isObject(choice) ? textAt(`/choices/${index}/label`, "label", choice.label) : [],
    ),
  ];
}

function textAt(at: string, field: string, text: unknown): ReadableText[] {
  return typeof text === "string" && text !== "" ? [{ at, field, text }] : [];
}
