import { describe, expect, it } from "vitest";
import { isSecretName, withoutSecrets } from "../../src/explain/answer/secret-values.ts";
import { changesInWords, restoredInWords, type ShownValues } from "../../src/explain/answer/setting-change.ts";
import { templateChanges } from "../../src/explain/owners/template-changes.ts";
import { aTemplate } from "../support/owners.ts";

const SIDECARS = { others: [{ name: "proxy", image: "proxy:1" }] };

function words(older: object, newer: object, shown: ShownValues = "all", more: [object?, object?] = []): string {
  const [before, after] = [aTemplate(older, more[0]), aTemplate(newer, more[1] ?? more[0])];
  return changesInWords(templateChanges(before, after), after.containers.length > 1, shown);
}

const env = (variables: Record<string, string>) => ({
  env: Object.entries(variables).map(([name, value]) => ({ name, value })),
});
const limits = (memory: string) => ({ resources: { limits: { memory }, requests: { memory } } });
const liveness = (periodSeconds: number) => ({
  livenessProbe: { httpGet: { path: "/healthz", port: 80 }, periodSeconds },
});
const fromSecret = (name: string) => ({
  env: [{ name: "DB_PASSWORD", valueFrom: { secretKeyRef: { name, key: "password" } } }],
});

describe("the changes of a template", () => {
  it.each([
    [env({ DB_HOST: "db" }), env({ DB_HOST: "dbx" }), "env DB_HOST: db → dbx"],
    [env({ container: "docker" }), env({ container: "podman" }), "env container: docker → podman"],
    [env({}), env({ MODE: "fast" }), "added env MODE (fast)"],
    [env({ MODE: "fast" }), {}, "removed env MODE (fast)"],
    [{ image: "shop.example/web:1" }, { image: "shop.example/web:2" }, "image web:1 → web:2"],
    [{ image: "a.example/web:1" }, { image: "b.example/web:1" }, "image a.example/web:1 → b.example/web:1"],
    [
      { image: "web:1", imagePullPolicy: "IfNotPresent" },
      { image: "web", imagePullPolicy: "Always" },
      "image web:1 → web",
    ],
    [
      { image: "web@sha256:1", imagePullPolicy: "IfNotPresent" },
      { image: "web:latest@sha256:1", imagePullPolicy: "Always" },
      "image web@sha256:1 → web:latest@sha256:1",
    ],
    [{ args: ["--port", "80", "--fast"] }, { args: ["--port", "81", "--fast"] }, "args: 80 → 81"],
    [{ command: ["a"] }, {}, "removed command"],
    [{ command: ["sh", "-c", "x".repeat(50)] }, { command: ["sh", "-c", "y".repeat(50)] }, "changed command"],
    [limits("64Mi"), limits("32Mi"), "resources.limits.memory: 64Mi → 32Mi"],
    [liveness(10), liveness(5), "added livenessProbe.periodSeconds (5)"],
    [liveness(6), liveness(5), "livenessProbe.periodSeconds: 6 → 5"],
    [{}, liveness(5), "added livenessProbe"],
    [liveness(5), {}, "removed livenessProbe"],
    [{ volumeMounts: [] }, { volumeMounts: [{ name: "v", mountPath: "/v" }] }, "added volumeMounts"],
    [fromSecret("a"), fromSecret("b"), "env DB_PASSWORD: secret a key password → secret b key password"],
    [{}, { securityContext: { readOnlyRootFilesystem: true } }, "added securityContext.readOnlyRootFilesystem (true)"],
    [{ terminationMessagePolicy: undefined }, {}, ""],
  ])("of %j to %j are: %s", (older, newer, says) => {
    expect(words(older, newer)).toBe(says);
  });

  it("name a new container, not its fields", () => {
    const init = { name: "wait-for-index", image: "busybox", terminationMessagePath: "/dev/termination-log" };
    expect(words({}, {}, "all", [{}, { initContainers: [init] }])).toBe("added init container wait-for-index");
  });

  it.each([
    [{ secret: { secretName: "tls-1" } }, { secret: { secretName: "tls-2" } }, "volume v: secret tls-1 → secret tls-2"],
    [{ configMap: { name: "a" } }, { persistentVolumeClaim: { claimName: "b" } }, "volume v: configmap a → pvc b"],
    [{ secret: { secretName: "a" } }, { secret: { secretName: "a", optional: true } }, "added options of volume v"],
    [
      { configMap: { name: "a", defaultMode: 0o755 } },
      { configMap: { name: "a", defaultMode: 0o644 } },
      "removed volume v defaultMode (0755)",
    ],
    [
      { secret: { secretName: "a", defaultMode: 0o400 } },
      { secret: { secretName: "a", defaultMode: 0o440 } },
      "volume v defaultMode: 0400 → 0440",
    ],
    [{ emptyDir: {} }, { hostPath: { path: "/data" } }, "changed volume v"],
    [{ hostPath: { path: "/a" } }, { hostPath: { path: "/b" } }, "changed volume v"],
    [{ secret: { secretName: "a", defaultMode: 420 } }, { secret: { secretName: "a" } }, ""],
  ])("of a volume of %j to %j are: %s", (older, newer, says) => {
    const of = (source: object) => ({ volumes: [{ name: "v", ...source }] });
    expect(words({}, {}, "all", [of(older), of(newer)])).toBe(says);
  });

  it("name a new volume without options", () => {
    expect(words({}, {}, "all", [{}, { volumes: [{ name: "cache", emptyDir: {} }] }])).toBe("added volume cache");
  });

  it("name the container if there are several", () => {
    expect(words({ image: "web:1" }, { image: "web:2" }, "all", [SIDECARS])).toBe("image of app web:1 → web:2");
  });

  it("list at most three, the most likely to break a container first, and count the others", () => {
    const older = { ...env({ A: "1", B: "1", C: "1" }), image: "web:1" };
    const newer = { ...env({ A: "2", B: "2", C: "2" }), ...liveness(5), image: "web:2" };
    expect(words(older, newer)).toBe("image web:1 → web:2, env A: 1 → 2, env B: 1 → 2 and 2 more");
  });

  it.each([
    { a: { "kubectl.kubernetes.io/restartedAt": "1" }, says: "" },
    { a: { "checksum/config": "9f86d081884c7d65" }, says: "" },
    { a: { "example.com/config-stamp": "2026-11-21T12:00:00Z" }, says: "" },
    { a: { "sidecar.istio.io/inject": "true" }, says: "added annotation sidecar.istio.io/inject" },
    {
      a: { "kubectl.kubernetes.io/default-container": "app" },
      says: "added annotation kubectl.kubernetes.io/default-container",
    },
  ])("leave out annotations that only restart pods, and no others: $a", ({ a, says }) => {
    expect(words({}, {}, "all", [{}, { annotations: a }])).toBe(says);
  });

  it("have no value of a variable or command in a text to share", () => {
    const older = { ...env({ MODE: "slow" }), args: ["--slow"], ...limits("64Mi") };
    const newer = { ...env({ MODE: "fast" }), args: ["--fast"], ...limits("32Mi") };
    expect(words(older, newer, "shareable")).toBe(
      "changed args, changed env MODE, resources.limits.memory: 64Mi → 32Mi",
    );
  });

  it("show no value that may be secret, old or new", () => {
    const [older, newer] = [
      env({ API_KEY: "a", URL: "http://u:one@h/x" }),
      env({ API_KEY: "b", URL: "http://u:two@h/y" }),
    ];
    expect(words(older, newer)).toBe("changed env API_KEY, env URL: http://***@h/x → http://***@h/y");
    const same = [env({ URL: "http://u:one@h" }), env({ URL: "http://u:two@h" })] as const;
    expect(words(...same)).toBe("changed env URL");
  });
});

describe("restoredInWords()", () => {
  function restored(older: object, newer: object, shown: ShownValues = "all", more: [object?, object?] = []): string {
    const [before, after] = [aTemplate(older, more[0]), aTemplate(newer, more[1] ?? more[0])];
    return restoredInWords(templateChanges(before, after), after.containers.length > 1, shown);
  }

  it.each([
    [env({ DB_HOST: "db" }), env({ DB_HOST: "dbx" }), "DB_HOST=db"],
    [env({ DB_HOST: "db" }), {}, "DB_HOST=db"],
    [{}, env({ MODE: "fast" }), "without MODE"],
    [env({ API_TOKEN: "one" }), env({ API_TOKEN: "two" }), "its API_TOKEN"],
    [env({ URL: "http://u:one@h/x" }), env({ URL: "http://u:two@h/y" }), "URL=http://***@h/x"],
    [{ image: "shop.example/web:1" }, { image: "shop.example/web:2" }, "image web:1"],
    [{ command: ["a", "x"] }, { command: ["b", "x"] }, "command a"],
    [{ command: ["sh", "x".repeat(50)] }, { command: ["sh", "y".repeat(50)] }, "its command"],
    [limits("64Mi"), limits("32Mi"), "resources.limits.memory=64Mi"],
    [{}, liveness(5), "without livenessProbe"],
    [
      { command: ["a"], ...env({ DB_HOST: "db", A: "1", B: "1" }) },
      { command: ["b"], ...env({ DB_HOST: "dbx", A: "2", B: "2" }) },
      "command a, DB_HOST=db, A=1 and 1 more",
    ],
  ])("says what is back after an undo of %j to %j: %s", (older, newer, says) => {
    expect(restored(older, newer)).toBe(says);
  });

  it("has no value of a variable in a text to share", () => {
    const [older, newer] = [env({ DB_HOST: "db" }), env({ DB_HOST: "dbx" })];
    expect(restored({ ...older, image: "web:1" }, { ...newer, image: "web:2" }, "shareable")).toBe(
      "image web:1, its DB_HOST",
    );
  });

  it("names the container if there are several, and a container that an undo removes", () => {
    expect(restored({ image: "web:1" }, { image: "web:2" }, "all", [SIDECARS])).toBe("image web:1 of app");
    expect(restored({}, {}, "all", [{}, { initContainers: [{ name: "wait", image: "busybox" }] }])).toBe(
      "without init container wait",
    );
  });
});

describe("isSecretName()", () => {
  it.each(["DB_PASSWORD", "dbPasswd", "SENTRY_DSN", "AWS_CREDENTIALS", "env GITHUB_TOKEN"])(
    "hides the value of %s",
    (name) => {
      expect(isSecretName(name)).toBe(true);
    },
  );

  it.each(["DB_HOST", "LOG_LEVEL", "DATABASE_URL"])("shows the value of %s", (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe("withoutSecrets()", () => {
  it.each([
    ["db.shop.svc:5432", "db.shop.svc:5432"],
    ["debug", "debug"],
    ["--port=8080 -p 8080 -v --config /etc/app/config.yaml", "--port=8080 -p 8080 -v --config /etc/app/config.yaml"],
    ["-Xmx512m -XX:MaxRAMPercentage=75", "-Xmx512m -XX:MaxRAMPercentage=75"],
    ["/usr/local/sbin:/usr/local/bin", "/usr/local/sbin:/usr/local/bin"],
    ["aB3+deFgh/JkLm4nOpQrStUv==", "***"],
    ["postgres://u:p@ss/w@db:5432/shop", "postgres://***@db:5432/shop"],
    ["u:p@tcp(db:3306)/shop", "***@tcp(db:3306)/shop"],
    ["host=db password=x user=u", "host=db password=*** user=u"],
    ["Server=db;Password=a b;Timeout=3", "Server=db;Password=*** b;Timeout=3"],
    ['{"password": "a b", "port": 1}', '{"password": ***, "port": 1}'],
    ["--db-password=x --port=1", "--db-password=*** --port=1"],
    ["--db-password x --port=1", "--db-password *** --port=1"],
    ["mysql -u root -pHunter -h db", "mysql -u *** -p*** -h db"],
    ["curl -H 'Authorization: Bearer abc' http://h", "curl -H 'Authorization: *** ***' http://h"],
    ["eyJhbGciOi.eyJzdWIi.c2ln", "***"],
    ["ghp_abcdefgh12345", "***"],
    ["AKIAIOSFODNN7EXAMPLE", "***"],
    ["9f86d081884c7d659a2feaa0c55ad015", "***"],
    ["-----BEGIN RSA KEY-----\nabc\n", "***"],
  ])("prints %s as %s", (text, printed) => {
    expect(withoutSecrets(text)).toBe(printed);
  });
});
