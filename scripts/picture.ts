import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { example, home } from "../schemas/index.ts";
import { captureRun } from "./docs/captured-run.ts";

const picture = join(home, "suites", "guides", "report.webp");
/** The WebP quality. Lower values put halos around letters, and higher ones only enlarge the file. */
const quality = 80;
const validator = join(home, "suites", "guides", "examples", "validator.mjs");

/** Takes the picture for README.md: the first screen of the report of a failing run. */
async function takePicture(folder: string): Promise<Buffer> {
  const page = join(folder, "report.html");
  const { code, err } = await captureRun(home, [
    "run",
    example.protocol,
    "--module",
    validator,
    "--report",
    `html=${page}`,
  ]);
  if (code !== 1) throw new Error(`the run ended with ${code}: ${err}`);
  // Readers have the package, and do not see paths of this machine.
  const text = readFileSync(page, "utf8").replaceAll(validator, "validator.mjs");
  writeFileSync(page, text.replaceAll("npm run -s touchstone --", "npx touchstone"));
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--disable-gpu", ...(isRoot ? ["--no-sandbox"] : [])],
  });
  try {
    const browserPage = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
    await browserPage.goto(pathToFileURL(page).href);
    const session = await browserPage.context().newCDPSession(browserPage);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
    return Buffer.from(data, "base64");
  } finally {
    await browser.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), "picture-"));
try {
  const bytes = await takePicture(folder);
  writeFileSync(picture, bytes);
  console.log(`${picture}: ${bytes.length} bytes`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
