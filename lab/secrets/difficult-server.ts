import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { SERVER_TLS } from "../../test/support/tls-fixtures.ts";
import { refusal } from "../api-server/status-answers.ts";
import { listenOnFreePort } from "../network/free-port.ts";
import { httpServer } from "../network/http-server.ts";
import {
  answerAsNamedProvider,
  idToken,
  json,
  type ProviderAnswer,
  type TokenRequest,
  tokensWith,
} from "../network/identity-provider.ts";
import { secretOf } from "./canary.ts";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
}

/** The first part of a request's path decides the answer, e.g. `401`, `echo-500`, `garbage` or `idp-refuses`. */
export interface DifficultServer {
  readonly url: string;
  /** Requests to an identity provider are not here, but in `logins`. */
  readonly requests: readonly SeenRequest[];
  readonly logins: readonly SeenRequest[];
  close(): Promise<void>;
}

export async function difficultServer(): Promise<DifficultServer> {
  const requests: SeenRequest[] = [];
  const logins: SeenRequest[] = [];
  const { server, close } = httpServer(
    SERVER_TLS,
    (request, response) => {
      const path = request.url ?? "/";
      const [, how = ""] = path.split("/");
      const isLogin = how.startsWith("idp");
      (isLogin ? logins : requests).push({ method: request.method ?? "", path });
      if (isLogin) void answerAsNamedProvider(request, response, providerAnswer);
      else answer(request, response, how);
    },
    { protocol: "http/1.1" },
  );
  const address = await listenOnFreePort(server);
  return { url: `https://${address}`, requests, logins, close };
}

function answer(request: IncomingMessage, response: ServerResponse, how: string): void {
  if (how === "hang-up") return void request.socket.destroy();
  if (how === "garbage") return void response.end(`<p>${credentialsIn(request.headers)}</p>`);
  const isEcho = how.startsWith("echo");
  const status = Number(how.replace(/\D/g, "")) || 500;
  const message = isEcho ? `you said ${credentialsIn(request.headers)}` : "it was asked to fail";
  const { body } = refusal(status, message);
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function credentialsIn(headers: IncomingHttpHeaders): string {
  const authorization = headers.authorization ?? "";
  return `${authorization} ${Buffer.from(authorization.replace(/^\w+ /, ""), "base64").toString("utf8")}`;
}

const HOSTILE_ANSWERS: Readonly<Record<string, ProviderAnswer>> = {
  "idp-hangs-up": (response) => void response.socket?.destroy(),
  "idp-garbage": (response) => void response.end(`{"id_token": ${secretOf("provider garbage")}`),
  "idp-refuses": (response, request) => json(response, loginError("invalid_grant", request), 400),
  "idp-echoes": (response, request) => json(response, loginError(sentIn(request), request), 400),
  "idp-elsewhere": (response, { body }) =>
    void response.writeHead(307, { Location: `https://me:${body}@elsewhere.example/${body}` }).end(),
  "idp-opaque": (response) => json(response, tokensWith(secretOf("provider garbage"))),
};

function providerAnswer(name: string, issuer: string): ProviderAnswer {
  const renewed: ProviderAnswer = (response) => json(response, tokensWith(plantedToken(issuer, "renewed id token")));
  return HOSTILE_ANSWERS[name] ?? renewed;
}

function loginError(error: string, request: TokenRequest): object {
  return { error, error_description: sentIn(request) };
}

function sentIn({ headers, body }: TokenRequest): string {
  return `${credentialsIn(headers)} ${body}`;
}

/** An "id token" has expired, a "renewed id token" is valid for an hour. The signature is a secret. */
export function plantedToken(issuer: string, place: "id token" | "renewed id token"): string {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const exp = place === "id token" ? 1 : nowSeconds + 3_600;
  return idToken({ iss: issuer, aud: "client", sub: "me", iat: nowSeconds, exp }, secretOf(place));
}
