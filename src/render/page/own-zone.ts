/**
 * The clocks of the process's own zone, read from Date alone: Intl would say the same, but to load it takes longer than all
 * the rest of an explanation.
 */

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "Nov 21" */
export function ownDay(atMs: number): string {
  const at = new Date(atMs);
  return `${MONTHS[at.getMonth()]} ${at.getDate()}`;
}

/** "2026" */
export function ownYear(atMs: number): string {
  return `${new Date(atMs).getFullYear()}`;
}

/** "14:04:38" */
export function ownClock(atMs: number): string {
  return new Date(atMs).toTimeString().slice(0, "hh:mm:ss".length);
}

/** "CET", or "GMT+8" where there is no name for it. Null where V8's names are not English: they follow LANG and LC_ALL. */
export function ownZoneName(atMs: number): string | null {
  const at = new Date(atMs);
  const longName = /\((.+)\)/.exec(at.toTimeString())?.[1] ?? "";
  if (NO_ZONE.test(longName)) return "UTC";
  const known = ABBREVIATIONS.get(longName);
  if (known !== undefined) return known;
  return longName === "" || isEnglish(longName) ? offsetName(-at.getTimezoneOffset()) : null;
}

/** "Nepal Time", and "GMT+03:00" of what is no zone of a place. */
function isEnglish(longName: string): boolean {
  return /^(\p{Lu}[\p{L}.&’ -]* Time|(GMT|UTC)[+-].*)$/u.test(longName);
}

/** An empty TZ, or one that names no zone. */
const NO_ZONE = /^(GMT|UTC)([+-]00:00)?$/;

function offsetName(aheadMinutes: number): string {
  const [hours, minutes] = [Math.floor(Math.abs(aheadMinutes) / 60), Math.abs(aheadMinutes) % 60];
  return `GMT${aheadMinutes < 0 ? "-" : "+"}${hours}${minutes === 0 ? "" : `:${`${minutes}`.padStart(2, "0")}`}`;
}

/** What people who live there call the clocks that V8 has only a long name for (CLDR 48, "timeZoneName": "short"). */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ["Coordinated Universal Time", "UTC"],
  ["Greenwich Mean Time", "GMT"],
  ["British Summer Time", "BST"],
  ["Western European Standard Time", "WET"],
  ["Western European Summer Time", "WEST"],
  ["Central European Standard Time", "CET"],
  ["Central European Summer Time", "CEST"],
  ["Eastern European Standard Time", "EET"],
  ["Eastern European Summer Time", "EEST"],
  ["West Africa Time", "WAT"],
  ["Central Africa Time", "CAT"],
  ["East Africa Time", "EAT"],
  ["South Africa Standard Time", "SAST"],
  ["Gulf Standard Time", "GST"],
  ["India Standard Time", "IST"],
  ["Australian Western Standard Time", "AWST"],
  ["Australian Central Western Standard Time", "ACWST"],
  ["Australian Central Standard Time", "ACST"],
  ["Australian Central Daylight Time", "ACDT"],
  ["Australian Eastern Standard Time", "AEST"],
  ["Australian Eastern Daylight Time", "AEDT"],
  ["Lord Howe Standard Time", "LHST"],
  ["Lord Howe Daylight Time", "LHDT"],
  ["New Zealand Standard Time", "NZST"],
  ["New Zealand Daylight Time", "NZDT"],
  ["Chatham Standard Time", "CHAST"],
  ["Chatham Daylight Time", "CHADT"],
  ["Hawaii-Aleutian Standard Time", "HST"],
  ["Hawaii-Aleutian Daylight Time", "HADT"],
  ["Alaska Standard Time", "AKST"],
  ["Alaska Daylight Time", "AKDT"],
  ["Pacific Standard Time", "PST"],
  ["Pacific Daylight Time", "PDT"],
  ["Mountain Standard Time", "MST"],
  ["Mountain Daylight Time", "MDT"],
  ["Central Standard Time", "CST"],
  ["Central Daylight Time", "CDT"],
  ["Eastern Standard Time", "EST"],
  ["Eastern Daylight Time", "EDT"],
  ["Atlantic Standard Time", "AST"],
  ["Atlantic Daylight Time", "ADT"],
  ["Newfoundland Standard Time", "NST"],
  ["Newfoundland Daylight Time", "NDT"],
  ["St. Pierre & Miquelon Standard Time", "PMST"],
  ["St. Pierre & Miquelon Daylight Time", "PMDT"],
]);
