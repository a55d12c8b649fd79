import { readFileSync } from "node:fs";
import { KEY, tlsFile } from "../../test/support/tls-fixtures.ts";
import { type FaultCase, MAIN_COMMANDS, MIDDLE_MS } from "./case.ts";
import { fails } from "./outcome.ts";

const base = { asked: MAIN_COMMANDS, timeoutMs: MIDDLE_MS } as const;

/** These cases have no simulated server, so the protocol makes no difference. */
const ONCE = { protocols: ["http/1.1"] } as const;

function shows(certificate: string, authority: string | null, says: RegExp, variant: string): FaultCase {
  return {
    ...base,
    ...ONCE,
    fault: "certificate that does not prove who the server is",
    variant,
    outcome: fails(new RegExp(`Can't verify the certificate of .+${says.source}`), "cannot verify it, and why"),
    arrange: async (lab) => {
      let asked = 0;
      const tls = { cert: readFileSync(tlsFile(`${certificate}.pem`)), key: KEY.pem };
      const server = `https://${await lab.http(tls, () => asked++)}`;
      lab.writeKubeconfig({
        server,
        ...(authority !== null && { "certificate-authority": tlsFile(`${authority}.pem`) }),
      });
      return () => (asked === 0 ? [] : ["the token was sent to a server that is not trusted"]);
    },
  };
}

const GO_REFUSAL = "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";

export const TLS_FAULTS: readonly FaultCase[] = [
  shows("expired", "expired", /: certificate has expired\./, "expired"),
  shows("not-yet-valid", "not-yet-valid", /: certificate is not yet valid\./, "not valid yet"),
  shows("other-name", "other-name", / does not match certificate's altnames/, "of another name"),
  shows("cert", null, /: self[- ]signed certificate\./, "of nobody known"),
  shows("cert", "other-name", /(self[- ]signed|unable to)/, "of another authority"),
  {
    ...base,
    ...ONCE,
    fault: "http and https confused",
    variant: "https asked of an http port",
    outcome: fails(/it does not speak TLS there; is it an http address\?/, "it does not speak TLS"),
    arrange: async (lab) => lab.connectToAddress(await lab.http(null, (_, response) => void response.end("{}"))),
  },
  {
    ...base,
    ...ONCE,
    fault: "http and https confused",
    variant: "http asked of an https port of a Go program",
    outcome: fails(/answered 400: Client sent an HTTP request to an HTTPS server\./, "the server's own words"),
    arrange: async (lab) => {
      const address = await lab.tcp((client) => void client.once("data", () => client.end(GO_REFUSAL)));
      lab.writeKubeconfig({ server: `http://${address}` });
    },
  },
  {
    ...base,
    fault: "http and https confused",
    variant: "http asked of an https port that hangs up",
    outcome: fails(/Can't reach the API server .+: the connection was broken off/, "the connection was broken off"),
    arrange: async (lab) => {
      const { url } = await lab.simulator();
      lab.writeKubeconfig({ server: url.replace("https:", "http:") });
    },
  },
];
