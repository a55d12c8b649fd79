import type { Raw } from "./container-statuses.ts";

export interface Refusal {
  readonly status: number;
  readonly body: Raw;
}

export interface FixedAnswer {
  readonly status: 200;
  readonly fixed: { readonly text: string; readonly type: string };
}

const REASONS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  410: "Expired",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** See k8s.io/apimachinery v0.37.1, pkg/api/errors/errors.go. */
export function refusal(code: number, message: string, extra: Raw = {}, metadata: Raw = {}): Refusal {
  const reason = REASONS[code] ?? "Unknown";
  const status = { kind: "Status", apiVersion: "v1", metadata, status: "Failure", message, reason, ...extra, code };
  return { status: code, body: status };
}

export function notFound(resource: string, name: string): Refusal {
  return refusal(404, `${resource} "${name}" not found`, { details: { name, kind: resource } });
}

export interface Access {
  readonly verb: string;
  readonly resource: string;
  readonly name: string | null;
  readonly namespace: string | null;
}

/** See `forbiddenMessage` (k8s.io/apiserver v0.37.1, pkg/endpoints/handlers/responsewriters/errors.go). */
export function forbidden({ verb, resource, name, namespace }: Access): Refusal {
  const kind = resource.split("/")[0] ?? "";
  const what = name === null ? kind : `${kind} "${name}"`;
  const where = namespace === null ? "at the cluster scope" : `in the namespace "${namespace}"`;
  const details = name === null ? { kind } : { name, kind };
  return refusal(
    403,
    `${what} is forbidden: User "viewer" cannot ${verb} resource "${resource}" in API group "" ${where}`,
    { details },
  );
}

const TOO_OLD =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the " +
  "continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing " +
  "with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the " +
  "time the first chunk was returned and now may show up in the list.";

/** `inconsistent` is the continue token for the rest of the list at the newest version. */
export function expiredToken(inconsistent: string): Refusal {
  return refusal(410, TOO_OLD, {}, { continue: inconsistent });
}
