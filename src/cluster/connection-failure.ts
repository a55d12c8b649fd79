import { RequestFailure } from "./request-failure.ts";
import { at, textOf } from "./untrusted.ts";

/** What OpenSSL and Node say of certificates that do not prove who the server is (doc/api/tls.md, X509 certificate error codes). */
const UNTRUSTED =
  /^(CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED|ERR_TLS_CERT_|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH|SELF_SIGNED_|UNABLE_TO_)/;
const BROKEN: readonly unknown[] = ["ECONNRESET", "EPIPE", "ECONNABORTED", "HPE_INVALID_EOF_STATE"];

/** Why there is no whole answer, as a RequestFailure: what Node threw on the way, in words that a user can act on. */
export function connectionFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  const code = textOf(codeOf(error));
  const cause = causeOf(error);
  if (code !== null && UNTRUSTED.test(code)) return new RequestFailure("untrusted", { message: cause });
  if (BROKEN.includes(code)) return new RequestFailure("unreachable", { message: BROKEN_WORDS, lost: "broken" });
  if (code === "ECONNREFUSED") return new RequestFailure("unreachable", { message: cause, lost: "refused" });
  if (code === "EPROTO" || code?.startsWith("ERR_SSL_")) return tlsFailure(error, cause);
  if (code?.startsWith("HPE_")) return new RequestFailure("bad-answer", { message: `it is not HTTP (${cause})` });
  return new RequestFailure("unreachable", { message: cause });
}

const BROKEN_WORDS = "the connection was broken off before the answer was whole";

function tlsFailure(error: unknown, cause: string): RequestFailure {
  const reason = textOf(propertyOf(error, "reason")) ?? /SSL routines:[^:]*:([^:]+)/.exec(cause)?.[1] ?? cause;
  const isPlain = /wrong version number|packet length too long|http request/.test(reason);
  const message = isPlain ? "it does not speak TLS there; is it an http address?" : `no TLS with it (${reason})`;
  return new RequestFailure("unreachable", { message });
}

/** What went wrong, in the system's words: a name with several addresses fails with an AggregateError, which has no message. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return error instanceof AggregateError ? causeOf(error.errors[0]) : error.name;
}

function codeOf(error: unknown): unknown {
  const code = propertyOf(error, "code");
  return code === undefined && error instanceof AggregateError ? codeOf(error.errors[0]) : code;
}

function propertyOf(error: unknown, name: string): unknown {
  return error instanceof Error ? at({ ...error }, name) : undefined;
}
