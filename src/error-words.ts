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
