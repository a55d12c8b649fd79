import type { Page } from "../../src/render/page/page.ts";
import { timesAround } from "../../src/render/page/times.ts";
import { at } from "./explanations.ts";

export const PAGE: Page = {
  columns: 500,
  color: false,
  nowMs: at("13:40:00"),
  times: timesAround(at("13:40:00"), "Europe/Berlin"),
  timeZone: "Europe/Berlin",
};
