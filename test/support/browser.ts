import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";

/** Where there is no browser its tests are left out, but not where they are asked for: then they fail. */
export const HAS_BROWSER = existsSync(CHROMIUM) || process.env["BROWSER_TESTS"] === "required";

/** Why tests are skipped, for their titles. */
export const SKIPPED = HAS_BROWSER ? "" : ` (skipped: ${CHROMIUM} is not installed)`;

/** Debian's browser, with everything off that would use the network by itself. */
export function launchBrowser(): Promise<Browser> {
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"];
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", ...quiet];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

/** A file opened in a page of its own, and everything that went wrong or was asked for since. */
interface Opened {
  readonly page: Page;
  /** Messages of the console, errors and dialogs. */
  readonly complaints: readonly string[];
  /** Addresses besides that of the file. */
  readonly requests: readonly string[];
}

/** What the reader's system is set to, and when its clock stands still (milliseconds since 1970). */
export interface Reader {
  readonly colorScheme?: "dark" | "light";
  readonly nowMs?: number;
  /** Of the window, in pixels. */
  readonly width?: number;
}

/** Opens a file of that name, which is gone as soon as it is loaded. */
export async function open(browser: Browser, name: string, text: string, reader: Reader = {}): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "backoff-page-"));
  const file = join(folder, name);
  writeFileSync(file, text);
  const page = await browser.newPage({
    colorScheme: reader.colorScheme ?? "light",
    viewport: { width: reader.width ?? 1280, height: 720 },
  });
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
