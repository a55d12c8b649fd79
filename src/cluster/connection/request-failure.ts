import { UserError } from "../../errors.ts";
import type { Missing } from "../../explain/observed/observation.ts";
import { oneOf, textOf } from "../objects/json-access.ts";

export type FailureKind =
  | ("forbidden" | "unauthorized" | "not-found" | "timeout" | "server-error" | "bad-answer")
  | ("unreachable" | "untrusted");

export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  readonly kind: FailureKind;
  /** An HTTP status, or 0. */
  readonly status: number = 0;
  readonly retryAfterMs: number | null = null;
  /** The API server can send a token with a 410, to continue the list with later data. */
  readonly continueToken: string | null = null;
  readonly lost: "refused" | "broken" | null = null;
  readonly code: string = "";

  constructor(kind: FailureKind, detail: Pick<RequestFailure, "message"> & Partial<RequestFailure>) {
    super(detail.message);
    this.kind = kind;
    Object.assign(this, detail);
  }
}

export const SILENT = { message: "nothing is heard on the connection" } as const;

export function isSilence(error: unknown): boolean {
  return error instanceof RequestFailure && (error.kind === "timeout" || error.message === SILENT.message);
}

export function isForbidden(error: unknown): error is RequestFailure {
  return error instanceof RequestFailure && error.kind === "forbidden";
}

export function isGone(error: unknown): error is RequestFailure {
  return error instanceof RequestFailure && error.status === 410;
}

export function isWithoutCredentials(error: unknown): error is UserError {
  return error instanceof UserError && error.code === "badCredentials";
}

export function whyMissing(error: unknown): Missing["why"] {
  if (isWithoutCredentials(error)) return "unreachable";
  if (!(error instanceof RequestFailure)) throw error;
  if (error.kind === "unauthorized") return "forbidden";
  return oneOf(error.kind, ["forbidden", "not-found", "timeout"] as const) ?? "unreachable";
}

export function toUserError(error: unknown, on: { readonly server: string; readonly timeoutMs: number }): unknown {
  if (!(error instanceof RequestFailure)) return error;
  const { kind, message, status } = error;
  if (kind === "forbidden") return new UserError(kind, message);
  if (kind === "unauthorized") return new UserError(kind, on.server);
  if (kind === "unreachable" || kind === "untrusted") return new UserError(kind, on.server, message);
  if (kind === "bad-answer") return new UserError("badAnswer", on.server, message);
  if (kind === "timeout" && status === 0) return new UserError(kind, on.server, on.timeoutMs);
  return new UserError("serverError", on.server, status, message);
}

/**
 * Node's codes for certificates that it cannot verify. Sources: Node, doc/api/tls.md (X509 certificate error codes) and
 * doc/api/errors.md.
 */
const UNTRUSTED =
  /^(CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED|ERR_TLS_CERT_|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH|SELF_SIGNED_|UNABLE_TO_)/;
/** Bun 1.4.5 can give this message (code ERR_BORINGSSL) if certificate-authority holds no certificates. */
const NO_AUTHORITY = "Invalid CA";
const BROKEN = /^(ECONNRESET|EPIPE|ECONNABORTED|ERR_SOCKET_CLOSED|HPE_INVALID_EOF_STATE|ERR_HTTP2_\w+)$/;

export function brokenOff(code = ""): RequestFailure {
  const message = "the connection was broken off before the answer was whole";
  return new RequestFailure("unreachable", { message, lost: "broken", code });
}

export function connectionFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  // Node can report one error for each address of a host.
  if (error instanceof AggregateError) return connectionFailure(error.errors[0]);
  const message = error instanceof Error ? error.message || error.name : String(error);
  // Reads an inherited `code`, too, because Bun's TLS errors can inherit it.
  const code = textOf(Reflect.get(Object(error), "code")) ?? "";
  if (BROKEN.test(code)) return brokenOff(code);
  if (UNTRUSTED.test(code) || (code !== "" && message === NO_AUTHORITY))
    return new RequestFailure("untrusted", { message, code });
  if (code.startsWith("HPE_"))
    return new RequestFailure("bad-answer", { message: `it is not HTTP (${message})`, code });
  const isTls = /^(EPROTO$|ERR_SSL_)/.test(code);
  const lost = code === "ECONNREFUSED" ? "refused" : null;
  return new RequestFailure("unreachable", { message: isTls ? tlsMessage(error, message) : message, lost, code });
}

function tlsMessage(error: unknown, cause: string): string {
  const reason = textOf(Reflect.get(Object(error), "reason")) ?? /SSL routines:[^:]*:([^:]+)/.exec(cause)?.[1] ?? cause;
  // OpenSSL writes spaces, Bun's BoringSSL writes underscores.
  const isPlain = /wrong[ _]version[ _]number|packet[ _]length[ _]too[ _]long|http[ _]request/i.test(reason);
  return isPlain ? "it does not speak TLS there; is it an http address?" : `no TLS with it (${reason})`;
}
