import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https, { type RequestOptions } from "node:https";
import { connectionFailure } from "./connection-failure.ts";
import { RequestFailure } from "./request-failure.ts";

/** An answer that goes on for as long as server and caller let it. */
export interface HttpStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Whole lines only: what is cut off at the end is left out. A RequestFailure if the connection breaks. */
  readonly lines: AsyncIterable<string>;
  /** All of it instead, if it does end: what a refusal says. Empty if the server stops speaking. */
  text(): Promise<string>;
  /** Breaks it off from this side. */
  close(): void;
}

/** No object of the API is larger (etcd takes 1.5 MiB): what goes on without a line's end is no watch. */
const LONGEST_LINE = 2 ** 25;

/** One GET whose answer is read line by line. `signal` in the options ends it at any time. A RequestFailure without a beginning. */
export function openStream(url: string, options: RequestOptions): Promise<HttpStream> {
  return new Promise((resolve, reject) => {
    const get = url.startsWith("https:") ? https.get : http.get;
    const request = get(url, options, (response) => {
      const { statusCode: status = 0, headers } = response;
      const close = (): void => void response.destroy();
      resolve({ status, headers, lines: linesOf(response), text: () => textOf(response), close });
    });
    request.on("error", (error) => reject(connectionFailure(error)));
  });
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  response.setEncoding("utf8");
  let begun: string[] = [];
  let length = 0;
  try {
    for await (const chunk of response) {
      const [first = "", ...others] = String(chunk).split("\n");
      begun.push(first);
      length += first.length;
      if (length > LONGEST_LINE) throw new RequestFailure("bad-answer", { message: "it has a line without an end" });
      if (others.length === 0) continue;
      const rest = others.pop() ?? "";
      for (const line of [begun.join(""), ...others]) if (line !== "") yield line;
      [begun, length] = [[rest], rest.length];
    }
  } catch (error) {
    throw connectionFailure(error);
  }
}

const REFUSAL_TIMEOUT_MS = 5_000;
/** The server's words are a few hundred of them. */
const LONGEST_REFUSAL = 2 ** 20;

async function textOf(response: IncomingMessage): Promise<string> {
  response.setTimeout(REFUSAL_TIMEOUT_MS, () => response.destroy());
  let text = "";
  try {
    for await (const chunk of response.setEncoding("utf8")) {
      text += chunk;
      if (text.length > LONGEST_REFUSAL) return "";
    }
  } catch {
    return ""; // The status says enough.
  }
  return text;
}
