import { describe, expect, it } from "vitest";
import { observeInput, rawPod } from "../support/input.ts";

const OBJECTS = ["shop/web", "shop/api", "test/web"].map((key) => {
  const [namespace, name] = key.split("/");
  return rawPod({ metadata: { namespace, name, uid: key } });
});

describe("the pods that are asked for", () => {
  it.each([
    { asked: {}, found: ["shop/web", "shop/api", "test/web"] },
    { asked: { pod: "web" }, found: ["shop/web", "test/web"] },
    { asked: { pod: "pod/web" }, found: ["shop/web", "test/web"] },
    { asked: { pod: "pods/api" }, found: ["shop/api"] },
    { asked: { pod: "po/api", namespace: "shop" }, found: ["shop/api"] },
    { asked: { pod: "test/web" }, found: ["test/web"] },
    { asked: { pod: "web", namespace: "test" }, found: ["test/web"] },
    { asked: { namespace: "shop" }, found: ["shop/web", "shop/api"] },
    { asked: { pod: "test/web", namespace: "shop" }, found: ["test/web"] },
  ])("are, for $asked, $found", async ({ asked, found }) => {
    const { observation } = await observeInput(OBJECTS, asked);
    expect(observation.pods.map(({ pod }) => `${pod.namespace}/${pod.name}`)).toEqual(found);
  });

  it.each([
    { asked: { pod: "db" }, says: '"db"' },
    { asked: { pod: "api", namespace: "test" }, says: '"test/api"' },
    { asked: { pod: "pod/db" }, says: '"db"' },
    { asked: { namespace: "prod" }, says: '"prod/*"' },
    { asked: { pod: "" }, says: '""' },
  ])("are named if there is none: $says", async ({ asked, says }) => {
    await expect(observeInput(OBJECTS, asked)).rejects.toMatchObject({
      code: "podNotInInput",
      text: expect.stringMatching(
        new RegExp(`no pod ${says.replace("*", "\\*")} .*\n.*shop/web, shop/api and test/web`),
      ),
    });
  });
});
