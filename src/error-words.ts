/** More names than a line takes are cut: the first few are the nearest or the most likely. */
const MOST_NAMES = 8;

/** "a, b or c". */
export function orList(names: readonly string[]): string {
  return listed(names, "or");
}

/** "a, b and c". */
export function andList(names: readonly string[]): string {
  return listed(names, "and");
}

function listed(names: readonly string[], conjunction: "and" | "or"): string {
  if (names.length > MOST_NAMES)
    return `${names.slice(0, MOST_NAMES).join(", ")} (and ${names.length - MOST_NAMES} more)`;
  const last = names.at(-1) ?? "nothing";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

/** As JSON has it. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** More of one name or message than this nobody reads. */
const MOST_LENGTH = 1_000;

/** What a terminal obeys, and what nobody can see; a file, a pod or a kind can be called so. Made when something is wrong. */
const unseen = (): RegExp =>
  /[[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\ufe0e\ufe0f]]/gv;

/** A name or a message as it can be printed: on one line, with question marks for what cannot be seen, as ls has it. */
export function printable(text: string): string {
  const line = text.replaceAll(/[\r\n\t\u2028\u2029]+/g, " ").replaceAll(unseen(), "?");
  const isLong = line.length > MOST_LENGTH;
  return (isLong ? `${line.slice(0, MOST_LENGTH / 2)}…${line.slice(-MOST_LENGTH / 2)}` : line).toWellFormed();
}

/** The same for whatever a message is made of. */
export function printableValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(printableValue);
  return typeof value === "string" ? printable(value) : value;
}

/** One line that ends in a full stop, whatever the system or the server wrote; control characters could steer a terminal. */
export function sentence(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** An address without the name and the password that may be in it: nobody is to see those. */
export function withoutLogin(address: string): string {
  return address.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, "$1");
}

/** The same for a text that is or has addresses with a scheme; anything else is left as it is. */
export function withoutLogins(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const isAddress = /^https?:\/\//i.test(value);
  return isAddress ? withoutLogin(value) : value.replaceAll(/\b([a-z][a-z\d+.-]*:\/\/)\S*@/gi, "$1");
}
