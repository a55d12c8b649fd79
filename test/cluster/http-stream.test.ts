import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import type { Connection } from "../../src/cluster/connection/connection.ts";
import { writeDocument, writeKubeconfig } from "../support/kubeconfig.ts";
import { type Answer, tinyServer } from "../support/tiny-server.ts";

const LIMIT_MS = 1_500;
const NEVER = new AbortController().signal;

async function connectionTo(answer: Answer, requestTimeoutMs?: number, user?: object): Promise<Connection> {
  const { url } = await tinyServer(answer, { tls: user !== undefined });
  const cluster = { server: url, "insecure-skip-tls-verify": true };
  return connect({ kubeconfig: writeKubeconfig(cluster, user), requestTimeoutMs, env: {} });
}

async function linesUntilEnd(connection: Connection): Promise<{ lines: string[]; failure: unknown }> {
  const lines: string[] = [];
  try {
    const stream = await connection.stream("/api", { query: { watch: "true" }, signal: NEVER });
    for await (const line of stream.lines) lines.push(line);
    return { lines, failure: null };
  } catch (failure) {
    return { lines, failure };
  }
}

describe("stream()", () => {
  it("gives whole lines if the network cuts one in the middle of a character", async () => {
    const connection = await connectionTo((_, response) => {
      const bytes = Buffer.from('{"a":"é"}\n\n{"b":2}\n');
      // The first piece ends in the middle of the two bytes of "é".
      response.write(bytes.subarray(0, 7));
      setTimeout(() => response.end(bytes.subarray(7)), 20);
    });
    expect(await linesUntilEnd(connection)).toEqual({ lines: ['{"a":"é"}', '{"b":2}'], failure: null });
  });

  it("leaves out a line that is cut off at the end", async () => {
    const connection = await connectionTo((_, response) => response.end('{"a":1}\n{"b":'));
    expect(await linesUntilEnd(connection)).toEqual({ lines: ['{"a":1}'], failure: null });
  });

  it("fails as unreachable when the connection breaks, after the lines before", async () => {
    const connection = await connectionTo((_, response) => {
      response.write('{"a":1}\n{"b"');
      setTimeout(() => response.destroy(), 20);
    });
    const failure = expect.objectContaining({ kind: "unreachable" });
    expect(await linesUntilEnd(connection)).toEqual({ lines: ['{"a":1}'], failure });
  });

  it("has a time limit only until the answer begins", async () => {
    const late = await connectionTo(() => {}, 50);
    expect((await linesUntilEnd(late)).failure).toMatchObject({ kind: "timeout", message: "no answer within 0.05s" });
    const long = await connectionTo((_, response) => {
      response.flushHeaders();
      setTimeout(() => response.end("{}\n"), LIMIT_MS + 100);
    }, LIMIT_MS);
    expect(await linesUntilEnd(long)).toEqual({ lines: ["{}"], failure: null });
  });

  it("accepts a time limit that is longer than the maximum of setTimeout", async () => {
    const weeks = await connectionTo((_, response) => setTimeout(() => response.end("{}\n"), 50), 2 ** 32);
    expect(await linesUntilEnd(weeks)).toEqual({ lines: ["{}"], failure: null });
  });

  it.each([
    { status: 403, body: '{"message":"no"}', failure: { kind: "forbidden", message: "no", status: 403 } },
    { status: 410, body: "<html>", failure: { kind: "server-error", message: "HTTP status 410", status: 410 } },
  ])(
    "fails with the server's message, or with its status if it gives none: $status",
    async ({ status, body, failure }) => {
      const connection = await connectionTo((_, response) => response.writeHead(status).end(body));
      expect((await linesUntilEnd(connection)).failure).toMatchObject(failure);
    },
  );

  it("fails as unreachable when its caller closes or aborts it", async () => {
    const connection = await connectionTo((_, response) => void response.write("{}\n"));
    const ending = new AbortController();
    for (const end of ["close", "abort"] as const) {
      const stream = await connection.stream("/api", { query: {}, signal: ending.signal });
      const lines = stream.lines[Symbol.asyncIterator]();
      expect(await lines.next()).toEqual({ done: false, value: "{}" });
      if (end === "close") stream.close();
      else ending.abort();
      await expect(lines.next()).rejects.toMatchObject({ kind: "unreachable" });
    }
  });
});

describe("credentials that the server refuses", () => {
  it("are read again after a 401, and each request and stream is repeated once", async () => {
    const seen: string[] = [];
    const tokenFile = writeDocument("old", "token");
    const answer: Answer = ({ headers }, response) => {
      seen.push(headers.authorization ?? "");
      if (seen.length === 1) response.end("{}");
      else if (headers.authorization === "Bearer new") response.end("{}\n");
      else response.writeHead(401).end('{"message":"Unauthorized"}');
    };
    const connection = await connectionTo(answer, undefined, { tokenFile });
    await connection.get("/api");
    writeFileSync(tokenFile, "new");
    const [, stream] = await Promise.all([connection.get("/api"), linesUntilEnd(connection), connection.get("/api")]);
    expect(stream).toEqual({ lines: ["{}"], failure: null });
    expect(seen.filter((token) => token === "Bearer new")).toHaveLength(3);
  });

  it("are not tried again if they are the same", async () => {
    const seen: string[] = [];
    const refusing: Answer = ({ headers }, response) => {
      seen.push(headers.authorization ?? "");
      response.writeHead(401).end('{"message":"Unauthorized"}');
    };
    const connection = await connectionTo(refusing, undefined, { token: "fixed" });
    await expect(connection.get("/api")).rejects.toMatchObject({ kind: "unauthorized" });
    expect(seen).toEqual(["Bearer fixed"]);
  });
});
