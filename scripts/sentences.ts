import { isProgram, isTest, type Tree } from "./tree.ts";

/** The only file that may read our own sentences: in reports that were written before results had causes. */
const formerReports = "suites/reports/reading/former-causes.ts";

/** Files that must read sentences of others: errors of libraries without codes, and answers of tools. */
const otherFiles: readonly string[] = [
  "generators/compile/compile.ts",
  "schemas/patterns.ts",
  "suites/cli/unknown-option.ts",
  "suites/targets/mcp/answer.ts",
  "suites/targets/mcp/sdk.ts",
];

const names = "why|message|reason|brief|advice|doubt";
/** Code that decides something by the content of a sentence. Code that only shortens or rewrites it for display is allowed. */
const readingPattern = [
  `\\b(?:${names})(?: \\?\\? "")?\\)?\\??\\.(?:startsWith|endsWith|includes|match|matchAll|search|indexOf|lastIndexOf)\\(`,
  `\\.(?:test|exec)\\(\\(?(?:\\w+[.?]+)*(?:${names})\\b`,
  `(?<!typeof )\\b(?:why|brief|advice|doubt) [!=]== (?!""|undefined\\b|why\\b)`,
];
const reading = new RegExp(readingPattern.join("|"), "g");

/** Protocols have members with these names, and references do not read our sentences. */
const protocolFiles = /^suites\/protocols\//;
const referenceFiles = /^suites\/protocols\/[^/]+\/(?:reference|twin)\//;
const protocolReading = /\b(?:why|what|says)\??\.(?:startsWith|endsWith|includes|match|matchAll|search|indexOf)\(/g;

/** Finds code that reads one of our sentences as data. */
export function sentenceComplaints(tree: Tree): string[] {
  return [...tree].flatMap(([path, text]) => {
    const isExempt =
      path === formerReports || otherFiles.includes(path) || referenceFiles.test(path) || /^scripts\//.test(path);
    if (!isProgram(path) || isTest(path) || isExempt) return [];
    return [...text.matchAll(protocolFiles.test(path) ? protocolReading : reading)].map(
      ([matchedCode]) => `${path} reads a sentence: ${matchedCode}`,
    );
  });
}
