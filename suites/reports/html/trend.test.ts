import { describe, expect, it } from "vitest";
import type { Report } from "../../../schemas/index.ts";
import { reportOf, result, rules, violatedResult } from "../../results/sample.fixture.ts";
import { groupsByProtocol } from "../groups/implementations.ts";
import { combine } from "../merging/merged-report.ts";
import { html } from "./page.ts";

const [firstId, secondId] = ["sample/1.0/note/invalid/a", "sample/1.0/note/invalid/b"];
const reportOn = (day: string, ...failing: string[]): Report =>
  reportOf(
    [firstId, secondId].map((id) =>
      failing.includes(id) ? violatedResult(id) : result({ id, rule: "S-1", verdict: "invalid" }),
    ),
    { started: `2026-01-${day}T00:00:00.000Z` },
  );
// The order of the reports does not matter.
const combinedReport = combine([reportOn("02", secondId), reportOn("03"), reportOn("01", firstId)]);

describe("several reports of one implementation", () => {
  const text = html.render(combinedReport, { rules });

  it("count as one implementation, judged by its last run", () => {
    const [group] = groupsByProtocol(combinedReport.runs);
    expect(group?.runs.map(({ started }) => started)).toEqual(["2026-01-03T00:00:00.000Z"]);
    expect(group?.earlier).toHaveLength(1);
    expect(text).toContain('<h1 class="good">Conforms: no vector is violated.</h1>');
    expect(text).toContain(", the last run");
  });

  it("are listed with the latest first, each with regressions and fixed vectors", () => {
    const table = text.slice(text.indexOf('<table class="trend">'), text.indexOf("</table>"));
    const rows = table.split("<tr>").slice(2);
    expect(rows.map((row) => /2026-01-0\d/.exec(row)?.[0])).toEqual(["2026-01-03", "2026-01-02", "2026-01-01"]);
    expect(rows[0]).toMatch(/newly failing"><span class="soft">0.*fixed"><details>.*invalid\/b/);
    expect(rows[1]).toMatch(/newly failing"><details>.*invalid\/b.*fixed"><details>.*invalid\/a/);
    expect(text).toContain("the oldest first: 1, 1, 0");
  });

  it("count as two implementations if the targets differ", () => {
    const otherReport = reportOn("02", firstId);
    const runs = otherReport.runs.map((run) => ({ ...run, target: { kind: "module", name: "other" } }));
    const [group] = groupsByProtocol(combine([reportOn("01"), { ...otherReport, runs }]).runs);
    expect(group?.runs).toHaveLength(2);
    expect(group?.earlier.flat()).toEqual([]);
  });
});
