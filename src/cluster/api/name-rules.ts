import { UserError } from "../../errors.ts";
import type { Target } from "./target-words.ts";

/** `IsDNS1123Subdomain` and `IsDNS1123Label` (apimachinery v0.37.1, pkg/util/validation/validation.go). */
const LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = { pattern: new RegExp(`^${LABEL}(?:\\.${LABEL})*$`), most: 253 };
const LABEL_ALONE = { pattern: new RegExp(`^${LABEL}$`), most: 63 };

/** Names are cut in messages: nobody reads 253 characters. */
const MOST_SHOWN = 50;

/** Throws a usage error for a name that no pod or workload can have, so that nobody has to be asked for it. */
export function requirePossibleName({ kind, name }: Target): void {
  const because = whyNot(name, SUBDOMAIN);
  if (because === null) return;
  const meant = name.trim().toLowerCase().replaceAll("_", "-");
  const nearest = meant !== name && whyNot(meant, SUBDOMAIN) === null ? meant : null;
  throw new UserError("impossibleName", cut(name), kind.toLowerCase(), because, nearest);
}

/** The same for the value of --namespace. */
export function requirePossibleNamespace(name: string): void {
  const because = whyNot(name, LABEL_ALONE);
  if (because !== null) throw new UserError("impossibleName", cut(name), "namespace", because, null);
}

function whyNot(name: string, { pattern, most }: typeof SUBDOMAIN): string | null {
  if (name === "") return "it is empty";
  if (name.length > most) return `it has ${name.length} characters, and ${most} is the most`;
  if (pattern.test(name)) return null;
  return "names are lowercase letters, digits and dashes, with a letter or digit at both ends";
}

function cut(name: string): string {
  return name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}…` : name;
}
