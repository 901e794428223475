import { request } from "node:http";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { titleWithReason } from "../../base/process/lacking.fixture.ts";
import { reportOf, result, rules, violatedResult } from "../../results/sample.fixture.ts";
import { lacking, launchBrowser } from "../html/browser.fixture.ts";
import { type LivePage, startLive } from "./live.ts";

const [conforming, violation] = [
  result({ id: "sample/1.0/note/valid/a" }),
  violatedResult("sample/1.0/note/invalid/b"),
];
const wholeReport = reportOf([conforming, violation]);
const plan = {
  tool: wholeReport.tool,
  started: wholeReport.started,
  command: wholeReport.command,
  runs: wholeReport.runs.map(({ counts: _, results: __, ...head }) => head),
};

let live: LivePage;
const repeatedIds: string[] = [];
beforeEach(async () => {
  repeatedIds.length = 0;
  live = await startLive({
    rules,
    background: [],
    async again(id) {
      repeatedIds.push(id);
      return [{ ...violation, outcome: "conforms" }];
    },
  });
  live.onStart(plan);
});
afterEach(() => live.close());

/** Sends a request with any headers, which `fetch` does not allow. Returns the status. */
function sendRequest(path: string, headers: Record<string, string>, method = "GET", body = ""): Promise<number> {
  const { port, pathname } = new URL(live.url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port, path: pathname + path, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on("error", reject).end(body);
  });
}

describe("the server of a page", () => {
  it("listens on the loopback interface only, and refuses other hosts and origins", async () => {
    const { hostname, host } = new URL(live.url);
    expect(hostname).toBe("127.0.0.1");
    const body = JSON.stringify({ id: violation.id });
    live.ended(wholeReport);
    expect(await sendRequest("", {})).toBe(200);
    expect(await sendRequest("", { host: "evil.example" })).toBe(421);
    expect(await sendRequest("", { origin: "https://evil.example" })).toBe(403);
    expect(await sendRequest("again", { origin: "https://evil.example" }, "POST", body)).toBe(403);
    expect(await sendRequest("again", {}, "POST", body)).toBe(403);
    expect(repeatedIds).toEqual([]);
    expect(await sendRequest("again", { origin: `http://${host}` }, "POST", body)).toBe(200);
    expect(repeatedIds).toEqual([violation.id]);
  });

  it("repeats a vector only if it is known, the run has ended, and the body is short", async () => {
    const origin = `http://${new URL(live.url).host}`;
    const post = (body: string): Promise<number> => sendRequest("again", { origin }, "POST", body);
    expect(await post(JSON.stringify({ id: violation.id }))).toBe(409);
    live.ended(wholeReport);
    expect(await post(JSON.stringify({ id: "sample/1.0/note/valid/unknown" }))).toBe(409);
    expect(await post("{")).toBe(400);
    expect(await post(JSON.stringify({ id: "x".repeat(10_000) }))).toBe(400);
    expect(await sendRequest("elsewhere", {})).toBe(404);
    expect(repeatedIds).toEqual([]);
  });
});

describe.skipIf(lacking !== undefined)(titleWithReason("the page of a run", lacking), () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it("shows results as they arrive, and repeats a vector on a click", async () => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("console", (message) => faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(live.url);
    await page.getByRole("heading", { level: 1, name: "Running: no vector is violated so far." }).waitFor();
    live.onProgress({ run: 0, index: 1, result: violation, done: 1, total: 2 });
    await page.getByRole("heading", { level: 1, name: "Running: 1 vector violated so far." }).waitFor();
    await page.setViewportSize({ width: 400, height: 700 });
    const widthOf = async (part: string) => (await page.locator(part).boundingBox())?.width ?? 0;
    // A shortened name begins with an ellipsis.
    expect(await widthOf(".brand")).toBeGreaterThan((await widthOf(".brand strong")) + 15);
    await page.setViewportSize({ width: 1280, height: 700 });
    live.ended(wholeReport);
    await page.getByRole("heading", { level: 1, name: /^Does not conform: 1 of 2 vectors/ }).waitFor();
    await page.getByRole("link", { name: "Results", exact: true }).click();
    await page.getByRole("link", { name: /the title is empty/ }).click();
    await page.getByRole("button", { name: "Run it again" }).click();
    await page.locator(".verdict .good", { hasText: "conforms" }).waitFor();
    expect(repeatedIds).toEqual([violation.id]);
    expect(await page.locator(".gist", { hasText: "Conforms" }).count()).toBe(1);
    expect(faults).toEqual([]);
  });
});
