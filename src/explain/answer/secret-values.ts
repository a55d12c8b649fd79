const SECRET_WORD =
  "pass(?:word|wd|phrase|code)?|pwd|token|key|secret|credential|cred|dsn|auth|cookie|session|jwt|cert|private|salt";

const SECRET_NAME = new RegExp(SECRET_WORD, "i");

const HIDDEN = "***";
/** A value, in quotes or not. In a shell, '\'' within single quotes stands for a single quote. */
const A_VALUE = `"[^"]*"|(?:'[^']*'|\\\\')+|[^\\s;&"']+`;
const SECRET_FLAG = `--?[\\w-]*(?:${SECRET_WORD})[\\w-]*`;

const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN[\s\S]*/g, HIDDEN],
  // The user and the password of a URL. A password can contain "@" or "/".
  [/(\b[a-z][a-z0-9+.-]*:\/\/)\S*@/gi, `$1${HIDDEN}@`],
  // Some database drivers have addresses such as user:password@tcp(host:port)/database.
  [/[^\s:/@]+:(?!\/\/)[^\s@]+@(?=[\w[(])/g, `${HIDDEN}@`],
  [/\b(bearer|basic|digest|negotiate)\s+[^\s"']+/gi, `$1 ${HIDDEN}`],
  // Quotes can enclose the flag and the value together, e.g. '--password=my secret'.
  [new RegExp(`'(${SECRET_FLAG}=)[^']*'`, "gi"), `'$1${HIDDEN}'`],
  [new RegExp(`"(${SECRET_FLAG}=)[^"]*"`, "gi"), `"$1${HIDDEN}"`],
  [new RegExp(`([\\w.-]*(?:${SECRET_WORD})[\\w.-]*["']?\\s*[=:]\\s*)(?:${A_VALUE})`, "gi"), `$1${HIDDEN}`],
  [new RegExp(`(${SECRET_FLAG})\\s+(?!-)(?:${A_VALUE})`, "gi"), `$1 ${HIDDEN}`],
  // Short flags for users and passwords, e.g. of mysql, curl and redis-cli. Numbers stay, as they may be ports.
  [/(?<=^|[\s'"])(-[puaw])\s+(?!-)(?=\S*[^\d\s:])(?:"[^"]*"|'[^']*'|\S+)/gi, `$1 ${HIDDEN}`],
  [/(?<=^|[\s'"])(-[pu])(?=\S*[^\d\s:])[^\s-]\S*/g, `$1${HIDDEN}`],
  [/\beyJ[\w-]+\.[\w.-]+/g, HIDDEN],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[a-z]-|sk[-_]|rk_|hf_|npm_|dop_v1_|AKIA|AIza)[\w-]{8,}/g, HIDDEN],
  // Assumed: 20 characters without a separator are random bytes, not a word.
  [/[a-z0-9]{20,}=*/gi, HIDDEN],
  [/(?=[\w+/]*[a-z])(?=[\w+/]*[A-Z])(?=[\w+/]*\d)[\w+/]{20,}=*/g, HIDDEN],
];

/** Also matches names of values that are not secret, e.g. "AUTHOR" because of "AUTH". */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Knows secrets only by their form or name, so the function can also hide text that is not secret. */
export function withoutSecrets(text: string): string {
  return SECRET_SHAPES.reduce((masked, [shape, instead]) => masked.replaceAll(shape, instead), text);
}
