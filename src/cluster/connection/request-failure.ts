import { UserError } from "../../errors.ts";
import type { Missing } from "../../explain/observed/observation.ts";
import { textOf } from "../objects/untrusted.ts";

/** How a request can fail; unreachable: there is no whole answer; untrusted: the server does not prove who it is. */
export type FailureKind =
  | "forbidden"
  | "unauthorized"
  | "not-found"
  | "timeout"
  | "unreachable"
  | "untrusted"
  | "server-error"
  | "bad-answer";

/** A GET that has no usable answer. The caller decides whether that is an error or only a gap. */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  readonly kind: FailureKind;
  /** The HTTP status; 0 without an answer. */
  readonly status: number = 0;
  /** How long the server asks clients to wait (429, 503); null if it does not. */
  readonly retryAfterMs: number | null = null;
  /** Where to go on with a list that has become too old (410), at the price of consistency. */
  readonly continueToken: string | null = null;
  /** Whether the connection was refused, or broke before the answer was whole. Null if neither. */
  readonly lost: "refused" | "broken" | null = null;

  constructor(kind: FailureKind, detail: Pick<RequestFailure, "message"> & Partial<RequestFailure>) {
    super(detail.message);
    this.kind = kind;
    Object.assign(this, detail);
  }
}

export function kindOfStatus(status: number): FailureKind {
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 404) return "not-found";
  return status === 408 || status === 504 ? "timeout" : "server-error";
}

/** Why something optional is missing. Throws every error that is no RequestFailure. */
export function whyMissing(error: unknown): Missing["why"] {
  if (!(error instanceof RequestFailure)) throw error;
  switch (error.kind) {
    case "forbidden":
    case "unauthorized":
      return "forbidden";
    case "not-found":
    case "timeout":
      return error.kind;
    default:
      return "unreachable";
  }
}

/** The failure of a necessary request as a user can act on it; any other error as it is. */
export function toUserError(
  error: unknown,
  { server, timeoutMs }: { readonly server: string; readonly timeoutMs: number },
): unknown {
  if (!(error instanceof RequestFailure)) return error;
  switch (error.kind) {
    case "forbidden":
      return new UserError("forbidden", error.message);
    case "unauthorized":
      return new UserError("unauthorized", server);
    case "unreachable":
      return new UserError("unreachable", server, error.message);
    case "untrusted":
      return new UserError("untrusted", server, error.message);
    case "bad-answer":
      return new UserError("badAnswer", server, error.message);
    case "timeout":
      if (error.status === 0) return new UserError("timeout", server, timeoutMs);
  }
  return new UserError("serverError", server, error.status, error.message);
}

/** The codes of certificates that do not prove who the server is (Node, doc/api/tls.md, X509 certificate error codes). */
const UNTRUSTED =
  /^(CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED|ERR_TLS_CERT_|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH|SELF_SIGNED_|UNABLE_TO_)/;
/** What Bun says (ERR_BORINGSSL) of authorities that are no certificates; Node finds no authority in them. */
const NO_AUTHORITY = "Invalid CA";
const BROKEN: readonly unknown[] = [
  "ECONNRESET",
  "EPIPE",
  "ECONNABORTED",
  "ERR_SOCKET_CLOSED",
  "HPE_INVALID_EOF_STATE",
];
const BROKEN_WORDS = "the connection was broken off before the answer was whole";

/** The RequestFailure for an error that node:https reports instead of a whole answer, in words that a user can act on. */
export function connectionFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  const code = textOf(codeOf(error));
  const cause = causeOf(error);
  if (code !== null && (UNTRUSTED.test(code) || cause === NO_AUTHORITY))
    return new RequestFailure("untrusted", { message: cause });
  if (BROKEN.includes(code)) return new RequestFailure("unreachable", { message: BROKEN_WORDS, lost: "broken" });
  if (code === "ECONNREFUSED") return new RequestFailure("unreachable", { message: cause, lost: "refused" });
  if (code === "EPROTO" || code?.startsWith("ERR_SSL_")) return tlsFailure(error, cause);
  if (code?.startsWith("HPE_")) return new RequestFailure("bad-answer", { message: `it is not HTTP (${cause})` });
  return new RequestFailure("unreachable", { message: cause });
}

function tlsFailure(error: unknown, cause: string): RequestFailure {
  const reason = textOf(Reflect.get(Object(error), "reason")) ?? /SSL routines:[^:]*:([^:]+)/.exec(cause)?.[1] ?? cause;
  // OpenSSL writes blanks, the BoringSSL of Bun underscores.
  const isPlain = /wrong[ _]version[ _]number|packet[ _]length[ _]too[ _]long|http[ _]request/i.test(reason);
  const message = isPlain ? "it does not speak TLS there; is it an http address?" : `no TLS with it (${reason})`;
  return new RequestFailure("unreachable", { message });
}

/** The system's words: a name with several addresses fails with an AggregateError, which has no message of its own. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return error instanceof AggregateError ? causeOf(error.errors[0]) : error.name;
}

function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  // Not `at`: Bun's TLS errors inherit their code.
  const code: unknown = Reflect.get(error, "code");
  return code === undefined && error instanceof AggregateError ? codeOf(error.errors[0]) : code;
}
