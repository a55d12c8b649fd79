import { describe, expect, it } from "vitest";
import { tellingLine } from "../../src/explain/answer/telling-line.ts";

interface Row {
  readonly log: string;
  readonly says: string;
  readonly why: string;
}

const STACKS: readonly Row[] = [
  {
    why: "a Go panic before its goroutines",
    log: `starting web 2.1
panic: dial tcp: lookup dbx: no such host

goroutine 1 [running]:
main.main()
	/app/main.go:12 +0x1d
exit status 2`,
    says: "panic: dial tcp: lookup dbx: no such host",
  },
  {
    why: "Go's runtime error before its signal",
    log: `panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x47a2b9]

goroutine 1 [running]:
main.(*server).listen(0x0, {0x4f2a1c, 0x5})
	/app/server.go:31 +0x19`,
    says: "panic: runtime error: invalid memory address or nil pointer dereference",
  },
  {
    why: "Java's last cause",
    log: `Exception in thread "main" java.lang.IllegalStateException: Failed to start
	at com.acme.Main.main(Main.java:12)
Caused by: java.net.ConnectException: Connection refused
	at java.base/sun.nio.ch.Net.pollConnect(Native Method)
	... 12 more`,
    says: "Caused by: java.net.ConnectException: Connection refused",
  },
  {
    why: "Spring Boot's log without its header",
    log: `2026-11-23T09:14:40.021Z  INFO 1 --- [           main] com.acme.App                             : Starting App v1.2
2026-11-23T09:14:44.123Z ERROR 1 --- [           main] com.zaxxer.hikari.pool.HikariPool        : HikariPool-1 - Exception during pool initialization.
2026-11-23T09:14:44.130Z  INFO 1 --- [           main] com.acme.App                             : Stopping service`,
    says: "HikariPool-1 - Exception during pool initialization",
  },
  {
    why: "Spring Boot's own report",
    log: `APPLICATION FAILED TO START
***************************

Description:

Failed to configure a DataSource: 'url' attribute is not specified.

Reason: Failed to determine a suitable driver class


Action:

Consider the following:
	If you want an embedded database (H2, HSQL or Derby), please put it on the classpath.`,
    says: "Reason: Failed to determine a suitable driver class",
  },
  {
    why: "the end of a Python traceback, not its hint",
    log: `Traceback (most recent call last):
  File "/app/main.py", line 3, in <module>
    connect()
psycopg2.OperationalError: connection to server at "db" (10.0.0.7), port 5432 failed: Connection refused
	Is the server running on that host and accepting TCP/IP connections?`,
    says: 'psycopg2.OperationalError: connection to server at "db" (10.0.0.7), port 5432 failed: Connection refused',
  },
  {
    why: 'a Python exception without "Error" in its name, below a traceback without its beginning',
    log: `  File "/app/main.py", line 9, in <module>
    requests.get(url)
    ~~~~~~~~~~~~^^^^^
requests.exceptions.ConnectTimeout: HTTPConnectionPool(host='api', port=80): Max retries exceeded`,
    says: "requests.exceptions.ConnectTimeout: HTTPConnectionPool(host='api', port=80): Max retries exceeded",
  },
  {
    why: "the error of gunicorn's worker, not that of its master",
    log: `[2026-11-23 09:14:44 +0000] [7] [ERROR] Exception in worker process
Traceback (most recent call last):
  File "/app/wsgi.py", line 1, in <module>
    import flask_sqlalchemy
ModuleNotFoundError: No module named 'flask_sqlalchemy'
[2026-11-23 09:14:44 +0000] [7] [INFO] Worker exiting (pid: 7)
[2026-11-23 09:14:44 +0000] [1] [ERROR] Reason: Worker failed to boot.`,
    says: "ModuleNotFoundError: No module named 'flask_sqlalchemy'",
  },
  {
    why: "Node.js",
    log: `node:events:497
      throw er; // Unhandled 'error' event
      ^

Error: connect ECONNREFUSED 10.0.0.7:5432
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16) {
  errno: -111,
  code: 'ECONNREFUSED',
  syscall: 'connect',
  address: '10.0.0.7',
  port: 5432
}

Node.js v22.20.0`,
    says: "Error: connect ECONNREFUSED 10.0.0.7:5432",
  },
  {
    why: "the errors inside Node's AggregateError",
    log: `AggregateError [ECONNREFUSED]:
    at internalConnectMultiple (node:net:1134:18) {
  code: 'ECONNREFUSED',
  [errors]: [
    Error: connect ECONNREFUSED 127.0.0.1:6379
        at createConnectionError (node:net:1675:14)
  ]
}`,
    says: "Error: connect ECONNREFUSED 127.0.0.1:6379",
  },
  {
    why: "the program's error, not npm's",
    log: `> shop@1.0.0 start
> node server.js

Error: Cannot find module '/app/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1212:15)
npm ERR! code ELIFECYCLE
npm ERR! Failed at the shop@1.0.0 start script.`,
    says: "Error: Cannot find module '/app/server.js'",
  },
  {
    why: "Rust's message in the line below the panic",
    log: `thread 'main' panicked at src/main.rs:12:34:
called \`Result::unwrap()\` on an \`Err\` value: Os { code: 111, kind: ConnectionRefused, message: "Connection refused" }
stack backtrace:
   0: rust_begin_unwind
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
    says: 'called `Result::unwrap()` on an `Err` value: Os { code: 111, kind: ConnectionRefused, message: "Connection refused" }',
  },
  {
    why: "Rails",
    log: `rails aborted!
ActiveRecord::ConnectionNotEstablished: connection to server at "10.0.0.7", port 5432 failed: Connection refused
/app/config/environment.rb:5:in '<main>'

Caused by:
PG::ConnectionBad: connection to server at "10.0.0.7", port 5432 failed: Connection refused
/app/config/environment.rb:5:in '<main>'
Tasks: TOP => db:migrate => db:load_config
(See full trace by running task with --trace)`,
    says: 'PG::ConnectionBad: connection to server at "10.0.0.7", port 5432 failed: Connection refused',
  },
  {
    why: "Ruby without the place",
    log: `/usr/local/bundle/gems/pg-1.5.4/lib/pg.rb:63:in \`new': could not translate host name "db" to address (PG::ConnectionBad)
	from /usr/local/bundle/gems/pg-1.5.4/lib/pg.rb:63:in \`connect'`,
    says: 'could not translate host name "db" to address (PG::ConnectionBad)',
  },
  {
    why: "PHP",
    log: `PHP Fatal error:  Uncaught PDOException: SQLSTATE[HY000] [2002] Connection refused in /app/index.php:3
Stack trace:
#0 /app/index.php(3): PDO->__construct()
#1 {main}
  thrown in /app/index.php on line 3`,
    says: "PHP Fatal error: Uncaught PDOException: SQLSTATE[HY000] [2002] Connection refused in /app/index.php:3",
  },
  {
    why: ".NET",
    log: `info: Microsoft.Hosting.Lifetime[0]
      Hosting environment: Production
Unhandled exception. System.InvalidOperationException: No connection string
   at Program.<Main>$(String[] args) in /app/Program.cs:line 5`,
    says: "Unhandled exception. System.InvalidOperationException: No connection string",
  },
  {
    why: "the message of a C++ exception",
    log: `terminate called after throwing an instance of 'std::runtime_error'
  what():  config not readable
Aborted (core dumped)`,
    says: "what(): config not readable",
  },
];

describe("tellingLine()", () => {
  it.each(STACKS)("finds the message in $why", ({ log, says }) => {
    expect(tellingLine(log.split("\n"))).toEqual({ text: says, isFailure: true });
  });

  it("needs less than 2 s for long hostile lines", () => {
    const lines = ["(".repeat(200_000), 'a="'.repeat(60_000), "[".repeat(200_000), `${"x.rb".repeat(50_000)}`];
    expect(tellingLine(lines)).not.toBeNull();
  }, 2_000);
});
