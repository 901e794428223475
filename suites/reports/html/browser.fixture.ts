import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onDebian, skipReason } from "../../base/process/lacking.fixture.ts";

/** The names of Chromium, Chrome and Edge on the path. */
const browserNames = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "google-chrome-beta",
  "chrome",
  "microsoft-edge",
  "microsoft-edge-stable",
  "microsoft-edge-beta",
  "microsoft-edge-dev",
];
const programs = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => browserNames.map((name) => join(folder, name)));
const installPaths = [
  ...["Google Chrome", "Chromium", "Microsoft Edge"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
  "/snap/bin/chromium",
  "/opt/google/chrome/chrome",
  "/opt/microsoft/msedge/msedge",
  ...[process.env.PROGRAMFILES, process.env["PROGRAMFILES(X86)"], process.env.LOCALAPPDATA].flatMap((folder) =>
    ["Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe", "Chromium/Application/chrome.exe"]
      .filter(() => folder !== undefined)
      .map((path) => join(folder as string, path)),
  ),
];
/** The browser that CHROMIUM names, or the first installed one. */
const executablePath = process.env.CHROMIUM || [...programs, ...installPaths].find((path) => existsSync(path));

/** The reason why browser tests cannot run here; undefined if they can. */
export const lacking: string | undefined = skipReason(
  executablePath !== undefined,
  "Chromium, Chrome or Edge",
  `${onDebian("chromium")}, or CHROMIUM=/path/to/it`,
);

/** Launches a browser that sends no background requests. Throws if none is installed. */
export async function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined)
    throw new Error("there is no Chromium, Chrome or Edge: install one, or name it by CHROMIUM");
  const quietOptions = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  const isRoot = process.getuid?.() === 0;
  return await chromium.launch({ executablePath, args: isRoot ? [...quietOptions, "--no-sandbox"] : quietOptions });
}

/** A page opened from disk, and its faults. */
export interface OpenedPage {
  page: Page;
  /** Errors, violations of the content security policy, and requests other than for the file itself. */
  faults: string[];
  close(): Promise<void>;
}

export async function openPage(
  browser: Browser,
  html: string,
  hash = "",
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-page-"));
  const file = join(folder, "report.html");
  writeFileSync(file, html);
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], ...options });
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => faults.push(message.text()));
  page.on("dialog", (dialog) => {
    faults.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== address) faults.push(request.url());
  });
  await page.goto(address + hash);
  const close = async (): Promise<void> => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { page, faults, close };
}
