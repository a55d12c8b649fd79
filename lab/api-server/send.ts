import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { StreamedAnswer, WholeAnswer } from "./answer.ts";

/**
 * `defaultGzipThresholdBytes` and `gzipContentEncodingLevel` (k8s.io/apiserver v0.37.1,
 * pkg/endpoints/handlers/responsewriters: writers.go and compression.go).
 */
const GZIP = { fromBytes: 128 * 1024, level: constants.Z_BEST_SPEED } as const;
const PIECE_CHARACTERS = 8 * 1024 * 1024;
const compress = promisify(gzip);

export async function send(
  response: ServerResponse,
  answer: WholeAnswer,
  headers: IncomingHttpHeaders,
  isCutOff: boolean,
): Promise<void> {
  const type = "fixed" in answer ? answer.fixed.type : "application/json";
  response.setHeader("Content-Type", type);
  response.statusCode = answer.status;
  let pending: Buffer | null = null;
  for (const piece of piecesOf(answer)) {
    if (pending !== null) await write(response, pending);
    pending = Buffer.from(piece);
  }
  const last = pending ?? Buffer.alloc(0);
  if (isCutOff) return cutOff(response, last);
  const isCompressed =
    !response.headersSent && last.length > GZIP.fromBytes && /\bgzip\b/.test(String(headers["accept-encoding"] ?? ""));
  if (!isCompressed) return void response.end(last);
  response.setHeader("Content-Encoding", "gzip");
  response.setHeader("Vary", "Accept-Encoding");
  response.end(await compress(last, { level: GZIP.level, chunkSize: 2 ** 20 }));
}

export function sendStream(response: ServerResponse, { type, hasHeadersAtOnce, follow }: StreamedAnswer): void {
  response.setHeader("Content-Type", type);
  if (hasHeadersAtOnce) response.writeHead(200).flushHeaders();
  const forget = follow({
    send: (text) => void response.write(text),
    end: () => void response.end(),
    drop: () => void response.destroy(),
  });
  response.on("close", forget);
}

export function* piecesOf(answer: WholeAnswer): Generator<string> {
  if ("fixed" in answer) return yield answer.fixed.text;
  if ("body" in answer) return yield `${JSON.stringify(answer.body)}\n`;
  let piece = "";
  for (const text of answer.text) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}\n`;
}

async function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (!response.write(bytes)) await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
}

function cutOff(response: ServerResponse, bytes: Buffer): void {
  response.setHeader("Content-Length", bytes.length);
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
}
