import type { Baseline } from "../../../schemas/index.ts";

/** The text of a list: entries have one member per line, so that changes and merge conflicts stay small; the records of judged results are compact, since only the tool writes them. */
export function listText(list: Baseline): string {
  const records = list.judged ?? {};
  const marks = Object.fromEntries(Object.keys(records).map((name) => [name, `record of ${name}`]));
  const plainText = JSON.stringify(list.judged === undefined ? list : { ...list, judged: marks }, null, 2);
  return `${plainText.replace(/^( {4}"([^"]*)": )"record of \2"/gm, (all, before: string, name: string) => {
    const record = records[name];
    return record === undefined ? all : `${before}{\n${Object.entries(record).map(member).join(",\n")}\n    }`;
  })}\n`;
}

function member([name, value]: [string, unknown]): string {
  return `      ${JSON.stringify(name)}: ${JSON.stringify(value)}`;
}
