import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { listenOnFreePort } from "../../test/support/free-port.ts";
import { SERVER_TLS } from "../../test/support/tls-fixtures.ts";
import { secretOf } from "./canary.ts";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
}

/** The first part of the path decides the answer: a status, "echo", "garbage", "hang-up", or an identity provider's. */
export interface DifficultServer {
  readonly url: string;
  /** Without those to the identity provider, which are `logins`. */
  readonly requests: readonly SeenRequest[];
  readonly logins: readonly SeenRequest[];
  close(): void;
}

export async function difficultServer(): Promise<DifficultServer> {
  const requests: SeenRequest[] = [];
  const logins: SeenRequest[] = [];
  const server = createServer(SERVER_TLS, (request, response) => {
    const path = request.url ?? "/";
    const [, how = "", ...rest] = path.split("/");
    const isLogin = how.startsWith("idp");
    (isLogin ? logins : requests).push({ method: request.method ?? "", path });
    if (isLogin) answerAsProvider(request, response, how, rest.join("/"));
    else answer(request, response, how);
  });
  const address = await listenOnFreePort(server);
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `https://${address}`, requests, logins, close };
}

function answer(request: IncomingMessage, response: ServerResponse, how: string): void {
  if (how === "hang-up") return void request.socket.destroy();
  if (how === "garbage") return void response.end(`<p>${said(request)}</p>`);
  const isEcho = how.startsWith("echo");
  const status = Number(how.replace(/\D/g, "")) || 500;
  const message = isEcho ? `you said ${said(request)}` : "it was asked to fail";
  const body = { kind: "Status", apiVersion: "v1", status: "Failure", message, code: status };
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

/** The credentials that the client sent, as a server can quote them: encoded and decoded. */
function said({ headers }: IncomingMessage): string {
  const authorization = headers.authorization ?? "";
  return `${authorization} ${Buffer.from(authorization.replace(/^\w+ /, ""), "base64").toString("utf8")}`;
}

function answerAsProvider(request: IncomingMessage, response: ServerResponse, how: string, path: string): void {
  const issuer = `https://${request.headers.host}/${how}`;
  response.setHeader("Content-Type", "application/json");
  if (path.startsWith(".well-known"))
    return void response.end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token` }));
  if (how === "idp-hangs-up") return void request.socket.destroy();
  if (how === "idp-garbage") return void response.end(`{"id_token": ${secretOf("provider garbage")}`);
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    const sent = `${said(request)} ${body}`;
    const refused = { error: how === "idp-echoes" ? sent : "invalid_grant", error_description: sent };
    if (how === "idp-refuses" || how === "idp-echoes") return response.writeHead(400).end(JSON.stringify(refused));
    if (how === "idp-elsewhere")
      return response.writeHead(307, { Location: `https://me:${body}@elsewhere.example/${body}` }).end();
    const id_token = how === "idp-opaque" ? secretOf("provider garbage") : idToken(issuer, "renewed id token");
    return response.end(JSON.stringify({ access_token: "a", token_type: "Bearer", expires_in: 60, id_token }));
  });
}

/** An expired token, or one that was just given; its signature is a secret. */
export function idToken(issuer: string, place: "id token" | "renewed id token"): string {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const exp = place === "id token" ? 1 : nowSeconds + 3_600;
  const parts = [{ alg: "RS256" }, { iss: issuer, aud: "client", sub: "me", iat: nowSeconds, exp }];
  return [...parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")), secretOf(place)].join(".");
}
