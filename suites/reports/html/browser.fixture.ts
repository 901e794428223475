import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = places.find((place) => existsSync(place));

/** Why there is nothing to test with; in CI there must be, and the tests fail. */
export const lacking: string | undefined =
  executablePath === undefined && process.env.CI === undefined ? `no Chromium in ${places.join(", ")}` : undefined;

/** A browser that asks for nothing of its own accord. Throws where there is none. */
export async function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(`there is no Chromium in ${places.join(", ")}`);
  const quiet = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const isRoot = process.getuid?.() === 0;
  return await chromium.launch({ executablePath, args: isRoot ? [...quiet, "--no-sandbox"] : quiet });
}

/** A page from disk, with what it should never have done. */
export interface Opened {
  page: Page;
  /** Errors, complaints of the content security policy, and requests other than for the file itself. */
  faults: string[];
  close(): Promise<void>;
}

export async function open(
  browser: Browser,
  html: string,
  hash = "",
  options: BrowserContextOptions = {},
): Promise<Opened> {
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
