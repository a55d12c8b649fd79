import type { FaultKind } from "../api-server/faults.ts";
import { type FaultCase, LONG_MS, MAIN_COMMANDS, MIDDLE_MS } from "./case.ts";
import { LAB_NOW_MS } from "./lab.ts";
import { ANSWERS, type Asked, fails, type Outcome } from "./outcome.ts";

export function answering(fault: FaultKind, times = Number.POSITIVE_INFINITY): FaultCase["arrange"] {
  return async (lab) => {
    (await lab.simulator()).fail({ path: lab.mainPath, fault, times });
  };
}

const POD_QUESTIONS: readonly Asked[] = ["explain", "wait", "watch"];

function refusal(status: number, outcome: Outcome, asked: readonly Asked[] = MAIN_COMMANDS): FaultCase {
  const fault = "refusal of the server";
  return { fault, variant: String(status), asked, timeoutMs: LONG_MS, outcome, arrange: answering({ status }) };
}

function says(status: number): Outcome {
  return fails(new RegExp(`answered ${status}: it was asked to fail\\.\nTry again`), "its status and its words");
}

const refusals: readonly FaultCase[] = [
  refusal(401, fails(/does not accept your credentials \(401/, "credentials are not accepted")),
  refusal(403, fails(/Forbidden: it was asked to fail\./, "what is forbidden")),
  refusal(404, fails(/Pod "web-0" not found in namespace "prod"/, "there is no such pod"), POD_QUESTIONS),
  refusal(404, says(404), ["list"]),
  ...[400, 408, 409, 410, 429, 500, 502, 503, 504].map((status) => refusal(status, says(status))),
  {
    ...refusal(502, fails(/answered 502: HTTP status 502\./, "its status"), ["explain", "list"]),
    variant: "502 with a page",
    arrange: answering({ status: 502, headers: { "Content-Type": "text/html" }, body: "<html>Bad Gateway</html>" }),
  },
  {
    ...refusal(429, fails(/answered 429: Too many requests, please try again later\./, "its status and its words")),
    variant: "429 in plain text",
    arrange: answering({
      status: 429,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
      body: "Too many requests, please try again later.\n",
    }),
  },
  {
    ...refusal(500, fails(/answered 500: x{500}…/, "its status and the beginning of its words")),
    variant: "500 with a message of 10 MB",
    arrange: answering({ status: 500, message: "x".repeat(1e7) }),
  },
];

const date = (afterMs: number): string => new Date(LAB_NOW_MS + afterMs).toUTCString();
const busy = (after: string, status = 429): FaultKind => ({ status, headers: { "Retry-After": after } });

const healed = { asked: MAIN_COMMANDS, timeoutMs: LONG_MS, outcome: ANSWERS, fault: "Retry-After" } as const;
const given = { asked: MAIN_COMMANDS, timeoutMs: LONG_MS, fault: "Retry-After that no limit has time for" } as const;

const retries: readonly FaultCase[] = [
  { ...healed, variant: "429, 0 seconds, four times", arrange: answering(busy("0"), 4) },
  { ...healed, variant: "429, 1 second, once", arrange: answering(busy("1"), 1) },
  { ...healed, variant: "503, 0 seconds, once", arrange: answering(busy("0", 503), 1) },
  { ...healed, variant: "500, 0 seconds, once", arrange: answering(busy("0", 500), 1) },
  { ...healed, variant: "429, a date in 1 s by the server's clock", arrange: answering(busy(date(1_000)), 1) },
  { ...healed, variant: "429, a date that is over", arrange: answering(busy(date(-3_600_000)), 1) },
  ...["3600", "99999999999999999999", date(86_400_000), date(1e12)].map((after) => ({
    ...given,
    variant: after,
    outcome: atOnce(says(429)),
    arrange: answering(busy(after)),
  })),
  ...["soon", "1.5", "", "Thu, 99 Foo 2031 GMT"].map((after) => ({
    ...given,
    fault: "Retry-After that says nothing",
    variant: JSON.stringify(after),
    outcome: atOnce(says(429)),
    arrange: answering(busy(after)),
  })),
  {
    ...given,
    fault: "Retry-After again and again",
    variant: "429, 0 seconds",
    timeoutMs: MIDDLE_MS,
    outcome: says(429),
    arrange: answering(busy("0")),
  },
];

function atOnce(outcome: Outcome): Outcome {
  return {
    words: outcome.words,
    check: (run, proper, asked) => [
      ...outcome.check(run, proper, asked),
      ...(run.tookMs < LONG_MS / 2 ? [] : [`waited for ${run.tookMs} ms`]),
    ],
  };
}

const redirects: readonly FaultCase[] = [301, 302, 303, 307, 308].map((status) => ({
  fault: "redirect",
  variant: `${status} to another host`,
  asked: MAIN_COMMANDS,
  timeoutMs: LONG_MS,
  outcome: fails(
    /Can't read the answer of .+: it is a redirect to http:\/\/127\.0\.0\.1:\d+, which is not followed\./,
    "it is a redirect, which is not followed",
  ),
  arrange: async (lab) => {
    let requests = 0;
    const other = await lab.http(null, (_, response) => void response.end("{}", () => requests++));
    const headers = { Location: `http://${other}/login?state=secret` };
    (await lab.simulator()).fail({ path: lab.mainPath, fault: { status, headers, body: "" } });
    return () => (requests === 0 ? [] : ["the other host was asked"]);
  },
}));

const back: FaultCase = {
  fault: "redirect",
  variant: "302 to where it was",
  asked: ["explain", "list"],
  timeoutMs: LONG_MS,
  outcome: fails(/it is a redirect to elsewhere, which is not followed\./, "it is a redirect, which is not followed"),
  arrange: answering({ status: 302, headers: { Location: "/" }, body: "" }),
};

export const ANSWER_FAULTS: readonly FaultCase[] = [...refusals, ...retries, ...redirects, back];
