import { describe, expect, it } from "vitest";
import { tellingLine } from "../../src/explain/answer/telling-line.ts";

interface Row {
  readonly log: string;
  readonly says: string;
  readonly why: string;
}

const LOGS: readonly Row[] = [
  {
    why: "nginx without the time",
    log: '2026/11/23 09:14:44 [emerg] 1#1: host not found in upstream "db" in /etc/nginx/conf.d/default.conf:3',
    says: '[emerg] 1#1: host not found in upstream "db" in /etc/nginx/conf.d/default.conf:3',
  },
  {
    why: "PostgreSQL's error, not its hint",
    log: `2026-11-23 09:14:44.101 UTC [1] FATAL:  data directory "/var/lib/postgresql/data" has wrong ownership
2026-11-23 09:14:44.101 UTC [1] HINT:  The server must be started by the user that owns the data directory.`,
    says: '[1] FATAL: data directory "/var/lib/postgresql/data" has wrong ownership',
  },
  {
    why: "MySQL's entrypoint",
    log: `2026-11-23 09:14:44+00:00 [Note] [Entrypoint]: Entrypoint script for MySQL Server started.
2026-11-23 09:14:44+00:00 [ERROR] [Entrypoint]: Database is uninitialized and password option is not specified
    You need to specify one of the following as an environment variable`,
    says: "[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified",
  },
  {
    why: "klog without its header",
    log: `I1123 09:14:43.000001       1 main.go:17] starting
F1123 09:14:44.123456       1 main.go:42] no route to the API server`,
    says: "no route to the API server",
  },
  {
    why: "zap's message and error in a JSON object",
    log: `{"level":"info","ts":1763889284.1,"caller":"app/main.go:10","msg":"starting"}
{"level":"fatal","ts":1763889284.2,"caller":"app/main.go:12","msg":"no database","error":"dial tcp 10.0.0.7:5432: connect: connection refused","stacktrace":"main.main\\n\\t/app/main.go:12"}`,
    says: "no database: dial tcp 10.0.0.7:5432: connect: connection refused",
  },
  {
    why: "logrus as text",
    log: 'time="2026-11-23T09:14:44Z" level=fatal msg="can\'t read \\"app.yaml\\"" error="no such file"',
    says: 'can\'t read "app.yaml": no such file',
  },
  {
    why: "pino, whose levels are numbers and whose message repeats the error",
    log: `{"level":60,"time":1763889284200,"pid":1,"hostname":"web","err":{"type":"Error","message":"connect ECONNREFUSED 10.0.0.7:5432","stack":"Error: …"},"msg":"connect ECONNREFUSED 10.0.0.7:5432"}
{"level":30,"time":1763889284201,"pid":1,"hostname":"web","msg":"closing: error handlers removed"}`,
    says: "connect ECONNREFUSED 10.0.0.7:5432",
  },
  {
    why: "Serilog",
    log: '{"@t":"2026-11-23T09:14:44Z","@mt":"Host terminated unexpectedly","@l":"Fatal","@x":"System.Exception: No license\\n   at Program.Main()"}',
    says: "Host terminated unexpectedly: System.Exception: No license",
  },
  {
    why: "an error rather than the farewell after it",
    log: `2026-11-23T09:14:43Z ERROR can't bind to :8080: address already in use
2026-11-23T09:14:44Z INFO shutting down because of an error
bye`,
    says: "ERROR can't bind to :8080: address already in use",
  },
  {
    why: "an error rather than a later warning",
    log: "error: no such table: orders\nWARN: cache is missing",
    says: "error: no such table: orders",
  },
  { why: "a level in colours", log: "\u001b[31mERROR\u001b[0m boom\ndone", says: "ERROR boom" },
  { why: '"0 errors" is no error', log: "finished with 0 errors\nbye", says: "bye" },
  {
    why: "the last line if no line reports an error",
    log: "starting\nlistening on :8080\n\n",
    says: "listening on :8080",
  },
  { why: "a JSON object without a message", log: '{"a":1}', says: '{"a":1}' },
  { why: "a line of text that begins like JSON", log: "{not json", says: "{not json" },
  { why: "a shell's error", log: "+ exec app\n/bin/sh: 1: app: not found", says: "/bin/sh: 1: app: not found" },
];

describe("the message of a log line", () => {
  it.each(LOGS)("$why", ({ log, says }) => {
    expect(tellingLine(log.split("\n"))?.text).toBe(says);
  });
});
