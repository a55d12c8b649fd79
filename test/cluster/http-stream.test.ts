import { chmodSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { connect } from "../../src/cluster/connect.ts";
import type { Connection } from "../../src/cluster/connection.ts";
import { writeDocument, writeKubeconfig } from "../support/kubeconfig.ts";
import { type Answer, tinyServer } from "../support/tiny-server.ts";

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
  it("gives whole lines, however the network cuts them", async () => {
    const connection = await connectionTo((_, response) => {
      const bytes = Buffer.from('{"a":"é"}\n\n{"b":2}\n');
      response.write(bytes.subarray(0, 7)); // in the middle of é
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
    expect(await linesUntilEnd(connection)).toEqual({
      lines: ['{"a":1}'],
      failure: expect.objectContaining({ kind: "unreachable" }),
    });
  });

  it("has no limit for the whole of it, only for its beginning", async () => {
    const late = await connectionTo((_, response) => setTimeout(() => response.end("{}\n"), 400), 50);
    expect((await linesUntilEnd(late)).failure).toMatchObject({ kind: "timeout", message: "no answer within 0.05s" });
    const long = await connectionTo((_, response) => {
      response.flushHeaders();
      setTimeout(() => response.end("{}\n"), 150);
    }, 50);
    expect(await linesUntilEnd(long)).toEqual({ lines: ["{}"], failure: null });
  });

  it("has a limit of weeks, if that is asked for", async () => {
    const weeks = await connectionTo((_, response) => setTimeout(() => response.end("{}\n"), 50), 2 ** 32);
    expect(await linesUntilEnd(weeks)).toEqual({ lines: ["{}"], failure: null });
  });

  it.each([
    { status: 403, body: '{"message":"no"}', failure: { kind: "forbidden", message: "no", status: 403 } },
    { status: 410, body: "<html>", failure: { kind: "server-error", message: "HTTP status 410", status: 410 } },
  ])("fails with the server's words when it answers $status", async ({ status, body, failure }) => {
    const connection = await connectionTo((_, response) => response.writeHead(status).end(body));
    expect((await linesUntilEnd(connection)).failure).toMatchObject(failure);
  });

  it("ends when its caller closes it or gives up", async () => {
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

describe("credentials that the server no longer takes", () => {
  /** Prints "token-1" at the first call, "token-2" at the second. */
  function plugin(): object {
    const count = writeDocument("", "count");
    const printed = `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"token-'$n'"}}`;
    const command = writeDocument(
      `#!/bin/sh\necho >>'${count}'\nn=$(wc -l <'${count}')\necho '${printed}'\n`,
      "plugin",
    );
    chmodSync(command, 0o755);
    return { exec: { apiVersion: "client.authentication.k8s.io/v1", command } };
  }

  const accepting =
    (accepted: () => string, seen: string[]): Answer =>
    ({ headers }, response) => {
      seen.push(headers.authorization ?? "");
      if (headers.authorization === `Bearer ${accepted()}`) response.end("{}\n");
      else response.writeHead(401).end('{"message":"Unauthorized"}');
    };

  it("are got anew, once for all requests that were refused", async () => {
    const seen: string[] = [];
    let accepted = "token-1";
    const connection = await connectionTo(
      accepting(() => accepted, seen),
      undefined,
      plugin(),
    );
    await connection.get("/api");
    accepted = "token-2";
    await Promise.all([connection.get("/api"), linesUntilEnd(connection), connection.get("/api")]);
    expect(seen.filter((token) => token === "Bearer token-2")).toHaveLength(3);
    expect(new Set(seen)).toEqual(new Set(["Bearer token-1", "Bearer token-2"]));
  });

  it("are an error after the second refusal", async () => {
    const seen: string[] = [];
    const connection = await connectionTo(
      accepting(() => "another", seen),
      undefined,
      plugin(),
    );
    await expect(connection.get("/api")).rejects.toMatchObject({ kind: "unauthorized" });
    expect(seen).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  it("are not tried again if they are the same", async () => {
    const seen: string[] = [];
    const connection = await connectionTo(
      accepting(() => "another", seen),
      undefined,
      { token: "fixed" },
    );
    await expect(connection.get("/api")).rejects.toMatchObject({ kind: "unauthorized" });
    expect(seen).toEqual(["Bearer fixed"]);
  });

  it("are asked for again after they could not be had", async () => {
    const file = writeDocument("", "plugin");
    chmodSync(file, 0o644);
    const apiVersion = "client.authentication.k8s.io/v1";
    const user = { exec: { apiVersion, command: file } };
    const connection = await connectionTo((_, response) => response.end("{}"), undefined, user);
    await expect(connection.get("/api")).rejects.toMatchObject({ code: "badCredentials" });
    const credential = { apiVersion, kind: "ExecCredential", status: { token: "t" } };
    writeFileSync(file, `#!/bin/sh\necho '${JSON.stringify(credential)}'\n`);
    chmodSync(file, 0o755);
    expect((await connection.get("/api")).body).toEqual({});
  });
});
