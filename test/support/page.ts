import type { Page, RenderOptions } from "../../src/render/page/page.ts";
import { timesAround } from "../../src/render/page/times.ts";
import { atClock } from "./explanations.ts";

export const PAGE: Page = {
  columns: 500,
  color: false,
  nowMs: atClock("13:40:00"),
  times: timesAround(atClock("13:40:00"), "Europe/Berlin"),
  timeZone: "Europe/Berlin",
};

export const RENDER_OPTIONS: RenderOptions = { columns: 80, color: false, timeZone: "Europe/Berlin" };
