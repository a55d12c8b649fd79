import { describe, expect, it } from "vitest";
import { neededAddresses } from "../../src/explain/observed/needed-addresses.ts";

function addressesOf(log: string): string[] {
  return neededAddresses(log.split("\n")).map(({ host, port }) => (port === null ? host : `${host}:${port}`));
}

describe("the addresses of neededAddresses()", () => {
  it.each<[string, string, string[]]>([
    ["Node.js", "Error: connect ECONNREFUSED 10.0.0.7:5432", ["10.0.0.7:5432"]],
    ["Node.js without DNS", "Error: getaddrinfo ENOTFOUND db", ["db"]],
    ["Go", "panic: dial tcp 10.0.0.7:5432: connect: connection refused", ["10.0.0.7:5432"]],
    ["Go without DNS", "dial tcp: lookup dbx on 10.96.0.10:53: no such host", ["dbx"]],
    ["Go without the DNS server", "panic: dial tcp: lookup dbx: no such host", ["dbx"]],
    ["Go's http", 'Get "http://api.shop:8080/v1": dial tcp: lookup api.shop: no such host', ["api.shop:8080"]],
    ["libpq", 'connection to server at "db" (10.0.0.7), port 5432 failed: Connection refused', ["db:5432"]],
    ["libpq without DNS", 'could not translate host name "db" to address: Name or service not known', ["db"]],
    ["JDBC", "PSQLException: Connection to db:5432 refused. Check that the hostname is right", ["db:5432"]],
    ["a JDBC URL", "Failed to connect: jdbc:postgresql://db.shop.svc:5432/shop", ["db.shop.svc:5432"]],
    ["a URL without port", "could not connect to amqp://rabbit/", ["rabbit"]],
    ["Java", "Caused by: java.net.UnknownHostException: db", ["db"]],
    ["Netty", "Connection refused: redis/10.0.0.3:6379", ["10.0.0.3:6379"]],
    ["Kafka", "Connection to node -1 (kafka/10.0.0.9:9092) could not be established.", ["10.0.0.9:9092"]],
    ["urllib3", "HTTPConnectionPool(host='api', port=80): Max retries exceeded with url: /", ["api:80"]],
    [
      "redis-py",
      "redis.exceptions.ConnectionError: Error 111 connecting to redis:6379. Connection refused.",
      ["redis:6379"],
    ],
    ["MySQL", "ERROR 2003 (HY000): Can't connect to MySQL server on 'mysql:3306' (111)", ["mysql:3306"]],
    ["PyMongo", "ServerSelectionTimeoutError: mongo:27017: [Errno 111] Connection refused", ["mongo:27017"]],
    ["nginx", 'nginx: [emerg] host not found in upstream "api" in /etc/nginx/conf.d/default.conf:3', ["api"]],
    [
      "nginx's upstream",
      'connect() failed (111: Connection refused) while connecting to upstream, upstream: "http://10.0.0.7:8080/"',
      ["10.0.0.7:8080"],
    ],
    ["curl", "curl: (7) Failed to connect to api port 8080 after 2 ms: Connection refused", ["api:8080"]],
    ["curl without DNS", "curl: (6) Could not resolve host: api", ["api"]],
    ["BusyBox", "wget: bad address 'api:8080'", ["api:8080"]],
    ["reqwest", "error sending request for url (http://api:8080/): tcp connect error", ["api:8080"]],
    ["wait-for-it", "wait-for-it.sh: timeout occurred after waiting 15 seconds for db:5432", ["db:5432"]],
    ["an error in words", "connection refused to db.shop.svc:5432", ["db.shop.svc:5432"]],
    ["JSON", '{"level":"fatal","msg":"no database","error":"dial tcp db:5432: i/o timeout"}', ["db:5432"]],
    ["several lines, the newest first", "dial tcp a:1: i/o timeout\ndial tcp b:2: i/o timeout", ["b:2", "a:1"]],
    ["an address that was reached: none", "connected to db:5432", []],
    [
      "an address of the pod itself: none",
      "connect ECONNREFUSED 127.0.0.1:5432\nconnect ECONNREFUSED ::1:5432 localhost:80",
      [],
    ],
    [
      "Go with a silent DNS server",
      "lookup db on 10.96.0.10:53: read udp 10.1.0.5:42->10.96.0.10:53: i/o timeout",
      ["db"],
    ],
    ["words that are not hosts: none", "lookup failed: timeout; getaddrinfo failed for this name", []],
    ["a file and line of the sources: none", "main.go:12: connection refused (server.js:44, Main.java:9)", []],
    [
      "a domain that ends like a file name",
      'Get "https://api.rs/v1": dial tcp: lookup api.rs: no such host',
      ["api.rs"],
    ],
    ["a time: none", "2026-11-23T09:14:44Z connection refused at 09:14:44", []],
    ["an invalid port: none", "connection refused to db:99999 and db:0", []],
  ])("of %s", (_, log, addresses) => {
    expect(addressesOf(log)).toEqual(addresses);
  });

  it.each([
    "connection refused: postgres://shop:s3cret@db:5432/shop",
    "connection refused: postgres://shop:1234@db:5432/shop",
    "connection refused: postgres://shop:12:34/5@6@db:5432/shop",
    "dial failed: timeout: shop:4321@tcp(db:5432)/shop",
  ])("leave out the user and the password in %s", (line) => {
    expect(addressesOf(line)).toEqual(["db:5432"]);
  });

  it.each([
    ["dial tcp: lookup db: no such host", true],
    ["dial tcp db:5432: connect: connection refused", false],
  ])("say whether the name of the host was not resolved: %s", (line, isUnresolved) => {
    expect(neededAddresses([line])).toMatchObject([{ host: "db", isUnresolved }]);
  });

  it("are at most three, from the last 50 lines", () => {
    const old = Array.from({ length: 60 }, (_, index) => `dial tcp old${index}:1: i/o timeout`);
    expect(addressesOf(old.join("\n"))).toEqual(["old59:1", "old58:1", "old57:1"]);
    expect(addressesOf(["dial tcp a:1: i/o timeout", ...Array(50).fill("bye")].join("\n"))).toEqual([]);
  });

  it("are found in less than 2 s in long hostile lines", () => {
    const lines = [
      "refused ".concat("a.".repeat(50_000)),
      "refused ".concat("://@".repeat(30_000)),
      "refused a:".repeat(9_000),
    ];
    expect(neededAddresses(lines)).toEqual([]);
  }, 2_000);
});
