import { UserError } from "../errors.ts";
import type { Missing } from "../explain/observed/observation.ts";

/** How a request can fail; unreachable: there is no whole answer at all; untrusted: it may be somebody else who would answer. */
export type FailureKind =
  | "forbidden"
  | "unauthorized"
  | "not-found"
  | "timeout"
  | "unreachable"
  | "untrusted"
  | "server-error"
  | "bad-answer";

/** A GET that has no usable answer. Whether that is an error or only a gap is for the caller to say. */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  readonly kind: FailureKind;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** How long the server asks to be left alone (429, 503); null if it does not. */
  readonly retryAfterMs: number | null;
  /** Of a list that has become too old (410): where it can be gone on with, at the price of consistency. */
  readonly continueToken: string | null;
  /** Where a connection was lost: at its beginning, or on the way to a whole answer. Null if it was not, or for another reason. */
  readonly lost: "refused" | "broken" | null;

  constructor(kind: FailureKind, detail: FailureDetail) {
    super(detail.message);
    this.kind = kind;
    this.status = detail.status ?? 0;
    this.retryAfterMs = detail.retryAfterMs ?? null;
    this.continueToken = detail.continueToken ?? null;
    this.lost = detail.lost ?? null;
  }
}

/** What is known of a failure besides its kind. */
export interface FailureDetail {
  readonly message: string;
  readonly status?: number;
  readonly retryAfterMs?: number | null;
  readonly continueToken?: string | null;
  readonly lost?: "refused" | "broken" | null;
}

/** The kind of failure that an HTTP status says. */
export function kindOfStatus(status: number): FailureKind {
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 404) return "not-found";
  return status === 408 || status === 504 ? "timeout" : "server-error";
}

/** For something that an explanation can do without: why it is missing. Anything but a RequestFailure is thrown on. */
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

/** Who was asked, and how long was waited. */
interface Asked {
  readonly server: string;
  readonly timeoutMs: number;
}

/** For something that nothing can be explained without: the failure as the user can act on it, else the error itself. */
export function toUserError(error: unknown, { server, timeoutMs }: Asked): unknown {
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
