/** What the servers here are known by, and the secret of it. */
export { CERTIFICATE, KEY } from "../tls-fixtures.ts";
