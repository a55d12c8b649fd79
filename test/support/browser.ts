import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

const CHROMIUM = "/usr/bin/chromium";

/** Without Chromium, the tests in a browser are skipped or, with BROWSER_TESTS=required, fail. */
export const HAS_BROWSER = existsSync(CHROMIUM) || process.env["BROWSER_TESTS"] === "required";

export const SKIPPED = HAS_BROWSER ? "" : ` (skipped: ${CHROMIUM} is not installed)`;

/** Switches off features of Chromium that use the network by themselves. */
export function launchBrowser(): Promise<Browser> {
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"];
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", ...quiet];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

interface Opened {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** Leaves out the URL of the page itself. */
  readonly requests: readonly string[];
}

/** `nowMs` stops the page's clock at that time. */
export interface Reader {
  readonly colorScheme?: "dark" | "light";
  readonly nowMs?: number;
  readonly width?: number;
}

export async function open(browser: Browser, name: string, text: string, reader: Reader = {}): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "backoff-page-"));
  const file = join(folder, name);
  writeFileSync(file, text);
  const page = await browser.newPage({
    colorScheme: reader.colorScheme ?? "light",
    viewport: { width: reader.width ?? 1280, height: 720 },
  });
  onTestFinished(() => page.close());
  if (reader.nowMs !== undefined) {
    await page.clock.install({ time: reader.nowMs - 60_000 });
    await page.clock.pauseAt(reader.nowMs);
  }
  const complaints: string[] = [];
  const requests: string[] = [];
  const address = pathToFileURL(file).href;
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== address) requests.push(request.url());
  });
  await page.goto(address);
  rmSync(folder, { recursive: true });
  return { page, complaints, requests };
}
