import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Report, type Rule, sum } from "../../../schemas/index.ts";
import { partOf } from "../../../schemas/part.fixture.ts";
import { titleWithReason } from "../../base/process/lacking.fixture.ts";
import { hostile, reportOf, result, rules, violatedResult } from "../../results/sample.fixture.ts";
import { combine } from "../merging/merged-report.ts";
import { lacking, launchBrowser, type OpenedPage, openPage } from "./browser.fixture.ts";
import { html } from "./page.ts";

const exchange = {
  request: { method: "POST", url: "http://localhost:1/v1", headers: { "x-a": "b" }, body: '{"title":""}' },
  response: { status: 202, headers: {}, body: "taken" },
};
const note = "https://example.org/note.json";
const site = `${note}#/properties/title/minLength`;
const second: Rule = { ...(rules[0] as Rule), id: "S-2", level: "SHOULD", statement: "A `due` date lies ahead." };
const sample = reportOf([
  result({ id: "sample/1.0/note/valid/a", description: "a plain note", rule: "S-1" }),
  violatedResult("sample/1.0/note/invalid/b", {
    site,
    fault: "too-short",
    answer: { verdict: "accepted", reasons: [], exchange },
  }),
  violatedResult("sample/1.0/list/invalid/c", { document: "list", description: "the list is empty", fault: "too-few" }),
  result({
    id: "sample/1.0/note/invalid/d",
    description: "the date is past",
    rule: "S-2",
    level: "SHOULD",
    verdict: "invalid",
    outcome: "warns",
    why: "accepted, although it is unwise",
    vector: { data: { due: 0 }, change: [] },
    at: "/due",
  }),
  result({
    id: "sample/1.0/scenarios/twice/S-1",
    document: "scenarios",
    rule: "S-1",
    description: "said twice",
    outcome: "errored",
    stage: "send",
    why: "it hung up",
    exchanges: [exchange, exchange],
  }),
]);
const knownRules = [...rules, second];
const background = [
  {
    protocol: "sample",
    version: "1.0",
    schemas: [
      {
        $id: note,
        type: "object",
        required: ["title"],
        properties: { title: { type: "string", minLength: 1 }, due: { type: "integer", minimum: 0 } },
      },
    ],
    nameOfSchema: () => "note, note.schema.json",
    instance: (id: string) => (id === "p" ? { title: "Tea", due: 1 } : undefined),
  },
];
const failingHash = "#sample/1.0/note/invalid/b";

describe.skipIf(lacking !== undefined)(titleWithReason("the page in a browser", lacking), () => {
  let browser: Browser;
  let opened: OpenedPage;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });
  afterEach(async () => {
    const { faults = [] } = opened ?? {};
    await opened?.close();
    expect(faults).toEqual([]);
  });

  async function show(report: Report, hash = "", options: BrowserContextOptions = {}): Promise<Page> {
    opened = await openPage(browser, html.render(report, { rules: knownRules, background }), hash, options);
    if (options.javaScriptEnabled !== false) await opened.page.locator("#bar nav").waitFor({ state: "attached" });
    return opened.page;
  }

  /** Waits for the view with this title, because the page reacts to its address with a short delay. */
  const waitForTitle = (page: Page, focusedText: string): Promise<void> =>
    page.getByRole("heading", { level: 1, name: focusedText, exact: true }).waitFor();
  const rows = (page: Page): Promise<string[]> => page.locator(".rows a code").allTextContents();
  const status = (page: Page): Promise<string | null> => page.getByRole("status").first().textContent();

  it("links from the summary to a failure, to the next one, and back to the same place in the list", async () => {
    const page = await show(sample);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(/^Does not conform: 2 of 5 vectors/);
    await page.getByRole("row", { name: /^note/ }).getByRole("link", { name: "1", exact: true }).nth(1).click();
    await expect.poll(() => rows(page)).toEqual(["sample/1.0/note/invalid/b"]);
    await page.getByRole("link", { name: "Results", exact: true }).click();
    await expect.poll(() => rows(page)).toHaveLength(5);
    await page.getByRole("link", { name: /the title is empty/ }).click();
    await waitForTitle(page, "the title is empty");
    await page.getByRole("link", { name: "Next" }).click();
    await waitForTitle(page, "the list is empty");
    await page.getByRole("link", { name: "Previous" }).click();
    await waitForTitle(page, "the title is empty");
    await page.getByRole("link", { name: "All results" }).click();
    await page.locator('a:focus[data-id="sample/1.0/note/invalid/b"]').waitFor();
  });

  it("shows everything about a vector: the change, rule, verdict, instance and exchange", async () => {
    const page = await show(sample, failingHash);
    expect(await page.locator("pre del").allTextContents()).toEqual(['"Tea"']);
    expect(await page.locator("pre mark").allTextContents()).toEqual(['""', '"minLength": 1']);
    expect(await page.getByText("curl --include").innerText()).toBe(
      `curl --include --request POST http://localhost:1/v1 --header 'x-a: b' --data-raw '{"title":""}'`,
    );
    const facts = await page.locator("#view .facts > div").allInnerTexts();
    expect(facts.map((fact) => fact.replace(/\s+/g, " ").trim())).toEqual([
      "Rule S-1 MUST · clause 4.2 A title has at least one character.",
      'Change replace /title by ""',
      "Fault too-short",
      "At /title",
      `Schema ${site}`,
      "Expected refused",
      "Got accepted (HTTP 202)",
    ]);
    expect(await page.getByRole("region", { name: "Request" }).innerText()).toBe(
      'POST http://localhost:1/v1\nx-a: b\n\n{"title":""}',
    );
    expect(await page.getByRole("region", { name: "Response" }).innerText()).toBe("HTTP 202\n\ntaken");
    await page.goto(page.url().replace(/#.*/, "#sample/1.0/scenarios/twice/S-1"));
    await page.getByRole("region", { name: "Request 2 of 2" }).waitFor();
  });

  it("shortens the name of a long target in its bar, but not the result", async () => {
    const target = {
      kind: "command",
      name: "python3 an-adapter-of-the-validator.py --with all --that it --takes to --start",
    };
    const reportWithLongName = { ...sample, runs: sample.runs.map((run) => ({ ...run, target })) } as typeof sample;
    const page = await show(reportWithLongName, failingHash);
    const isCut = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => element.scrollWidth > element.clientWidth);
    expect(await isCut(".brand")).toBe(true);
    expect(await isCut("p.gist")).toBe(false);
  });

  it("copies the command that repeats a vector", async () => {
    const page = await show(sample, failingHash);
    await page.getByRole("button", { name: "Copy the command" }).first().click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate(`navigator.clipboard.readText()`)).toBe(
      "npx touchstone replay --http http://localhost:1 sample/1.0/note/invalid/b",
    );
  });

  it("selects the command if the browser does not allow copying", async () => {
    const page = await show(sample, failingHash);
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error())");
    await page.getByRole("button", { name: "Copy the command" }).first().click();
    await page.getByText("Selected").waitFor();
    expect(await page.evaluate("String(getSelection())")).toContain(
      "--http http://localhost:1 sample/1.0/note/invalid/b",
    );
  });

  it("filters by outcome, document, level, rule and fault, and keeps the filter in the address", async () => {
    const page = await show(sample, "#results");
    await page.getByLabel(/violates 2/).check();
    await expect.poll(() => rows(page)).toEqual(["sample/1.0/note/invalid/b", "sample/1.0/list/invalid/c"]);
    await page.locator("select[name=document]").selectOption("list");
    await expect.poll(() => rows(page)).toEqual(["sample/1.0/list/invalid/c"]);
    expect(await status(page)).toBe("1 of 5 results");
    await page.locator("select[name=document]").selectOption("");
    await page.locator("select[name=fault]").selectOption("too-short");
    await expect.poll(() => rows(page)).toEqual(["sample/1.0/note/invalid/b"]);
    expect(await page.evaluate("location.hash")).toBe("#results?outcome=violates&fault=too-short");
    await page.reload();
    await expect.poll(() => rows(page)).toEqual(["sample/1.0/note/invalid/b"]);
    await page.goto(page.url().replace(/#.*/, "#results?level=SHOULD"));
    await expect.poll(() => rows(page)).toEqual(["sample/1.0/note/invalid/d"]);
    await page.locator("select[name=level]").selectOption("");
    await page.locator("select[name=rule]").selectOption("S-2");
    await expect.poll(() => rows(page)).toEqual(["sample/1.0/note/invalid/d"]);
  });

  it("searches all words in ids, descriptions, rules and reasons, while the reader types", async () => {
    const page = await show(sample, "#results");
    const searches: [text: string, ids: string[]][] = [
      ["LIST empty", ["sample/1.0/list/invalid/c"]],
      ["lies ahead", ["sample/1.0/note/invalid/d"]],
      ["hung", ["sample/1.0/scenarios/twice/S-1"]],
      ["invalid/b", ["sample/1.0/note/invalid/b"]],
      ["nothing like it", []],
    ];
    for (const [text, ids] of searches) {
      await page.getByRole("searchbox").fill(text);
      await expect.poll(() => rows(page)).toEqual(ids);
    }
    await page.getByText("No result matches.").waitFor();
    expect(await page.evaluate('document.activeElement?.getAttribute("name")')).toBe("q");
  });

  it("counts the vectors of a rule that were run, and does not repeat the name of the only implementation", async () => {
    const skipped = result({ id: "sample/1.0/note/valid/s", rule: "S-1", outcome: "skipped", why: "no clock" });
    const page = await show(reportOf([violatedResult("sample/1.0/note/invalid/b"), skipped]), "#results");
    await page.getByText("1 of 1 result of this rule").waitFor();
    await page.goto(page.url().replace(/#.*/, "#rules"));
    const cell = page.locator(".rules td.bad");
    expect([await cell.innerText(), await cell.getAttribute("data-label")]).toEqual([
      expect.stringMatching(/^✕1\s+violates$/),
      "result",
    ]);
  });

  it("lists all rules, even without results, and links from a rule to its results", async () => {
    const page = await show(sample, "#rules");
    expect(await page.locator(".rules tbody tr").count()).toBe(2);
    const first = page.locator(".rules tbody tr").first();
    expect(await first.locator("td").innerText()).toMatch(/✕\s*3\/4/);
    expect(await first.locator("td").getAttribute("title")).toContain("2 violates, 1 errored, 1 conforms of 4");
    await page.getByRole("searchbox").fill("ahead");
    await expect.poll(() => page.locator(".rules tbody th a").allTextContents()).toEqual(["S-2"]);
    await page.getByRole("link", { name: "S-2" }).click();
    await expect.poll(() => rows(page)).toEqual(["sample/1.0/note/invalid/d"]);
  });

  it("shows the schema as a heat map, and links from a keyword to its vectors", async () => {
    const page = await show(sample, "#schema");
    const keywordRow = page.locator(".heat tr", { hasText: "minLength" });
    expect(await keywordRow.locator(".cell").innerText()).toMatch(/✕\s*1/);
    expect(await keywordRow.locator(".hot.bad").innerText()).toBe('"minLength"');
    expect(await page.locator(".heat .hot").count()).toBe(1);
    await page.getByRole("link", { name: "/properties/title/minLength" }).click();
    await page.locator(".heat .wanted", { hasText: "minLength" }).waitFor();
    await page.locator(".heat .cell a").click();
    await expect.poll(() => rows(page)).toEqual(["sample/1.0/note/invalid/b"]);
  });

  it("lists assertions with only warnings separately from failing ones, folded", async () => {
    const warningMembers = { site: `${note}#/properties/due/minimum`, outcome: "warns" } as const;
    const page = await show(
      reportOf([
        ...["b", "c"].map((name) => violatedResult(`sample/1.0/note/invalid/${name}`, warningMembers)),
        violatedResult("sample/1.0/note/invalid/d", { site }),
        violatedResult("sample/1.0/note/invalid/e", { site, outcome: "warns" }),
      ]),
      "#schema",
    );
    expect(await page.locator(".lead").innerText()).toMatch(/1 of them has failures, 1 only warnings/);
    expect(await page.locator(".worst > li:visible").allInnerTexts()).toEqual([expect.stringMatching(/✕1\/2.*title/)]);
    expect(await page.locator(".heat .cell.mid").innerText()).toMatch(/△\s*2/);
    expect(await page.locator(".key").innerText()).toContain("△2/9 2 of 9: warns, none fails");
    await page.getByText("1 assertion with warnings only").click();
    expect(await page.locator(".worst > li:visible").count()).toBe(2);
  });

  it("draws a scenario as messages between parties, with the decisive one marked", async () => {
    const exchanges = [exchange, { ...exchange, as: "bot", decisive: true as const }, exchange];
    const playedScenario = result({
      id: "sample/1.0/scenarios/told/S-1",
      kind: "scenario",
      rule: "S-1",
      outcome: "violates",
      why: "is wrong",
      exchanges,
    });
    const page = await show(reportOf([playedScenario]), "#sample/1.0/scenarios/told/S-1");
    expect(await page.locator(".ladder th").allInnerTexts()).toEqual(["touchstone", "target"]);
    expect(await page.locator(".ladder .message").count()).toBe(6);
    expect(await page.locator(".ladder .decisive").allInnerTexts()).toEqual([
      expect.stringMatching(/here the rule is broken 4. target → touchstone\s+HTTP 202/),
    ]);
    expect(await page.locator(".ladder tr").nth(3).innerText()).toContain("POST /v1 (as bot)");
    await opened?.close();
    const trace = ["asks", "does", "says"].map((text, index) => ({
      from: "agent",
      to: "suite",
      text,
      ...(index === 1 ? {} : { decisive: true as const }),
    }));
    const pageWithTrace = await show(reportOf([{ ...playedScenario, trace }]), "#sample/1.0/scenarios/told/S-1");
    expect(await pageWithTrace.locator(".ladder .decisive").allInnerTexts()).toEqual([
      expect.stringMatching(/^\s*1\. agent → suite\s+asks/),
      expect.stringMatching(/here the rule is broken 3\. agent → suite\s+says/),
    ]);
    await opened?.close();
    const pageWithError = await show(sample, "#sample/1.0/scenarios/twice/S-1");
    expect(await pageWithError.locator(".ladder .message").count()).toBe(4);
    expect(await pageWithError.locator(".ladder .decisive").count()).toBe(0);
  });

  it('shows "Not in this report" for an unknown address', async () => {
    const page = await show(sample, "#sample/1.0/note/valid/%zz");
    await waitForTitle(page, "Not in this report");
  });

  it("compares implementations, and can show only the vectors on which they differ", async () => {
    const otherReport = reportOf(
      sample.runs
        .flatMap(({ results }) => results)
        .map((result) => (result.id.endsWith("/b") ? { ...result, outcome: "conforms" } : result)),
    );
    const runs = [
      ...sample.runs,
      ...otherReport.runs.map((run) => ({ ...run, target: { kind: "module", name: "other" } })),
    ];
    const page = await show({ ...sample, runs, counts: sum(runs.map(({ counts }) => counts)) }, "#results");
    await page.getByText("stand for http://localhost:1; other (module), in this order").waitFor();
    await page.getByLabel("only where they differ").check();
    await expect.poll(() => rows(page)).toEqual(["sample/1.0/note/invalid/b"]);
    expect(await page.locator(".rows a").innerText()).toContain("other (module): conforms.");
    await page.getByLabel("only where they differ").uncheck();
    await page.locator("select[name=target]").selectOption("other (module)");
    await page.getByLabel(/conforms/).check();
    await expect
      .poll(() => rows(page))
      .toEqual(["sample/1.0/note/valid/a", "sample/1.0/note/invalid/b"].sort().reverse());
    await page.goto(page.url().replace(/#.*/, failingHash));
    await expect
      .poll(() => page.locator(".verdict").allInnerTexts())
      .toEqual([expect.stringContaining("violates"), expect.stringContaining("conforms")]);
    await page.goto(page.url().replace(/#.*/, "#rules?show=differs"));
    await expect.poll(() => page.locator(".rules tbody th a").allTextContents()).toEqual(["S-1"]);
  });

  it("marks failures that the baseline lists, and hides them on request", async () => {
    const page = await show(
      reportOf([
        violatedResult("sample/1.0/note/invalid/b", { known: "failing" }),
        violatedResult("sample/1.0/note/invalid/c"),
      ]),
      "#results",
    );
    expect(await page.locator(".rows a", { hasText: "known to the baseline" }).count()).toBe(1);
    await page.getByLabel("without what the baseline knows").check();
    await expect.poll(() => rows(page)).toEqual(["sample/1.0/note/invalid/c"]);
    await page.goto(page.url().replace(/#.*/, failingHash));
    await page.getByText("known, failing").waitFor();
  });

  it("can be used with the keyboard alone", async () => {
    const page = await show(sample);
    const name = (): Promise<string | null | undefined> => page.evaluate(`document.activeElement?.textContent`);
    await page.keyboard.press("Tab");
    expect(await name()).toBe("Skip to the content");
    for (const expected of ["Summary", "Rules", "Schema", "Results"]) {
      await page.keyboard.press("Tab");
      expect(await name()).toBe(expected);
    }
    await page.keyboard.press("Enter");
    await page.locator("h1:focus", { hasText: "Results" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("list is");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    expect(await page.evaluate("location.hash")).toBe("#results?q=list+is&outcome=violates");
    for (let press = 0; press < 20 && !(await name())?.includes("list/invalid/c"); press += 1)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("h1:focus", { hasText: "the list is empty" }).waitFor();
  });

  it("uses dark or light colours as the system or the reader chooses", async () => {
    const page = await show(sample, "", { colorScheme: "dark" });
    const brightness = (): Promise<number> =>
      page.evaluate("Number(getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0])");
    expect(await brightness()).toBeLessThan(60);
    await page.getByRole("button", { name: "Colours: system" }).click();
    await page.getByRole("button", { name: "Colours: dark" }).click();
    expect(await brightness()).toBeGreaterThan(200);
    await page.reload();
    expect(await brightness()).toBeGreaterThan(200);
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "Colours: light" }).click();
    await page.getByRole("button", { name: "Colours: system" }).click();
    expect(await brightness()).toBeLessThan(60);
  });

  it("stays fast with twenty thousand results", async () => {
    const manyResults = Array.from({ length: 20_000 }, (_, index) => {
      const id = `sample/1.0/note/invalid/${index}`;
      return index % 4 === 0 ? violatedResult(id, { rule: `S-${index % 7}` }) : result({ id, rule: "S-1" });
    });
    const page = await show(reportOf(manyResults), "#results");
    const nodes = (): Promise<number> => page.evaluate('document.querySelectorAll("*").length');
    expect(await status(page)).toBe("20000 of 20000 results");
    expect(await nodes()).toBeLessThan(1000);
    await page.getByRole("button", { name: "Show 100 more of 19900" }).click();
    await expect.poll(() => rows(page)).toHaveLength(200);
    expect(await page.evaluate('document.activeElement === document.querySelectorAll(".rows a")[100]')).toBe(true);
    await page.getByRole("searchbox").fill("invalid/1234");
    expect(await status(page)).toBe("11 of 20000 results");
    expect(await nodes()).toBeLessThan(1000);
    await page.getByRole("link", { name: "Summary" }).click();
    expect(await nodes()).toBeLessThan(1000);
  });

  it("shows hostile texts literally", async () => {
    const text = `${hostile}"'\u0000 \u05d0\u200f&amp;<!--`;
    const hostileResult = violatedResult(`sample/1.0/note/invalid/${text}`, {
      description: text,
      fault: text,
      why: text,
      answer: {
        verdict: "accepted",
        reasons: [],
        exchange: { request: { ...exchange.request, body: text }, response: { ...exchange.response, body: text } },
      },
      vector: { data: { [text]: text, title: "" }, change: [{ op: "replace", path: "/title", value: text }] },
    });
    const report = reportOf([hostileResult, result({ id: "sample/1.0/note/valid/a" })], {
      command: `npx touchstone run sample --module ${text}`,
    });
    const page = await show(report, "#results");
    await page
      .getByRole("link", { name: /script/ })
      .first()
      .click();
    const escapedText = `</script><img src=x onerror=alert(1)>\\u001b[31m\\u202e"'\\u0000 \u05d0\\u200f&amp;<!--`;
    await waitForTitle(page, escapedText);
    expect(await page.getByRole("region", { name: "Response" }).innerText()).toContain(escapedText);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator("pre", { hasText: '"title": ' }).innerText()).toContain("onerror=alert(1)>");
  });

  it("can be read without its script", async () => {
    const page = await show(sample, "", { javaScriptEnabled: false });
    expect(await page.locator("dd", { hasText: /^accepted/ }).count()).toBe(3);
    expect(await page.locator("#bar").isVisible()).toBe(false);
    await page.locator("summary").first().click();
    expect(await page.getByText("replay sample/1.0/note/invalid/b").isVisible()).toBe(true);
  });

  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const partialComparison = { ...sample, complete: false, runs: [...sample.runs, ...sample.runs] };
  const runsOverTime = combine([sample, { ...sample, started: "2026-01-16T09:30:00.000Z" }]);
  const views: [name: string, hash: string, report: Report][] = [
    ["the summary", "", sample],
    ["a partial comparison", "", partialComparison],
    ["the rules", "#rules", sample],
    ["the schema", "#schema", sample],
    ["a scenario", "#sample/1.0/scenarios/twice/S-1", sample],
    ["runs over time", "", runsOverTime],
    ["the results", "#results", sample],
    ["the results of several implementations", "#results", partialComparison],
    ["a vector", failingHash, sample],
  ];
  const auditedPart = partOf(views, ([name]) => name, 3);
  it.each(auditedPart.cases)(`is accessible, light or dark (${auditedPart.said}): %s`, async (_, hash, report) => {
    const page = await show(report, hash, { colorScheme: "light", bypassCSP: true });
    await page.evaluate(axe);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = (await page.evaluate("axe.run()")) as {
        violations: { id: string; impact: string; nodes: { html: string }[] }[];
      };
      const reportedViolations = violations.map(
        ({ id, impact, nodes }) => `${colorScheme}, ${impact} ${id}: ${nodes[0]?.html}`,
      );
      expect(reportedViolations).toEqual([]);
    }
  });

  it.each(["", "#rules", "#schema", "#results", failingHash])("fits a narrow screen: %s", async (hash) => {
    const page = await show(sample, hash, { viewport: { width: 380, height: 700 } });
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBe(380);
  });

  it("fits a narrow screen with long names in the heading", async () => {
    const document = "acknowledgment.of.a.subscription";
    const refusedResult = result({
      id: `sample/1.0/${document}/valid/minimal`,
      document,
      outcome: "violates",
      why: "refused",
      answer: { verdict: "rejected", reasons: [] },
    });
    const page = await show(reportOf([refusedResult]), "", { viewport: { width: 380, height: 700 } });
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBe(380);
  });

  it.each(["", "#results"])("fits a narrow screen with long names of assertions: %s", async (hash) => {
    const longSite = "https://example.org/common.schema.json#/$defs/moneyInAnyCurrency/propertyNames/pattern";
    const { rule: _, ...assertionFailure } = violatedResult("sample/1.0/note/invalid/e", { site: longSite });
    const page = await show(reportOf([assertionFailure]), hash, { viewport: { width: 380, height: 700 } });
    expect(await page.locator("main").textContent()).toContain("moneyInAnyCurrency");
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBe(380);
  });

  it("fits a sheet of paper with every kind of fault, in dark ink even with dark colours", async () => {
    const faults = [
      "wrong-type",
      "missing",
      "unknown-member",
      "not-in-enum",
      "pattern-miss",
      "format-miss",
      "too-long",
    ];
    const moreFaults = ["token-x", "above-maximum", "timeout-x", "extra-item", "no-branch", "rule", "other"];
    const results = [...faults, ...moreFaults].flatMap((fault) =>
      Array.from({ length: 111 }, (_, index) =>
        violatedResult(`sample/1.0/agent.awaiting.confirmation/invalid/${fault}/${index}`, {
          document: "agent.awaiting.confirmation",
          fault,
          outcome: index === 0 ? "conforms" : "violates",
        }),
      ),
    );
    const page = await show(reportOf(results), "", { viewport: { width: 718, height: 1000 }, colorScheme: "dark" });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await page.locator(".matrix thead th").count()).toBe(15);
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBe(718);
    expect(await page.evaluate("getComputedStyle(document.body).color")).toBe("rgb(27, 29, 32)");
  });
});
