import type { Baseline } from "../../../schemas/index.ts";

/** The usual text of a baseline. Entries have one member per line, so that changes and merge conflicts stay small. The records of judged results are compact, because only the tool writes them. */
export function formatList(list: Baseline): string {
  const records = list.judged ?? {};
  const placeholders = Object.fromEntries(Object.keys(records).map((name) => [name, `record of ${name}`]));
  const plainText = JSON.stringify(list.judged === undefined ? list : { ...list, judged: placeholders }, null, 2);
  // Each record was written as a placeholder, which its compact text now replaces.
  return `${plainText.replace(/^( {4}"([^"]*)": )"record of \2"/gm, (match, before: string, name: string) => {
    const record = records[name];
    return record === undefined ? match : `${before}{\n${Object.entries(record).map(formatMember).join(",\n")}\n    }`;
  })}\n`;
}

function formatMember([name, value]: [string, unknown]): string {
  return `      ${JSON.stringify(name)}: ${JSON.stringify(value)}`;
}
