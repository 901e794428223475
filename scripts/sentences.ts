import { isProgram, isTest, type Tree } from "./tree.ts";

/** The one file that reads sentences of our own: those of reports that were written before results had causes. */
const formerReports = "suites/reports/reading/former-causes.ts";

/** Files that read texts of others and have no other source: errors of libraries without codes, and answers of tools. */
const otherFiles: readonly string[] = [
  "generators/compile/compile.ts",
  "schemas/patterns.ts",
  "suites/cli/unknown-option.ts",
  "suites/targets/mcp/answer.ts",
  "suites/targets/mcp/sdk.ts",
];

const names = "why|message|reason|brief|advice|doubt";
/** Code that reads a text: its parts, or its form. If a text is only cut or rewritten for display, nothing is decided. */
const readingPattern = [
  `\\b(?:${names})(?: \\?\\? "")?\\)?\\??\\.(?:startsWith|endsWith|includes|match|matchAll|search|indexOf|lastIndexOf)\\(`,
  `\\.(?:test|exec)\\(\\(?(?:\\w+[.?]+)*(?:${names})\\b`,
  `(?<!typeof )\\b(?:why|brief|advice|doubt) [!=]== (?!""|undefined\\b|why\\b)`,
];
const reading = new RegExp(readingPattern.join("|"), "g");

/** Protocols have messages of their own by these names, and references read nothing of ours. */
const protocolFiles = /^suites\/protocols\//;
const referenceFiles = /^suites\/protocols\/[^/]+\/(?:reference|twin)\//;
const protocolReading = /\b(?:why|what|says)\??\.(?:startsWith|endsWith|includes|match|matchAll|search|indexOf)\(/g;

/** The places at which a sentence of ours is read as data. */
export function sentenceComplaints(tree: Tree): string[] {
  return [...tree].flatMap(([path, text]) => {
    const isExempt =
      path === formerReports || otherFiles.includes(path) || referenceFiles.test(path) || /^scripts\//.test(path);
    if (!isProgram(path) || isTest(path) || isExempt) return [];
    return [...text.matchAll(protocolFiles.test(path) ? protocolReading : reading)].map(
      ([found]) => `${path} reads a sentence: ${found}`,
    );
  });
}
