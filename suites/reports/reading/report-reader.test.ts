import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { ownSchemas, type Report } from "../../../schemas/index.ts";
import { result, validReport } from "../../results/sample.fixture.ts";
import { json } from "../json.ts";
import { jsonl } from "../jsonl.ts";
import { readReport } from "./report-reader.ts";

const report: Report = validReport();
const text = jsonl.render(report, { rules: [] });
const lines = text.trimEnd().split("\n");

const ajv = new Ajv2020({ strict: false, validateFormats: false, schemas: Object.values(ownSchemas()) });
const isLine = ajv.getSchema("https://touchstone.example/schemas/touchstone/report-line.schema.json");

describe("a report as lines", () => {
  it("consists of a header, a line for each result, and a footer, each in the published format", () => {
    const kinds = lines.map((line) => JSON.parse(line).line);
    expect(kinds).toEqual(["header", ...(report.runs[0]?.results ?? []).map(() => "result"), "footer"]);
    expect(JSON.parse(lines[0] as string).$schema).toBe(ownSchemas()["report-line"]?.$id);
    for (const line of lines) expect(isLine?.(JSON.parse(line)), JSON.stringify(isLine?.errors)).toBe(true);
  });

  it("is read back unchanged, whatever the order of its result lines", async () => {
    expect(await readReport(text, "a")).toEqual(report);
    expect(await readReport(json.render(report, { rules: [] }), "a")).toEqual(report);
    const [header, ...laterLines] = lines as [string, ...string[]];
    const footer = laterLines.pop() as string;
    expect(await readReport([header, ...laterLines.reverse(), footer, ""].join("\n"), "a")).toEqual(report);
  });

  it("reads back the rules that could not be tested", async () => {
    const untested = [{ rule: "S-A-002", why: "POST /a gets no answer" }];
    const reportWithUntested = { ...report, runs: report.runs.map((run) => ({ ...run, untested })) };
    const lineText = jsonl.render(reportWithUntested, { rules: [] });
    for (const line of lineText.trimEnd().split("\n")) expect(isLine?.(JSON.parse(line))).toBe(true);
    expect(await readReport(lineText, "a")).toEqual(reportWithUntested);
    expect(await readReport(json.render(reportWithUntested, { rules: [] }), "a")).toEqual(reportWithUntested);
  });

  it("reads back recorded strings, even with a lone surrogate", async () => {
    const textWithSurrogate = json.render(report, { rules: [] }).replace("no answer", "\\ud800");
    expect((await readReport(textWithSurrogate, "a")).runs[0]?.results.at(-1)?.why).toBe("\ud800");
  });

  it("marks known failures in result lines by the footer", async () => {
    const linesWithoutMarks = lines.map((line) => line.replace(',"known":"failing","why"', ',"why"'));
    expect(linesWithoutMarks).not.toEqual(lines);
    expect(await readReport(linesWithoutMarks.join("\n"), "a")).toEqual(report);
  });
});

it("reads old reports in which results have no kinds", async () => {
  const playedResult = { ...result({ id: "sample/1.0/scenarios/walk-1/S-A-001" }), document: "scenarios" };
  const currentReport = validReport(playedResult);
  for (const format of [json, jsonl]) {
    const oldText = format.render(currentReport, { rules: [] }).replaceAll(/"kind": ?"(vector|walk)",\s*/g, "");
    expect(oldText).not.toMatch(/"kind": ?"(vector|walk)"/);
    expect((await readReport(oldText, "a")).runs).toEqual(currentReport.runs);
  }
});

describe("lines that end early", () => {
  const upTo = (count: number): string => lines.slice(0, count).join("\n");

  it.each([
    ["after the header", `${upTo(1)}\n`, 0],
    ["within the header's line feed", upTo(1), 0],
    ["after a result", `${upTo(3)}\n`, 2],
    ["within a result", `${upTo(3)}\n${lines[3]?.slice(0, 40)}`, 2],
    ["within a character", `${upTo(3)}\n{"line":"result","run":0,"index":3,"result":{"id":"\ufffd`, 2],
    ["within the footer", text.slice(0, -10), report.runs[0]?.results.length as number],
  ])("%s are read as an incomplete report with the results so far", async (_, tornText, resultCount) => {
    const readBack = await readReport(tornText, "a");
    expect(readBack.complete).toBe(false);
    expect(readBack.exitCode).not.toBe(0);
    expect(readBack.runs[0]?.results).toEqual(report.runs[0]?.results.slice(0, resultCount));
    expect(readBack.runs[0]?.set).toEqual(report.runs[0]?.set);
    expect(readBack.command).toBe(report.command);
  });
});

describe("a file that is not a report", () => {
  const linesWithout = (index: number): string => lines.filter((_, lineIndex) => lineIndex !== index).join("\n");

  it.each([
    ["nothing", "", /a:1:1: found the end of the text/],
    ["text that is not JSON", "<html>", /a:1:1: found "<", expected a value/],
    ["a torn report", JSON.stringify(report, null, 2).slice(0, 60), /a:2:\d+: found the end of the text.*\n.*complete/],
    ["a report with a byte order mark", `\ufeff${JSON.stringify(report)}`, /a:1:1: found a byte order mark/],
    ["lines with a byte order mark", `\ufeff${text}`, /a:1:1: found a byte order mark/],
    ["a value that is not a report", "{}", /not a report: the report must have required property/],
    ["a report without its results", JSON.stringify({ ...report, runs: [{}] }), /\/runs\/0 must have/],
    ["lines that include a torn one", text.replace(lines[2] as string, "{"), /a:3:2: found the end of the text/],
    ["lines that include an invalid one", text.replace('"outcome":"conforms"', '"outcome":"good"'), /a:2: .*\/result/],
    ["lines of which one is missing", linesWithout(2), /do not match the counts of its footer/],
    ["lines after the footer", `${text}${lines[1]}\n`, /is not possible here/],
    ["two headers", `${lines[0]}\n${text}`, /a:2: .*"header" is not possible here/],
    ["a result of an unknown run", text.replaceAll('"run":0', '"run":1'), /there is no run 1/],
  ])("%s is refused with the place of the fault", async (_, faultyText, output) => {
    await expect(readReport(faultyText, "a")).rejects.toThrow(output);
  });
});
