import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https, { type RequestOptions } from "node:https";
import { MOST_ANSWER_BYTES, textOfBody, tooLarge } from "./answer-body.ts";
import { connectionFailure } from "./connection-failure.ts";

/** An answer of any status. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One GET by Node's own client, redirects not followed, that `signal` ends. A RequestFailure if there is no whole answer. */
export function httpGet(url: string, options: RequestOptions): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const get = url.startsWith("https:") ? https.get : http.get;
    const fail = (error: unknown): void => reject(connectionFailure(error));
    const request = get(url, options, (response) => {
      const { statusCode: status = 0, headers } = response;
      textOf(response).then((text) => resolve({ status, headers, text }), fail);
    });
    request.on("error", fail);
  });
}

function textOf(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    response.on("data", (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      if (size > MOST_ANSWER_BYTES) response.destroy(tooLarge());
    });
    response.on("error", reject);
    response.on("end", () => resolve(textOfBody(pieces, response.headers)));
  });
}
