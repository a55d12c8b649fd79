import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https, { type RequestOptions } from "node:https";
import { UserError } from "../errors.ts";
import { mediaTypeOf } from "./api-answer.ts";
import { connectionFailure } from "./connection-failure.ts";
import { agentStraight, agentThrough } from "./connections-to.ts";
import type { Environment } from "./kubeconfig-files.ts";
import { environmentProxy } from "./proxy-choice.ts";
import { RequestFailure } from "./request-failure.ts";
import { tlsSettings } from "./tls-settings.ts";

/** How an identity provider is reached. */
export interface ProviderWay {
  /** What may name a proxy; the one of the kubeconfig is for the cluster, as with kubectl. */
  readonly env: Environment;
  /** Certificates that are trusted instead of the system's, as PEM. */
  readonly authority: Buffer | null;
  readonly signal?: AbortSignal;
}

/** Secrets, which are sent with POST. */
export interface ProviderForm {
  readonly body: string;
  readonly authorization?: string;
}

/** An answer of any status but a redirect. */
export interface ProviderAnswer {
  readonly status: number;
  /** The media type without its parameters, in lower case; empty without one. */
  readonly type: string;
  readonly text: string;
}

/** Tokens take a few KiB; golang.org/x/oauth2 reads as much of an answer. */
const MOST_BYTES = 2 ** 20;
/** As in Go's http.Client. */
const MOST_REDIRECTS = 10;

/**
 * Sends one request to an identity provider: GET, or POST with a form. A redirect is followed, though not from https to http,
 * and with a form only on the same host, where Go sends secrets anywhere. An Error that says what is wrong, without secrets.
 */
export async function askProvider(
  url: string,
  way: ProviderWay,
  form: ProviderForm | null = null,
): Promise<ProviderAnswer> {
  let asked = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const { location, ...answer } = await answerOf(asked, way, form);
    if (location === null) return answer;
    asked = nextAddress(
      asked,
      location,
      form === null || answer.status === 307 || answer.status === 308,
      form !== null,
    );
  }
  throw new Error(`${hostOf(url)} sends from one address to the next, and to no end`);
}

/** Who is meant, for messages: nothing of an address but host and port is known to be no secret. */
export function hostOf(url: string): string {
  return `the identity provider ${new URL(url).host}`;
}

/** `mayFollow`: whether the same is to be sent again; `isSecret`: whether it is for this host only. */
function nextAddress(from: string, location: string, mayFollow: boolean, isSecret: boolean): string {
  const to = URL.canParse(location, from) ? new URL(location, from) : null;
  const { origin, protocol } = new URL(from);
  const isSafe = to !== null && /^https?:$/.test(to.protocol) && (to.protocol === "https:" || protocol === "http:");
  if (to !== null && isSafe && mayFollow && (!isSecret || to.origin === origin)) return to.href;
  throw new Error(`${hostOf(from)} sends to ${to?.host || "an unreadable address"}, which is not followed`);
}

type Answer = ProviderAnswer & { readonly location: string | null };

async function answerOf(url: string, way: ProviderWay, form: ProviderForm | null): Promise<Answer> {
  try {
    const options = await optionsFor(url, way);
    return await new Promise<Answer>((resolve, reject) => {
      const request = requestFor(url, options, form);
      request.on("error", reject);
      request.on("response", (response) => readAnswer(response).then(resolve, reject));
      request.end(form?.body);
    });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw inWords(connectionFailure(error), url);
  }
}

/** Each request has a connection of its own: there are two or three of them an hour. */
async function optionsFor(url: string, { env, authority, signal }: ProviderWay): Promise<RequestOptions> {
  const certificates = authority === null ? {} : { ca: authority };
  const settings = url.startsWith("https:") ? await tlsSettings({}, certificates, env) : null;
  const proxy = environmentProxy(url, env);
  const agent = proxy === null ? agentStraight(settings) : await agentThrough(proxy, new URL(url).origin, settings);
  return { agent, ...(signal && { signal }) };
}

/** The one place in the program that can send anything but GET. */
function requestFor(url: string, options: RequestOptions, form: ProviderForm | null): ClientRequest {
  const headers = { "User-Agent": "kubectl-backoff" };
  const send = url.startsWith("https:") ? https.request : http.request;
  if (form === null) return send(url, { ...options, headers });
  const { body, authorization } = form;
  const about = { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": Buffer.byteLength(body) };
  const secret = authorization === undefined ? {} : { Authorization: authorization };
  return send(url, { ...options, method: "POST", headers: { ...headers, ...about, ...secret } });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers } = response;
  const type = mediaTypeOf(headers) ?? "";
  const isRedirect = [301, 302, 303, 307, 308].includes(status);
  const location = isRedirect ? (headers.location ?? "") : null;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_BYTES) throw new RequestFailure("bad-answer", { message: "it is larger than 1 MiB" });
  }
  return { status, type, location, text: Buffer.concat(chunks).toString("utf8") };
}

function inWords({ kind, message }: RequestFailure, url: string): Error {
  if (kind === "untrusted") return new Error(`cannot verify who ${hostOf(url)} is (${message})`);
  if (kind === "bad-answer") return new Error(`the answer of ${hostOf(url)} cannot be read: ${message}`);
  return new Error(`${hostOf(url)} cannot be reached (${message})`);
}
