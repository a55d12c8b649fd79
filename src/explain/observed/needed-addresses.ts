export interface Address {
  /** A name in lower case, or an IPv4 address. */
  readonly host: string;
  readonly port: number | null;
}

export interface NeededAddress extends Address {
  /** Whether the line of the log that names the host seems to say that the name did not resolve. */
  readonly isUnresolved: boolean;
}

export const MOST_ADDRESSES = 3;

const MOST_LINES = 50;
const MOST_CHARACTERS_OF_LINE = 2_000;

/** Returns each host once. The hosts of later lines come first. */
export function neededAddresses(lines: readonly string[]): NeededAddress[] {
  const found = new Map<string, NeededAddress>();
  for (const line of lines.slice(-MOST_LINES).toReversed()) {
    for (const address of addressesIn(line.slice(0, MOST_CHARACTERS_OF_LINE)))
      if ((found.get(address.host)?.port ?? null) === null) found.set(address.host, address);
  }
  return [...found.values()].slice(0, MOST_ADDRESSES);
}

function addressesIn(line: string): NeededAddress[] {
  if (!SAYS_UNREACHABLE.test(line)) return [];
  const plain = line.replaceAll(USER_IN_URL, "$1").replaceAll(USER_OF_DRIVER, "").replaceAll(DNS_SERVER, "");
  const isUnresolved = SAYS_UNRESOLVED.test(line);
  const found = SHAPES.flatMap((shape) => [...plain.matchAll(shape)].flatMap(({ groups = {} }) => addressOf(groups)));
  return found.map((address) => ({ ...address, isUnresolved }));
}

const SAYS_UNREACHABLE =
  /refused|no such host|not known|name resolution|ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|E(?:HOST|NET)UNREACH|unreachable|no route|timed? ?out|timeout|unknown ?host|not resolve|not translate|not connect|can't connect|failed to connect|unable to connect|not be established|attempt failed|bad address|host not found|max retries|error sending request|wait(?:ing)? for/i;

const SAYS_UNRESOLVED =
  /no such host|not known|name resolution|ENOTFOUND|EAI_AGAIN|not resolve|not translate|unknown ?host|host not found|bad address/i;

/** A password can contain "@" or "/". */
const USER_IN_URL = /(\b[a-z][a-z0-9+.-]*:\/\/)\S*@/gi;
/** Some database drivers have addresses such as user:password@tcp(host:port)/database. */
const USER_OF_DRIVER = /[^\s/]+:\S*@(?=[\w[(])/g;
/** Go's errors can name the DNS server, e.g. "lookup db on 10.96.0.10:53: no such host". */
const DNS_SERVER = / on \[?[\d.:a-f]+\]?:53\b|\bread udp \S+->\S+/g;

const NAME = "(?<host>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)";
const PORT = "(?<port>\\d{1,5})(?![\\w@]|\\.\\d)";

const SHAPES: readonly RegExp[] = [
  // "getaddrinfo ENOTFOUND db" (Node.js)
  new RegExp(`\\bgetaddrinfo E\\w+ ${NAME}`, "gi"),
  // "dial tcp: lookup db: no such host" (Go)
  new RegExp(`\\blookup ${NAME}(?=: *(?:no such host|server misbehaving|i/o timeout|connection refused))`, "gi"),
  // 'connection to server at "db" (10.0.0.7), port 5432 failed' (libpq)
  new RegExp(`\\bserver at "${NAME}"(?: \\([^)]*\\))?, port ${PORT}`, "gi"),
  // 'could not translate host name "db" to address' (libpq), 'host not found in upstream "api"' (nginx)
  new RegExp(`\\b(?:host name|upstream) "${NAME}(?::${PORT})?"`, "gi"),
  // "Can't connect to MySQL server on 'db:3306' (111)" (MySQL)
  new RegExp(`\\bserver on '${NAME}(?::${PORT})?'`, "gi"),
  // "java.net.UnknownHostException: db" (Java)
  new RegExp(`\\bUnknownHostException: ${NAME}`, "gi"),
  // "Could not resolve host: db" (curl), "bad address 'db'" (BusyBox)
  new RegExp(`\\b(?:resolve host:?|bad address) '?${NAME}(?::${PORT})?`, "gi"),
  // "Failed to connect to db port 5432" (curl)
  new RegExp(`\\bconnect to ${NAME} port ${PORT}`, "gi"),
  // "HTTPConnectionPool(host='api', port=80): Max retries exceeded" (urllib3)
  new RegExp(`\\bhost='${NAME}', port=${PORT}`, "gi"),
  // "connect ECONNREFUSED 10.0.0.7:5432", "dial tcp db:5432", "redis/10.0.0.3:6379", URLs with a port
  new RegExp(`(?<![\\w.:-])(?:\\w+://)?${NAME}:${PORT}(?!:\\d)`, "gi"),
  // URLs without a port, e.g. jdbc:postgresql://db/shop
  new RegExp(`\\w+://${NAME}(?=[/?'"\\s)]|$)`, "gi"),
];

/** In a log, the place "main.go:42" looks like a host with a port. */
const SOURCE_FILE =
  /\.(?:go|[cm]?[jt]sx?|py|java|kt|scala|rb|php|rs|c|cc|cpp|h|cs|exs?|erl|lua|sh|pl|conf|ya?ml|json)$/i;

const LOOPBACK = /^(?:localhost(?:\..*)?|127\.[\d.]+|0\.0\.0\.0)$/i;

export function isElsewhere(host: string, port: string | undefined): boolean {
  return !LOOPBACK.test(host) && (port === undefined || !SOURCE_FILE.test(host));
}

function addressOf({ host = "", port }: Readonly<Record<string, string | undefined>>): Address[] {
  const isNumber = /^[\d.]+$/.test(host);
  const isAddress = isNumber ? /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) : /[a-z]/i.test(host);
  if (!isAddress || !isElsewhere(host, port)) return [];
  const number = port === undefined ? null : Number(port);
  if (number !== null && (number === 0 || number > 65_535)) return [];
  return [{ host: host.toLowerCase(), port: number }];
}
